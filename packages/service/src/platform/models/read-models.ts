import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readManifest } from "@swath/kernel/models/model-manifest";
import type { InstalledModel } from "./installed-model.ts";

const MANIFEST = "manifest.json";
const MODEL = "model.onnx";
const MAX_MODELS = 64;
const MAX_MANIFEST_BYTES = 64 * 1024;
/** The limit of the format: larger models keep their numbers in other files, which are not read. */
const MAX_MODEL_BYTES = 2 ** 31 - 1;

/**
 * The models of a folder: each sub-folder holds `manifest.json` and `model.onnx`. All of them are checked, so that
 * every fault is known at once.
 */
export function readModels(folder: string): {
  readonly models: readonly InstalledModel[];
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const models: InstalledModel[] = [];
  for (const name of subfolders(folder, faults)) {
    const model = readModel(resolve(folder, name), faults);
    if (model !== null) models.push(model);
  }
  const ids = models.map(({ manifest }) => manifest.id);
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) {
    faults.push(`${folder}: more than one model is called ${id}`);
  }
  return { models, faults };
}

function subfolders(folder: string, faults: string[]): readonly string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .toSorted();
    if (names.length <= MAX_MODELS) return names;
    faults.push(`${folder}: got ${names.length} folders, expected at most ${MAX_MODELS}`);
  } catch (error) {
    faults.push(`${folder} cannot be read: ${messageOf(error)}`);
  }
  return [];
}

function readModel(folder: string, faults: string[]): InstalledModel | null {
  const at = join(folder, MANIFEST);
  const path = join(folder, MODEL);
  try {
    const bytes = statSync(at).size;
    if (bytes > MAX_MANIFEST_BYTES) throw new Error(`got ${bytes} bytes, expected at most ${MAX_MANIFEST_BYTES}`);
    const read = readManifest(JSON.parse(readFileSync(at, "utf8")));
    if (!read.valid) {
      faults.push(...read.faults.map((fault) => `${at}: ${fault}`));
      return null;
    }
    const fault = digestFault(path, read.manifest.sha256);
    if (fault === null) return { manifest: read.manifest, path };
    faults.push(`${path}: ${fault}`);
  } catch (error) {
    faults.push(`${at} cannot be read: ${messageOf(error)}`);
  }
  return null;
}

function digestFault(path: string, expected: string): string | null {
  try {
    const { size } = statSync(path);
    if (size > MAX_MODEL_BYTES) return `got ${size} bytes, expected at most ${MAX_MODEL_BYTES}`;
    const got = sha256Of(readFileSync(path));
    return got === expected ? null : `got the SHA-256 ${got}, expected ${expected} as its manifest says`;
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

/** Lower-case hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
