import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelManifest } from "../model-manifest.ts";
import { readManifest } from "../read-manifest.ts";
import type { InstalledModel, ModelLimits } from "./installed-model.ts";
import { sha256Of } from "./read-models.ts";

export const LIMITS: ModelLimits = { timeoutMs: 60_000, memoryBytes: 512 * 2 ** 20 };

export type Document = Readonly<Record<string, unknown>>;

/** A manifest of a detector of squares of one class. */
export function documentOf(bytes: Uint8Array, size: number, changes: Document = {}): Document {
  return {
    id: "blobs",
    description: "Bright squares",
    version: "1",
    task: "detect-hbb",
    classes: ["square"],
    bands: ["red"],
    input: { dtype: "float32", size: [size, size], scale: 1 / 255, valueRange: "byte" },
    gsd: { train: 0.5, min: 0.2, max: 0.9 },
    output: { format: "yolov8" },
    conf: 0.3,
    iou: 0.3,
    maxObjectM: 4,
    sha256: sha256Of(bytes),
    licence: "none",
    ...changes,
  };
}

export function manifestOf(document: unknown): ModelManifest {
  const read = readManifest(document);
  if (!read.valid) throw new Error(read.faults.join("; "));
  return read.manifest;
}

/** A folder of models as an operator makes it, which goes with the test; without a file where there are no bytes. */
export async function modelFolder(
  models: Readonly<Record<string, { readonly bytes: Uint8Array | null; readonly document: unknown }>>,
): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "swath-models-"));
  for (const [name, { bytes, document }] of Object.entries(models)) {
    await mkdir(join(folder, name));
    if (bytes !== null) await writeFile(join(folder, name, "model.onnx"), bytes);
    await writeFile(join(folder, name, "manifest.json"), JSON.stringify(document));
  }
  return { folder, [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }) };
}

/** The model of an identifier. */
export function modelNamed(models: readonly InstalledModel[], id: string): InstalledModel {
  const found = models.find(({ manifest }) => manifest.id === id);
  if (found === undefined) throw new RangeError(`there is no model ${id}`);
  return found;
}
