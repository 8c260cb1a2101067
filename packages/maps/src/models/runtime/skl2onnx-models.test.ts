import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createMapTypes } from "../../registry.ts";
import type { AnalysisBlock, BlockResult } from "../../analysis/block.ts";
import { runRows } from "../run-rows.ts";
import type { InstalledModel } from "./installed-model.ts";
import { LIMITS, modelFolder, type Document } from "./model-folder-testing.ts";
import { ModelRunner } from "./model-runner.ts";
import { readModels, sha256Of } from "./read-models.ts";

/*
 * Models that skl2onnx wrote, and the predictions of scikit-learn by them: `skl2onnx/make-models.py`.
 */
interface Expected {
  readonly pixels: readonly (readonly number[])[];
  readonly season: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly scores: readonly (readonly number[])[];
  readonly biomass: readonly number[];
}
const read = (file: string): Buffer => readFileSync(join(import.meta.dirname, "skl2onnx", file));
const EXPECTED: Expected = JSON.parse(read("expected.json").toString());
const LABELS = [10, 20, 30];

function model(id: string, file: string, changes: Document) {
  const bytes = read(file);
  const document = {
    id,
    description: "Made pixels by a forest of scikit-learn",
    version: "1",
    task: "segment",
    classes: ["water", "bare", "crops"],
    bands: ["red", "nir"],
    input: { form: "rows", dtype: "float32", valueRange: "reflectance" },
    gsd: { train: 10, min: 5, max: 60 },
    sha256: sha256Of(bytes),
    license: "CC0-1.0",
    ...changes,
  };
  return { bytes, document };
}

const MODELS = {
  crops: model("crops", "crops.onnx", { output: { format: "labels", labels: LABELS } }),
  "crops-two": model("crops-two", "crops.onnx", {
    classes: ["bare", "water"],
    output: { format: "labels", labels: [20, 10] },
  }),
  "crops-scores": model("crops-scores", "crops-scores.onnx", { output: { format: "scores" }, conf: 0.9 }),
  biomass: model("biomass", "biomass.onnx", {
    task: "regress",
    classes: undefined,
    dates: 2,
    output: { format: "values" },
    value: { name: "biomass", unit: "t/ha", range: [0, 60], ramp: "rain" },
  }),
};

