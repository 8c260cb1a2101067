import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { createMapTypes } from "../../registry.ts";
import { manifest } from "../model-manifest-testing.ts";
import { createAnalyser } from "../../engine/analyser.ts";
import { analysisGrid } from "../../engine/analysis-grid.ts";
import { sceneFixture } from "../../render/testing.ts";
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

test("an installed model is a map type, and what it finds in a stored scene lies where it is on the ground", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "swath-model-analysis-"));
  t.after(async () => rm(folder, { recursive: true, force: true }));
  const bytes = blobDetector(256, OBJECT_PX, null);
  await mkdir(join(folder, "models", "squares"), { recursive: true });
  await writeFile(join(folder, "models", "squares", "model.onnx"), bytes);
  await writeFile(join(folder, "models", "squares", "manifest.json"), JSON.stringify(squaresManifest(bytes)));
  const { models: installed, faults } = readModels(join(folder, "models"));
  assert.deepEqual(faults, []);
  const mapType = createMapTypes(installed.map((model) => model.manifest)).find("model-squares");
  assert.equal(mapType?.permissionNamespace, "algorithms.model-squares");
  assert.deepEqual(mapType?.gridFiles.geojson, ["detections.geojson"]);
  const analysis = mapType?.analysis;
  assert.ok(analysis !== undefined);

  await using fixture = await sceneFixture({
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
  const grid = analysisGrid(raster, plan.gridPosition, plan.reduction);
  const limits = { timeoutMs: 120_000, memoryBytes: 512 * 2 ** 20 };
  await using analyser = createAnalyser({ threads: 1, s3: null, models: { installed, limits } });
  const work = join(folder, "work");
  await mkdir(work);
  const product = await analyser.run(
    {
      stage: "whole",
      model: null,
      job: {
        mapType: "model-squares",
        layers: analysis.layers,
        parameters: plan.parameters,
        source: {
          grid,
          scenes: [{ scene, raster, planes: plan.planes[0] ?? [] }],
          marginPx: analysis.marginPx,
          wantsLand: false,
        },
        window: { column: 0, row: 0, columns: WIDTH, rows: HEIGHT },
        crs: { epsg: 32_632, proj4: raster.proj4, name: "EPSG:32632", datumShiftKnown: true },
        paths: Object.fromEntries(raster.bands.map(({ key }) => [key, fixture.local.localPath(key)])),
        folder: work,
      },
    },
    new AbortController().signal,
  );
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

test("scenes without the model's bands or resolution are refused with the reason", async () => {
  const model = manifest({ ...squaresManifest(new Uint8Array()) });
  const analysis = createMapTypes([model]).find("model-squares")?.analysis;
  assert.ok(analysis !== undefined);
  const scene = { sceneId: "s", bands: [{ approximateResolutionX: 3, gsd: 3 }] };
  const planned = (roles: readonly string[]): Parameters<typeof analysis.plan>[0] =>
    [{ scene, raster: { bands: [] }, roles }] as unknown as Parameters<typeof analysis.plan>[0];
  const coarse = analysis.plan(planned(["R"]));
  assert.equal(!coarse.accepted && coarse.errorCode, "GSD-TOO-COARSE");
  const blind = analysis.plan(planned(["N"]));
  assert.equal(!blind.accepted && blind.errorMessage, "model-squares needs the bands red; scene s lacks red");
});
