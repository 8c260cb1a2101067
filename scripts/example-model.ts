/** A model to begin from: `node scripts/example-model.ts FOLDER`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blobDetector } from "../packages/maps/src/models/runtime/onnx-testing.ts";
import { sha256Of } from "../packages/maps/src/models/runtime/read-models.ts";

const SIZE = 256;
const OBJECT_PX = 5;

/**
 * Writes a model that nobody has trained, with its manifest, to a sub-folder of a folder of models: bright spots of about
 * 50 m in the near infrared, such as large ships at sea, by the mean of a window less that of its surroundings.
 */
export function writeExampleModel(models: string): string {
  const folder = join(models, "bright-spots");
  const bytes = blobDetector(SIZE, OBJECT_PX, null);
  const manifest = {
    id: "bright-spots",
    description: "Bright spots of about 50 m in the near infrared, by contrast with their surroundings",
    version: "1",
    task: "detect-hbb",
    classes: ["spot"],
    bands: ["nir"],
    input: { dtype: "float32", size: [SIZE, SIZE], scale: 1 / 255, valueRange: "percentile" },
    gsd: { train: 10, min: 6, max: 20 },
    output: { format: "yolov8" },
    conf: 0.3,
    iou: 0.3,
    maxObjectM: 100,
    sha256: sha256Of(bytes),
    licence: "CC0-1.0",
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "model.onnx"), bytes);
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("got no folder, expected that of the models: example-model.ts FOLDER");
  process.stdout.write(`${writeExampleModel(folder)}\n`);
}