let folder: Awaited<ReturnType<typeof modelFolder>>;
let models: readonly InstalledModel[];
let runner: ModelRunner;
before(async () => {
  folder = await modelFolder(MODELS);
  const found = readModels(folder.folder);
  assert.deepEqual(found.faults, []);
  ({ models } = found);
  runner = new ModelRunner(LIMITS);
});
after(async () => {
  await runner[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A block of one row of pixels, whose planes are the columns of the features. */
function blockOf(features: readonly (readonly number[])[], dates: number): AnalysisBlock {
  const rect = { column: 0, row: 0, columns: features.length, rows: 1 };
  const planes = (features[0] ?? []).map((_, plane) => Float32Array.from(features, (pixel) => pixel[plane] ?? 0));
  const bands = planes.length / dates;
  const scenes = Array.from({ length: dates }, (_, date) => planes.slice(date * bands, (date + 1) * bands));
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 15, latDeg: 50 };
  return { rect, core: rect, scenes, land: null, ground };
}

async function run(id: string, block: AnalysisBlock): Promise<BlockResult> {
  const installed = models.find(({ manifest }) => manifest.id === id);
  assert.ok(installed !== undefined);
  return await runRows(block, runner.model(installed), { manifest: installed.manifest, ranges: [] });
}

test("labels of a forest with ZipMap are the classes that scikit-learn predicts", async () => {
  const { layers } = await run("crops", blockOf(EXPECTED.pixels, 1));
  assert.equal(layers.length, 1);
  assert.deepEqual(
    [...(layers[0] ?? [])],
    EXPECTED.labels.map((label) => LABELS.indexOf(label) + 1),
  );
});

test("labels that no class has are background, and pixels without a band are no data", async () => {
  const pixels = [[Number.NaN, 0.2], ...EXPECTED.pixels];
  const { layers } = await run("crops-two", blockOf(pixels, 1));
  assert.deepEqual([...(layers[0] ?? [])], [0, ...EXPECTED.labels.map((label) => ({ 20: 1, 10: 2 })[label] ?? 3)]);
});

test("scores give the class where the best one is good enough, and a layer of the scores", async () => {
  const { layers } = await run("crops-scores", blockOf(EXPECTED.pixels, 1));
  const [classes, confidence] = layers;
  let unsure = 0;
  for (const [pixel, scores] of EXPECTED.scores.entries()) {
    const best = Math.max(...scores);
    assert.ok(Math.abs((confidence?.[pixel] ?? 0) - best) < 1e-5);
    assert.equal(classes?.[pixel], best >= 0.9 ? scores.indexOf(best) + 1 : 4, `pixel ${pixel}: ${scores.join(" ")}`);
    if (best < 0.9) unsure += 1;
  }
  assert.ok(unsure < EXPECTED.scores.length);
});

test("a regression of two dates gives the numbers of scikit-learn, the bands of the first date first", async () => {
  const { layers } = await run("biomass", blockOf(EXPECTED.season, 2));
  assert.equal(layers.length, 1);
  for (const [pixel, expected] of EXPECTED.biomass.entries()) {
    const got = layers[0]?.[pixel] ?? Number.NaN;
    assert.ok(Math.abs(got - expected) < 1e-3, `pixel ${pixel}: got ${got}, expected ${expected}`);
  }
});

test("many pixels are given in parts, in their order", async () => {
  const pixels = Array.from({ length: 40_000 }, (_, index) => EXPECTED.pixels[index % EXPECTED.pixels.length] ?? []);
  const { layers } = await run("crops", blockOf(pixels, 1));
  for (const index of [0, 16_383, 16_384, 39_999]) {
    const label = EXPECTED.labels[index % EXPECTED.labels.length] ?? 0;
    assert.equal(layers[0]?.[index], LABELS.indexOf(label) + 1, String(index));
  }
});

test("their map types have layers of classes, of scores and of values, and take as many scenes as dates", () => {
  const types = createMapTypes(models.map(({ manifest }) => manifest));
  const biomass = types.find("model-biomass");
  assert.deepEqual(biomass?.analysis?.scenes, { min: 2, max: 2 });
  assert.deepEqual(biomass?.analysis?.layers, [
    { kind: "values", name: "biomass", unit: "t/ha", range: [0, 60], ramp: "rain", drawnFrom: null },
  ]);
  assert.ok(biomass?.gridFiles.png?.includes("biomass.png"));
  assert.match(biomass?.description ?? "", /CC0-1\.0/u);
  assert.deepEqual(
    types.find("model-crops-scores")?.analysis?.layers.map(({ name }) => name),
    ["classes", "confidence"],
  );
  assert.deepEqual(types.find("model-crops")?.segmentationColors?.["crops"]?.length, 3);
});

async function faultsOf(id: keyof typeof MODELS, changes: Document): Promise<readonly string[]> {
  const { bytes, document } = MODELS[id];
  await using own = await modelFolder({ one: { bytes, document: { ...document, ...changes } } });
  return readModels(own.folder).faults.map((fault) => fault.replace(/^\S+ /u, ""));
}

test("manifests of rows and regressions that contradict themselves or the file are refused", async () => {
  const rows = { form: "rows", dtype: "float32", valueRange: "reflectance" };
  const value = { name: "biomass", unit: "t/ha", range: [0, 60] };
  const cases: readonly (readonly [keyof typeof MODELS, Document, RegExp])[] = [
    ["crops", { bands: ["red"] }, /the model's input is \? x 2, expected rows of any number x 1/u],
    [
      "crops",
      { output: { format: "mask" }, conf: 0.5 },
      /^\/output\/format: got mask, expected labels or scores with/u,
    ],
    [
      "crops",
      { output: { format: "labels", labels: [1, 2] } },
      /^\/output\/labels: got \[1,2\], expected a list of 3/u,
    ],
    ["crops", { conf: 0.5 }, /^\/conf: got 0\.5, expected nothing without scores/u],
    ["crops", { input: { ...rows, size: [128, 128] } }, /^\/input\/size: got \[128,128\], expected nothing with rows/u],
    ["crops", { input: { ...rows, dtype: "uint8" } }, /^\/input\/dtype: got uint8, expected float32 with rows/u],
    [
      "crops",
      { task: "detect-hbb", conf: 0.5, output: { format: "yolov8" } },
      /^\/input\/form: got rows, expected tiles with the task detect-hbb/u,
    ],
    ["crops", { licence: "other" }, /^\/license: got "CC0-1\.0", expected nothing beside licence/u],
    ["crops", { license: undefined }, /^\/licence: got nothing, expected the terms of the model/u],
    ["crops", { value }, /^\/value: got \{.*, expected nothing with the task segment/u],
    ["crops-scores", { output: { format: "scores", name: "label" } }, /label has the element type int64, expected/u],
    ["biomass", { dates: 3 }, /expected rows of any number x 6 as bands and dates/u],
    ["biomass", { dates: 13 }, /^\/dates: got 13, expected a number from 1 to 12/u],
    ["biomass", { classes: ["a"] }, /^\/classes: got \["a"\], expected nothing with the task regress/u],
    ["biomass", { value: { ...value, range: [5, 5] } }, /^\/value\/range: got 5, 5, expected the lower value first/u],
    ["biomass", { value: { ...value, ramp: "rainbow" } }, /^\/value\/ramp: got "rainbow", expected one of heat, /u],
    ["biomass", { value: { ...value, name: "metadata" } }, /^\/value\/name: got metadata, expected none of/u],
    ["biomass", { input: { ...rows, mean: [0, 0, 0] } }, /^\/input\/mean: got \[0,0,0\], expected a list of 4/u],
  ];
  for (const [id, changes, expected] of cases) {
    const faults = await faultsOf(id, changes);
    assert.ok(
      faults.some((fault) => expected.test(fault)),
      `${expected} in:\n${faults.join("\n")}`,
    );
  }
});

test("the manifests of the page are accepted with the models that they describe", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../../docs/map-types/models.md"), "utf8");
  const [, section = ""] = /^### Models of scikit-learn\n([\s\S]*?)^### /mu.exec(page) ?? [];
  const blocks = [...section.matchAll(/```json\n([\s\S]*?)```/gu)].map(([, json = ""]): Document => JSON.parse(json));
  assert.deepEqual(
    blocks.map(({ id }) => id),
    ["crops", "biomass"],
  );
  for (const block of blocks) {
    const bytes = read(`${String(block["id"])}.onnx`);
    await using own = await modelFolder({ one: { bytes, document: { ...block, sha256: sha256Of(bytes) } } });
    assert.deepEqual(readModels(own.folder).faults, []);
  }
});
