import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { createMapTypes } from "../../registry.ts";
import { manifest } from "../model-manifest-testing.ts";
import { createAnalyser } from "../../engine/analyser.ts";
import type { AnalysisJob } from "../../engine/analysis-job.ts";
import { analysisGrid } from "../../engine/analysis-grid.ts";
import { sceneFixture } from "../../render/testing.ts";
import type { InstalledModel } from "./installed-model.ts";
import { keepModels } from "./keep-models.ts";
import { blobDetector } from "./onnx-testing.ts";
import { readModels, sha256Of } from "./read-models.ts";

const OBJECT_PX = 5;
const PIXEL_M = 0.5;
const [WIDTH, HEIGHT] = [700, 600];
const [EAST, NORTH] = [500_000, 5_500_000];
const MAX_OFF_PX = 0.5;
/** Pixels of the middles; some lie on the border of the blocks of 512 pixels and beside it. */
const MIDDLES = [
  [20, 30],
  [300, 200],
  [511, 100],
  [512, 300],
  [505, 420],
  [650, 511],
  [100, 514],
  [690, 590],
] as const;

function squares(): Uint8Array {
  const plane = new Uint8Array(WIDTH * HEIGHT).fill(20);
  const half = (OBJECT_PX - 1) / 2;
  for (const [x, y] of MIDDLES) {
    for (let row = y - half; row <= y + half; row++) {
      plane.fill(230, row * WIDTH + x - half, row * WIDTH + x + half + 1);
    }
  }
  return plane;
}

/** A detector of bright squares in red. */
function squaresManifest(model: Uint8Array): object {
  return {
    id: "squares",
    description: "Bright squares",
    version: "1",
    task: "detect-hbb",
    classes: ["square"],
    bands: ["red"],
    input: { dtype: "float32", size: [256, 256], scale: 1 / 255, valueRange: "byte" },
    gsd: { train: PIXEL_M, min: 0.2, max: 0.9 },
    output: { format: "yolov8" },
    conf: 0.3,
    iou: 0.3,
    sha256: sha256Of(model),
    licence: "none",
  };
}

/** A folder of the one model, made of the bytes. */
async function writeModel(folder: string, bytes: Uint8Array, version: string): Promise<readonly InstalledModel[]> {
  await mkdir(join(folder, "models", "squares"), { recursive: true });
  await writeFile(join(folder, "models", "squares", "model.onnx"), bytes);
  const document = { ...squaresManifest(bytes), version };
  await writeFile(join(folder, "models", "squares", "manifest.json"), JSON.stringify(document));
  const { models, faults } = readModels(join(folder, "models"));
  assert.deepEqual(faults, []);
  return models;
}

/** The scene of squares, and the work of a map type on it. */
async function planned(installed: readonly InstalledModel[], folder: string) {
  const mapType = createMapTypes(installed.map((model) => model.manifest)).find("model-squares");
  const analysis = mapType?.analysis;
  assert.ok(analysis !== undefined);
  const fixture = await sceneFixture({
    widthPx: WIDTH,
    heightPx: HEIGHT,
    bands: [squares()],
    roles: ["R"],
    quantity: "display",
    transform: [PIXEL_M, 0, EAST, 0, -PIXEL_M, NORTH],
  });
  const { scene, raster } = fixture.stored;
  const plan = analysis.plan([{ scene, raster, roles: raster.bands.map(({ role }) => role) }]);
  assert.ok(plan.accepted);
  const work = await mkdtemp(join(folder, "work-"));
  const job: AnalysisJob = {
    mapType: "model-squares",
    layers: analysis.layers,
    parameters: plan.parameters,
    source: {
      grid: analysisGrid(raster, plan.gridPosition, plan.reduction),
      scenes: [{ scene, raster, planes: plan.planes[0] ?? [] }],
      marginPx: analysis.marginPx,
      wantsLand: false,
    },
    window: { column: 0, row: 0, columns: WIDTH, rows: HEIGHT },
    crs: { epsg: 32_632, proj4: raster.proj4, name: "EPSG:32632", datumShiftKnown: true },
    paths: Object.fromEntries(raster.bands.map(({ key }) => [key, fixture.local.localPath(key)])),
    folder: work,
  };
  return { mapType, job, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

const MODEL_LIMITS = { timeoutMs: 120_000, memoryBytes: 512 * 2 ** 20 };

test("an installed model is a map type, and what it finds in a stored scene lies where it is on the ground", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "swath-model-analysis-"));
  t.after(async () => rm(folder, { recursive: true, force: true }));
  const installed = await writeModel(folder, blobDetector(256, OBJECT_PX, null), "1");
  await using work = await planned(installed, folder);
  assert.equal(work.mapType?.permissionNamespace, "algorithms.model-squares");
  assert.deepEqual(work.mapType.gridFiles.geojson, ["detections.geojson"]);
  await using analyser = createAnalyser({ threads: 1, s3: null, models: { installed, limits: MODEL_LIMITS } });
  const product = await analyser.run({ stage: "whole", model: null, job: work.job }, new AbortController().signal);
  assert.equal(product.objects.length, MIDDLES.length);
  const utm = createProjection("+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs +x_0=500000 +y_0=0");
  for (const [x, y] of MIDDLES) {
    const [east, north] = [EAST + (x + 0.5) * PIXEL_M, NORTH - (y + 0.5) * PIXEL_M];
    const off = product.objects.map(({ centre }) => {
      const [e, n] = utm.forward(...centre);
      return Math.hypot(e - east, n - north) / PIXEL_M;
    });
    assert.ok(Math.min(...off) < MAX_OFF_PX, `the square at ${x}, ${y} is ${Math.min(...off)} pixels off`);
  }
});

