import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AnalysisBlock, FoundObject, PixelRect } from "@swath/kernel/analysis/block";
import type { ModelTensor } from "@swath/kernel/models/model-input";
import { readManifest, type ModelManifest } from "@swath/kernel/models/model-manifest";
import { finishModel, modelMarginPx, runModel, type Infer } from "@swath/kernel/models/run-model";
import { ServiceError } from "../../errors.ts";
import { ModelRunner } from "./model-runner.ts";
import { blobDetector, node, onnxModel } from "./onnx-testing.ts";
import { readModels, sha256Of } from "./read-models.ts";

const OBJECT_PX = 5;
const LIMITS = { timeoutMs: 60_000, memoryBytes: 512 * 2 ** 20 } as const;

function documentOf(bytes: Uint8Array, size: number, changes: Readonly<Record<string, unknown>> = {}): unknown {
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

function manifestOf(document: unknown): ModelManifest {
  const read = readManifest(document);
  if (!read.valid) throw new Error(read.faults.join("; "));
  return read.manifest;
}

async function modelFolder(
  models: Readonly<Record<string, { readonly bytes: Uint8Array; readonly document: unknown }>>,
): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "swath-models-"));
  for (const [name, { bytes, document }] of Object.entries(models)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "model.onnx"), bytes);
    await writeFile(join(folder, name, "manifest.json"), JSON.stringify(document));
  }
  return { folder, [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }) };
}

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
  const parameters = { manifest, ranges: [[0, 255]] };
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
  await using runner = new ModelRunner(models, LIMITS);
  const plane = scene(256, 256, MIDDLES);
  const tiled = await found(plane, [256, 256], 128, runner.model("blobs"), smallManifest);
  const whole = await found(plane, [256, 256], 256, runner.model("blobs-large"), largeManifest);
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
  await using runner = new ModelRunner(models, LIMITS);
  const plane = scene(128, 128, [[60, 70]]);
  const [box] = await found(plane, [128, 128], 128, runner.model("blobs"), manifestOf(document));
  assert.ok(box !== undefined);
  const [a, b] = box.corners;
  assert.ok(a !== undefined && b !== undefined);
  assert.ok(Math.abs(Math.atan2(b[1] - a[1], b[0] - a[0]) - Math.PI / 6) < 1e-3);
});

test("what is wrong with a folder of models is named whole, and a file with another digest is refused", async () => {
  const bytes = blobDetector(64, OBJECT_PX, null);
  await using folder = await modelFolder({
    "bad-digest": { bytes: new Uint8Array([...bytes, 0]), document: documentOf(bytes, 128) },
    "bad-manifest": {
      bytes,
      document: documentOf(bytes, 128, { id: "No good", classes: ["segmentation"], conf: 2, library: "x.so" }),
    },
    "bad-twice": { bytes, document: documentOf(bytes, 128, { id: "twice" }) },
    "bad-twice-too": { bytes, document: documentOf(bytes, 128, { id: "twice" }) },
  });
  await mkdir(join(folder.folder, "empty"));
  const { faults } = readModels(folder.folder);
  const said = faults.join("\n");
  assert.match(said, /bad-digest\/model\.onnx: got the SHA-256 [0-9a-f]{64}, expected [0-9a-f]{64}/);
  assert.match(said, /bad-manifest\/manifest\.json: \/id: got "No good"/);
  assert.match(said, /\/classes: got \["segmentation"\]/);
  assert.match(said, /\/conf: got 2, expected a number from 0\.001 to 0\.999/);
  assert.match(said, /\/library: there is no such member/);
  assert.match(said, /more than one model is called twice/);
  assert.match(said, /empty\/manifest\.json cannot be read/);
  assert.deepEqual(readModels(join(folder.folder, "none")).models, []);
});

test("a file that changes after the start is not loaded", async () => {
  const bytes = blobDetector(64, OBJECT_PX, null);
  await using folder = await modelFolder({ one: { bytes, document: documentOf(bytes, 128) } });
  const { models } = readModels(folder.folder);
  await writeFile(join(folder.folder, "one", "model.onnx"), blobDetector(64, 7, null));
  await using runner = new ModelRunner(models, LIMITS);
  await assert.rejects(
    runner.model("blobs")({ data: new Float32Array(64 * 64), dims: [1, 1, 64, 64] }),
    (error) => error instanceof ServiceError && /has changed: got the SHA-256/.test(error.message),
  );
});

function input(): ModelTensor {
  return { data: new Float32Array(64 * 64), dims: [1, 1, 64, 64] };
}

test("models with operators of other libraries, of wrong shapes and that take too long fail with a reason", async () => {
  const custom = onnxModel([1, 1, 64, 64], [1, 1, 64, 64], [node("Anything", ["images"], "output0", {}, "my.library")]);
  const slow = blobDetector(64, OBJECT_PX, null);
  await using folder = await modelFolder({
    custom: { bytes: custom, document: documentOf(custom, 128, { id: "custom" }) },
    slow: { bytes: slow, document: documentOf(slow, 128, { id: "slow" }) },
  });
  const { models } = readModels(folder.folder);
  await using runner = new ModelRunner(models, LIMITS);
  await assert.rejects(runner.model("custom")(input()), /the model custom failed: .*my\.library/s);
  await assert.rejects(
    runner.model("slow")({ data: new Float32Array(9), dims: [1, 1, 3, 3] }),
    /the model slow failed: /,
  );
  const { dims } = await runner.model("slow")(input());
  assert.deepEqual(dims, [1, 5, 64 * 64], "after a failure the next tile runs");
  await using hasty = new ModelRunner(models, { ...LIMITS, timeoutMs: 0 });
  await assert.rejects(hasty.model("slow")(input()), /the model slow took longer than 0 s for one tile/);
});

test("a model that wants more memory than it may have fails, and nothing else does", async () => {
  const bytes = blobDetector(512, OBJECT_PX, null);
  await using folder = await modelFolder({ big: { bytes, document: documentOf(bytes, 512, { id: "big" }) } });
  const { models } = readModels(folder.folder);
  await using runner = new ModelRunner(models, { ...LIMITS, memoryBytes: 20 * 2 ** 20 });
  await assert.rejects(
    runner.model("big")({ data: new Float32Array(512 * 512), dims: [1, 1, 512, 512] }),
    /the (?:thread of the )?model big (?:failed|broke)/,
  );
});
