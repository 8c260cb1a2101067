import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { writeExampleModel } from "../scripts/example-model.ts";
import { installExtra } from "../scripts/extras.ts";
import { coastGeotiff } from "./make-geotiff.ts";

const ROOT = join(import.meta.dirname, "..");
const PAGE = readFileSync(join(ROOT, "docs/map-types/models.md"), "utf8");
const FORESTS = join(ROOT, "packages/maps/src/models/runtime/skl2onnx");

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let folder: string;
before(() => {
  installExtra("models");
  folder = mkdtempSync(join(tmpdir(), "swath-check-model-"));
  writeExampleModel(join(folder, "out/models"));
  writeFileSync(join(folder, "scene.tif"), coastGeotiff());
});
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

function swath(line: string): Promise<Ran> {
  const args = [join(ROOT, "packages/cli/src/main.ts"), ...line.split(" ")];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

/** A forest of scikit-learn in a folder, by the manifest of the page. */
function writeForest(id: string, changes: object = {}): string {
  const blocks = [...PAGE.matchAll(/```json\n([\s\S]*?)```/gu)].map(([, json = ""]) => JSON.parse(json));
  const bytes = readFileSync(join(FORESTS, `${id}.onnx`));
  const document = blocks.find((block) => block.id === id);
  const path = join(folder, id);
  mkdirSync(path, { recursive: true });
  cpSync(join(FORESTS, `${id}.onnx`), join(path, "model.onnx"));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(join(path, "manifest.json"), JSON.stringify({ ...document, sha256, ...changes }));
  return id;
}

test("the commands of the page print what the model is, and run it on zeros and on a scene", async () => {
  const lines = [...PAGE.matchAll(/^swath (models check .*)$/gmu)].map(([, line = ""]) => line);
  assert.equal(lines.length, 2);
  const [zeros, scene] = [await swath(lines[0] ?? ""), await swath(lines[1] ?? "")];
  assert.equal(zeros.code, 0, zeros.out + zeros.err);
  assert.match(zeros.out, /map type +model-bright-spots, version 1/u);
  assert.match(zeros.out, /input +images float32 1 x 1 x 256 x 256/u);
  assert.match(zeros.out, /layer +classes: spot/u);
  assert.match(zeros.out, /run +on zeros: 256 x 256 pixels/u);
  assert.match(zeros.out, /result +spot 0/u);
  assert.equal(scene.code, 0, scene.out + scene.err);
  assert.match(scene.out, /run +on scene\.tif: 256 x 256 pixels/u);
});

test("a forest on a scene of water and crops finds both where they are", async () => {
  const path = writeForest("crops", {
    input: { form: "rows", dtype: "float32", scale: 1 / 4000, valueRange: "byte" },
  });
  const { code, out, err } = await swath(`models check ${path} --scene scene.tif --json`);
  assert.equal(code, 0, out + err);
  const { valid, trial, layers } = JSON.parse(out);
  assert.equal(valid, true);
  assert.equal(layers[0].classes.length, 3);
  // The western 100 of 256 columns are water, with a near infrared of 0.05; the others reach 0.88.
  assert.equal(trial.result.crops, 156 * 256);
  assert.equal(trial.result.water + trial.result.bare, 100 * 256);
});

test("a regression of two dates tells the range of its values", async () => {
  const { code, out, err } = await swath(`models check ${writeForest("biomass")}/manifest.json`);
  assert.equal(code, 0, out + err);
  assert.match(out, /layer +biomass, t\/ha, 0 to 60, colours rain/u);
  assert.match(out, /channels +red, nir of 2 dates, rows/u);
  assert.match(out, /result +pixels 4096, least \S+, mean \S+, most \S+/u);
});

test("faults of manifest, file, scene and run are named, with exit code 1", async () => {
  const wrong = await swath(`models check ${writeForest("crops", { sha256: "0".repeat(64), conf: 0.5 })}`);
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /fault: .*model\.onnx: got the SHA-256 [0-9a-f]{64}, expected 0{64}/u);
  assert.match(wrong.out, /fault: .*manifest\.json: \/conf: got 0\.5, expected nothing without scores/u);
  assert.match(wrong.out, /input +X float32 \? x 2/u);
  assert.match(wrong.err, /the model has 2 faults/u);

  const labels = await swath(`models check ${writeForest("crops", { bands: ["red", "swir1"] })} --scene scene.tif`);
  assert.equal(labels.code, 1);
  assert.match(labels.out, /fault: scene\.tif lacks swir1: its bands are Blue, Green, Red, NIR; --bands names them/u);

  const fine = await swath(
    `models check ${writeForest("crops", { gsd: { train: 1, min: 1, max: 2 } })} --scene scene.tif`,
  );
  assert.match(fine.out, /fault: scene\.tif has pixels of 10\.00 m, expected 1 to 2 m as the manifest says/u);

  rmSync(join(folder, "crops", "manifest.json"));
  const bare = await swath("models check crops/model.onnx");
  assert.equal(bare.code, 1);
  assert.match(bare.out, /output +output_label int64 \?/u);
  assert.match(bare.out, /fault: .*manifest\.json cannot be read: ENOENT/u);

  writeFileSync(join(folder, "crops", "model.onnx"), "no model");
  const text = await swath(`models check ${join(folder, "crops")}`);
  assert.equal(text.code, 1);
});
