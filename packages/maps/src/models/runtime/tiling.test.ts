import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock, FoundObject, PixelRect } from "../../analysis/block.ts";
import type { ModelManifest } from "../model-manifest.ts";
import { finishModel, modelMarginPx, runModel, type Infer, type ModelParameters } from "../run-model.ts";
import { ModelRunner } from "./model-runner.ts";
import { documentOf, LIMITS, manifestOf, modelFolder, modelNamed } from "./model-folder-testing.ts";
import { blobDetector } from "./onnx-testing.ts";
import { readModels } from "./read-models.ts";

const OBJECT_PX = 5;
/** Bright squares on dark ground at whole pixels, drawn by hand. */
function scene(columns: number, rows: number, middles: readonly (readonly [number, number])[]): Float32Array {
  const plane = new Float32Array(columns * rows).fill(20);
  const half = (OBJECT_PX - 1) / 2;
  for (const [x, y] of middles) {
    for (let row = y - half; row <= y + half; row++)
      plane.fill(230, row * columns + x - half, row * columns + x + half + 1);
  }
  return plane;
}

function blockOf(plane: Float32Array, columns: number, rows: number, core: PixelRect, marginPx: number): AnalysisBlock {
  const rect = {
    column: core.column - marginPx,
    row: core.row - marginPx,
    columns: core.columns + 2 * marginPx,
    rows: core.rows + 2 * marginPx,
  };
  const part = new Float32Array(rect.columns * rect.rows).fill(Number.NaN);
  for (let row = Math.max(0, rect.row); row < Math.min(rows, rect.row + rect.rows); row++) {
    for (let column = Math.max(0, rect.column); column < Math.min(columns, rect.column + rect.columns); column++) {
      part[(row - rect.row) * rect.columns + column - rect.column] = plane[row * columns + column]!;
    }
  }
  const ground = { metresPerPixelX: 0.5, metresPerPixelY: 0.5, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core, scenes: [[part]], land: null, ground };
}

async function found(
  plane: Float32Array,
  [columns, rows]: readonly [number, number],
  blockPx: number,
  infer: Infer,
  manifest: ModelManifest,
): Promise<readonly FoundObject[]> {
  const parameters: ModelParameters = { manifest, ranges: [[0, 255]] };
  const objects: FoundObject[] = [];
  for (let row = 0; row < rows; row += blockPx) {
    for (let column = 0; column < columns; column += blockPx) {
      const core = { column, row, columns: Math.min(blockPx, columns - column), rows: Math.min(blockPx, rows - row) };
      const block = blockOf(plane, columns, rows, core, modelMarginPx(manifest));
      const result = await runModel(block, infer, parameters);
      objects.push(
        ...result.objects.filter(
          ({ centre: [x, y] }) => x >= column && x < column + core.columns && y >= row && y < row + core.rows,
        ),
      );
    }
  }
  return finishModel(objects, null, parameters);
}

function places(objects: readonly FoundObject[]): readonly string[] {
  return objects.map(({ centre: [x, y] }) => `${x.toFixed(3)} ${y.toFixed(3)}`).toSorted();
}

/** Squares spread over the scene, some on the edges of tiles, at least 15 pixels apart. */
const MIDDLES = [
  [12, 9],
  [95, 96],
  [96, 130],
  [127, 64],
  [128, 30],
  [160, 191],
  [191, 160],
  [200, 200],
  [64, 200],
  [240, 20],
  [245, 128],
  [32, 128],
] as const;

test("overlapped tiles find what one tile over everything finds, each object once and within half a pixel", async () => {
  const small = blobDetector(128, OBJECT_PX, null);
  const large = blobDetector(512, OBJECT_PX, null);
  const smallManifest = manifestOf(documentOf(small, 128));
  const largeManifest = manifestOf(documentOf(large, 512, { id: "blobs-large" }));
  await using folder = await modelFolder({
    small: { bytes: small, document: documentOf(small, 128) },
    large: { bytes: large, document: documentOf(large, 512, { id: "blobs-large" }) },
  });
  const { models, faults } = readModels(folder.folder);
  assert.deepEqual(faults, []);
  await using runner = new ModelRunner(LIMITS);
  const plane = scene(256, 256, MIDDLES);
  const tiled = await found(plane, [256, 256], 128, runner.model(modelNamed(models, "blobs")), smallManifest);
  const whole = await found(plane, [256, 256], 256, runner.model(modelNamed(models, "blobs-large")), largeManifest);
  assert.equal(tiled.length, MIDDLES.length);
  assert.deepEqual(places(tiled), places(whole));
  for (const [x, y] of MIDDLES) {
    const nearest = Math.min(...tiled.map(({ centre }) => Math.hypot(centre[0] - x - 0.5, centre[1] - y - 0.5)));
    assert.ok(nearest < 0.5, `the square at ${x}, ${y} is ${nearest} pixels off`);
  }
  const [first] = tiled;
  assert.equal(first?.properties["source"], `onnx:blobs@${smallManifest.sha256.slice(0, 12)}`);
  assert.ok(Math.abs((first?.areaM2 ?? 0) - (OBJECT_PX * 0.5) ** 2) < 0.01);
});

test("oriented boxes keep their direction", async () => {
  const bytes = blobDetector(128, OBJECT_PX, Math.PI / 6);
  const document = documentOf(bytes, 128, { task: "detect-obb", output: { format: "yolov8-obb" } });
  await using folder = await modelFolder({ obb: { bytes, document } });
  const { models, faults } = readModels(folder.folder);
  assert.deepEqual(faults, []);
  await using runner = new ModelRunner(LIMITS);
  const plane = scene(128, 128, [[60, 70]]);
  const [box] = await found(plane, [128, 128], 128, runner.model(modelNamed(models, "blobs")), manifestOf(document));
  assert.ok(box !== undefined);
  const [a, b] = box.corners;
  assert.ok(a !== undefined && b !== undefined);
  assert.ok(Math.abs(Math.atan2(b[1] - a[1], b[0] - a[0]) - Math.PI / 6) < 1e-3);
});
