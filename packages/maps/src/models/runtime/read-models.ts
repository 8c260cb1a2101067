import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { completeManifest, metadataFaults, readMetadata } from "../model-metadata.ts";
import { readManifest } from "../read-manifest.ts";
import { findTensors } from "../model-tensors.ts";
import { readOnnxFile, type OnnxFile } from "../onnx-file.ts";
import { findRuntime, RUNTIME_MISSING } from "./find-runtime.ts";
import type { InstalledModel } from "./installed-model.ts";

const MANIFEST = "manifest.json";
const MODEL = "model.onnx";
const MAX_MODELS = 64;
const MAX_MANIFEST_BYTES = 64 * 1024;
/** The limit of the format: larger models keep their numbers in other files, which are not read. */
const MAX_MODEL_BYTES = 2 ** 31 - 1;

/**
 * The models of a folder: each sub-folder holds `manifest.json` and `model.onnx`. All of them are checked, so that
 * every fault is known at once: the manifest, the digest of the file, what the file is, and whether both agree.
 *
 * @param maxModelBytes what a running model may use: a file that is larger cannot be run
 * @param runtimeFolder where the runtime is looked for; by default where `npm run models:install` puts it
 */
export function readModels(
  folder: string,
  maxModelBytes: number = MAX_MODEL_BYTES,
  runtimeFolder?: string,
): {
  readonly models: readonly InstalledModel[];
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const models: InstalledModel[] = [];
  for (const name of subfolders(folder, faults)) {
    const model = readModel(resolve(folder, name), Math.min(maxModelBytes, MAX_MODEL_BYTES), faults);
    if (model !== null) models.push(model);
  }
  const ids = models.map(({ manifest }) => manifest.id);
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) {
    faults.push(`${folder}: more than one model is called ${id}`);
  }
  if (models.length > 0 && findRuntime(runtimeFolder) === null) faults.push(RUNTIME_MISSING);
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

function readModel(folder: string, maxModelBytes: number, faults: string[]): InstalledModel | null {
  const read = readModelFiles(join(folder, MANIFEST), join(folder, MODEL), maxModelBytes);
  faults.push(...read.faults);
  return read.model;
}

/** One model: what its file is, whether or not its manifest is right. */
export interface ReadModel {
  /** Null with any fault. */
  readonly model: InstalledModel | null;
  /** Null when it is no model or another one than the manifest means. */
  readonly file: OnnxFile | null;
  /** Of the file, lower-case hexadecimal; null when it cannot be read. */
  readonly sha256: string | null;
  readonly faults: readonly string[];
}

/** Reads a manifest and the file of its model. */
export function readModelFiles(at: string, path: string, maxModelBytes: number = MAX_MODEL_BYTES): ReadModel {
  const faults: string[] = [];
  const bytes = bounded(path, maxModelBytes, faults);
  const sha256 = bytes === null ? null : sha256Of(bytes);
  const text = bounded(at, MAX_MANIFEST_BYTES, faults);
  const document = text === null ? null : parsed(text, at, faults);
  // The file is opened only once it is known to be the one that its manifest means.
  const expected = document === null ? null : sha256In(document.value);
  if (sha256 !== expected && sha256 !== null && expected !== null) {
    faults.push(`${path}: got the SHA-256 ${sha256}, expected ${expected} as its manifest says`);
  }
  const opened = bytes === null || sha256 === null || sha256 !== expected ? null : readOnnxFile(bytes);
  if (opened?.valid === false) faults.push(...opened.faults.map((fault) => `${path}: ${fault}`));
  const file = opened?.valid === true ? opened.file : null;
  if (document === null) return { model: null, file, sha256, faults };
  const metadata = readMetadata(file?.metadata ?? new Map());
  const read = readManifest(completeManifest(document.value, metadata));
  if (!read.valid) {
    faults.push(...read.faults.map((fault) => `${at}: ${fault}`));
    return { model: null, file, sha256, faults };
  }
  if (file === null) return { model: null, file, sha256, faults };
  const { manifest } = read;
  const found = findTensors(file, manifest);
  const hasFixedSize = file.inputs.every(({ dims }) => dims?.every((dim) => dim !== null) === true);
  const conflicts = [...metadataFaults(manifest, metadata, hasFixedSize), ...(found.valid ? [] : found.faults)];
  faults.push(...conflicts.map((fault) => `${at}: ${fault}`));
  const model = found.valid && conflicts.length === 0 ? { manifest, path, tensors: found.tensors } : null;
  return { model, file, sha256, faults };
}

function parsed(text: Buffer, at: string, faults: string[]): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text.toString());
    return { value };
  } catch (error) {
    faults.push(`${at} is no JSON: ${messageOf(error)}`);
    return null;
  }
}

/** The bytes of a file; null, and a fault, when it cannot be read or is larger than it may be. */
function bounded(path: string, maxBytes: number, faults: string[]): Buffer | null {
  try {
    const { size } = statSync(path);
    if (size <= maxBytes) return readFileSync(path);
    faults.push(`${path}: got ${size} bytes, expected at most ${maxBytes}`);
  } catch (error) {
    faults.push(`${path} cannot be read: ${messageOf(error)}`);
  }
  return null;
}

function sha256In(document: unknown): string | null {
  if (typeof document !== "object" || document === null || !("sha256" in document)) return null;
  return typeof document.sha256 === "string" ? document.sha256 : null;
}

/** Lower-case hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