test("work that was planned with a model goes on with it after its file was replaced, new work takes the new one", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "swath-model-versions-"));
  t.after(async () => rm(folder, { recursive: true, force: true }));
  const kept = join(folder, "kept");
  const now = new Date();
  const first = await keepModels(await writeModel(folder, blobDetector(256, OBJECT_PX, null), "1"), kept, now);
  await using before = await planned(first, folder);
  await using analyser = createAnalyser({ threads: 1, s3: null, models: { installed: first, limits: MODEL_LIMITS } });
  // The same file in name; of other numbers.
  const bytes = blobDetector(256, OBJECT_PX, null, { metadata: { author: "somebody else" } });
  const second = await keepModels(await writeModel(folder, bytes, "2"), kept, now);
  await using later = await planned(second, folder);
  await assert.rejects(
    analyser.run({ stage: "whole", model: null, job: later.job }, new AbortController().signal),
    /this process has no model squares with the SHA-256 [0-9a-f]{64}, expected the version of the release/u,
  );
  analyser.install(second);
  for (const [work, [model]] of [
    [later, second],
    [before, first],
  ] as const) {
    const product = await analyser.run({ stage: "whole", model: null, job: work.job }, new AbortController().signal);
    const sources = new Set(product.objects.map(({ properties }) => properties["source"]));
    assert.deepEqual([...sources], [`onnx:squares@${model?.manifest.sha256.slice(0, 12)}`]);
  }
});

function inHours(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}

test("copies of models that nothing has used for a day are removed", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "swath-model-copies-"));
  t.after(async () => rm(folder, { recursive: true, force: true }));
  const kept = join(folder, "kept");
  const [model] = await keepModels(await writeModel(folder, blobDetector(256, OBJECT_PX, null), "1"), kept, new Date());
  assert.deepEqual(await readFile(model?.path ?? ""), await readFile(join(folder, "models", "squares", "model.onnx")));
  await keepModels([], kept, inHours(23));
  assert.equal((await readdir(kept)).length, 1);
  await keepModels(model === undefined ? [] : [model], kept, inHours(25));
  assert.equal((await readdir(kept)).length, 1);
  await keepModels([], kept, inHours(25));
  assert.deepEqual(await readdir(kept), []);
});

test("scenes without the model's bands or resolution are refused with the reason", async () => {
  const model = manifest({ ...squaresManifest(new Uint8Array()) });
  const analysis = createMapTypes([model]).find("model-squares")?.analysis;
  assert.ok(analysis !== undefined);
  const scene = { sceneId: "s", bands: [{ approximateResolutionX: 3, gsd: 3 }] };
  const scenesOf = (roles: readonly string[]): Parameters<typeof analysis.plan>[0] =>
    [{ scene, raster: { bands: [] }, roles }] as unknown as Parameters<typeof analysis.plan>[0];
  const coarse = analysis.plan(scenesOf(["R"]));
  assert.equal(!coarse.accepted && coarse.errorCode, "GSD-TOO-COARSE");
  const blind = analysis.plan(scenesOf(["N"]));
  assert.equal(!blind.accepted && blind.errorMessage, "model-squares needs the bands red; scene s lacks red");
});
