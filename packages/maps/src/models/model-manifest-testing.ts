import type { ModelManifest } from "./model-manifest.ts";
import { readManifest } from "./read-manifest.ts";

/** A manifest of a detector of two classes on three bands, with changes. */
export function manifest(changes: Readonly<Record<string, unknown>> = {}): ModelManifest {
  const read = readManifest({
    id: "things",
    description: "Things",
    version: "1",
    task: "detect-hbb",
    classes: ["one", "two"],
    bands: ["red", "green", "blue"],
    input: { dtype: "float32", size: [256, 256], valueRange: "byte" },
    gsd: { train: 0.5, min: 0.3, max: 0.8 },
    output: { format: "yolov8" },
    conf: 0.25,
    sha256: "0".repeat(64),
    licence: "none",
    ...changes,
  });
  if (!read.valid) throw new Error(read.faults.join("; "));
  return read.manifest;
}
