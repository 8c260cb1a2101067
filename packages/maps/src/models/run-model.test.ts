import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../analysis/block.ts";
import type { ModelTensor } from "./model-input.ts";
import { manifest } from "./model-manifest-testing.ts";
import type { ModelManifest } from "./model-manifest.ts";
import { finishModel, modelBackground, modelMarginPx, runModel } from "./run-model.ts";

const RANGES = [[0, 255]] as const;

/** A block of one band of a scene; beyond the scene there is nothing. */
function blockOf(
  scene: { readonly columns: number; readonly rows: number; readonly value: (column: number, row: number) => number },
  core: AnalysisBlock["core"],
  marginPx: number,
): AnalysisBlock {
  const rect = {
    column: core.column - marginPx,
    row: core.row - marginPx,
    columns: core.columns + 2 * marginPx,
    rows: core.rows + 2 * marginPx,
  };
  const plane = Float32Array.from({ length: rect.columns * rect.rows }, (_, i) => {
    const column = rect.column + (i % rect.columns);
    const row = rect.row + Math.floor(i / rect.columns);
    const isInside = column >= 0 && row >= 0 && column < scene.columns && row < scene.rows;
    return isInside ? scene.value(column, row) : Number.NaN;
  });
  const ground = { metresPerPixelX: 0.5, metresPerPixelY: 0.5, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core, scenes: [[plane]], land: null, ground };
}

function oneBand(changes: Readonly<Record<string, unknown>> = {}): ModelManifest {
  return manifest({
    bands: ["pan"],
    input: { dtype: "float32", size: [128, 128], valueRange: "byte" },
    maxObjectM: 4,
    ...changes,
  });
}

/** So small that one tile is enough. */
const flat = { columns: 60, rows: 60, value: () => 50 };
const whole = { column: 0, row: 0, columns: 60, rows: 60 };

/** The tiles a model is given, for a model that finds nothing. */
async function tilesGiven(block: AnalysisBlock, model: ModelManifest): Promise<readonly ModelTensor[]> {
  const given: ModelTensor[] = [];
  const nothing: ModelTensor = { data: new Float32Array(6), dims: [1, 6, 1] };
  await runModel(
    block,
    async (input) => {
      given.push(input);
      return [nothing];
    },
    { manifest: model, ranges: RANGES },
  );
  return given;
}

test("what lies outside the scene is the grey that detectors take for nothing, in the units of the input", async () => {
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, pad: number, inside: number])[] = [
    [{ valueRange: "byte" }, 114, 50],
    [{ valueRange: "percentile" }, 114, 50],
    [{ valueRange: "byte", scale: 1 / 255 }, 114 / 255, 50 / 255],
    [{ valueRange: "reflectance" }, 114 / 255, 50],
    [{ valueRange: "byte", dtype: "uint8" }, 114, 50],
    [{ valueRange: "byte", mean: [14], std: [4] }, 25, 9],
  ];
  for (const [changes, pad, inside] of cases) {
    const model = oneBand({ input: { dtype: "float32", size: [128, 128], ...changes } });
    const [tile] = await tilesGiven(blockOf(flat, whole, modelMarginPx(model)), model);
    assert.ok(tile !== undefined);
    // The scene of 60 is in the middle of the tile of 128: 34 pixels of grey on every side.
    assert.ok(Math.abs(tile.data[0] - pad) < 1e-5, `${tile.data[0]}, expected ${pad}`);
    assert.ok(Math.abs(tile.data[64 * 128 + 33] - pad) < 1e-5);
    assert.ok(Math.abs(tile.data[64 * 128 + 34] - inside) < 1e-5);
    assert.ok(Math.abs(tile.data[93 * 128 + 93] - inside) < 1e-5);
    assert.ok(Math.abs(tile.data[94 * 128 + 93] - pad) < 1e-5);
  }
});

test("half precision is given as its bits", async () => {
  const model = oneBand({ input: { dtype: "float16", size: [128, 128], valueRange: "byte", scale: 1 / 64 } });
  const [tile] = await tilesGiven(blockOf({ ...flat, value: () => 64 }, whole, modelMarginPx(model)), model);
  assert.ok(tile?.data instanceof Uint16Array);
  assert.equal(tile.data[64 * 128 + 64], 0x3c00);
});

test("a tile answers for the middle of its overlap only, but for the edge of the scene", async () => {
  const model = oneBand();
  const scene = { columns: 200, rows: 100, value: () => 50 };
  const core = { column: 0, row: 0, columns: 200, rows: 100 };
  const block = blockOf(scene, core, modelMarginPx(model));
  /** Objects from a model that says of its n-th tile that there is a box at x, in the middle of the rows. */
  const found = async (tile: number, x: number): Promise<readonly number[]> => {
    let index = 0;
    const { objects } = await runModel(
      block,
      async () => [{ data: Float32Array.from([x, 64, 6, 6, index++ === tile ? 0.9 : 0, 0]), dims: [1, 6, 1] }],
      { manifest: model, ranges: RANGES },
    );
    return objects.map(({ centre }) => centre[0]);
  };
  // Four cells of 50 pixels; the first tile begins at column -39 and overlaps the next by 64 or more: it answers up to
  // the border at 50 and a quarter of the overlap beyond.
  assert.deepEqual(await found(0, 39 + 10), [10]);
  assert.deepEqual(await found(0, 39), [0], "at the edge of the scene nothing is dropped");
  assert.deepEqual(await found(0, 39 + 65), [65]);
  assert.deepEqual(await found(0, 39 + 66), [], "the next tile sees it whole");
  assert.deepEqual(await found(1, 39 + 16), [66]);
  assert.deepEqual(await found(1, 1), [], "the tile before sees it whole");
});

test("an object on the border of two blocks is found once, whichever side each of them sees it on", async () => {
  const model = oneBand();
  const parameters = { manifest: model, ranges: RANGES };
  const scene = { columns: 120, rows: 60, value: () => 50 };
  const cores = [0, 60].map((column) => ({ column, row: 0, columns: 60, rows: 60 }));
  /** What remains of what two blocks find at these columns of the scene. */
  const found = async (...columns: readonly [number, number]): Promise<readonly number[]> => {
    const kept = await Promise.all(
      cores.map(async (core, index) => {
        // One tile of 128 in the middle of each core.
        const x = columns[index] - core.column + 34;
        const { objects } = await runModel(
          blockOf(scene, core, modelMarginPx(model)),
          async () => [{ data: Float32Array.from([x, 64, 12, 12, 0.8 + index / 10, 0]), dims: [1, 6, 1] }],
          parameters,
        );
        return objects.filter(({ centre: [at] }) => at >= core.column && at < core.column + core.columns);
      }),
    );
    return finishModel(kept.flat(), null, parameters).map(({ centre: [x] }) => Number(x.toFixed(3)));
  };
  assert.deepEqual(await found(60.75, 59.25), [59.25], "each sees it in the other");
  assert.deepEqual(await found(59.25, 60.75), [60.75], "each sees it in itself");
  assert.deepEqual(await found(59.5, 59.25), [59.25]);
  assert.deepEqual(await found(60.25, 60.5), [60.5]);
  assert.deepEqual(await found(20, 90), [20, 90].toReversed(), "far from it each has its own, the better first");
  assert.deepEqual(await found(-1, 121), [], "beyond the scene there is nothing");
});

test("windows of classes are squares of one value with their score, and nothing where there are no pixels", async () => {
  const model = oneBand({ task: "classify", output: { format: "classify", step: 64 }, conf: 0.5 });
  assert.equal(modelMarginPx(model), 136);
  // The right half of the scene is empty.
  const scene = { columns: 256, rows: 64, value: (column: number) => (column < 128 ? 1 : Number.NaN) };
  const core = { column: 0, row: 0, columns: 256, rows: 64 };
  const block = blockOf(scene, core, modelMarginPx(model));
  let calls = 0;
  const answers = [
    [0.9, 0.1],
    [0.2, 0.3],
  ];
  const { layers, objects } = await runModel(
    block,
    async () => [{ data: Float32Array.from(answers[calls++]), dims: [1, 2] }],
    { manifest: model, ranges: RANGES },
  );
  assert.equal(calls, 2, "windows without a pixel are not looked at");
  assert.deepEqual(objects, []);
  const [classes, confidence] = layers;
  const at = (column: number, row: number): readonly [number, number] => {
    const i = (row - block.rect.row) * block.rect.columns + column - block.rect.column;
    return [classes[i], Number(confidence[i].toFixed(4))];
  };
  assert.deepEqual(at(0, 0), [1, 0.9]);
  assert.deepEqual(at(63, 63), [1, 0.9]);
  assert.deepEqual(at(64, 0), [modelBackground(model), 0.3], "too low a score is no class");
  assert.deepEqual(at(128, 0), [0, Number.NaN]);
  assert.deepEqual(at(-1, 0), [0, Number.NaN]);
});

test("windows do not depend on the blocks that are asked for, as they follow from each block", async () => {
  const model = oneBand({ task: "classify", output: { format: "classify", step: 32 }, conf: 0.5 });
  const scene = { columns: 512, rows: 128, value: (column: number, row: number) => (column * 7 + row * 3) % 200 };
  const sums = async (core: AnalysisBlock["core"], marginPx: number): Promise<readonly number[]> => {
    const seen: number[] = [];
    await runModel(
      blockOf(scene, core, marginPx),
      async ({ data }) => {
        let sum = 0;
        for (const value of data) sum += value;
        seen.push(sum);
        return [{ data: Float32Array.of(1, 0), dims: [1, 2] }];
      },
      { manifest: model, ranges: RANGES },
    );
    return seen;
  };
  const core = { column: 256, row: 0, columns: 128, rows: 128 };
  const wide = await sums(core, 300);
  assert.deepEqual(await sums(core, modelMarginPx(model)), wide, "the margin holds all that a window sees");
  assert.equal(wide.length, 16);
});

test("headings of oriented boxes are those of the long side from true north, and do not tell its ends apart", async () => {
  const model = oneBand({ task: "detect-obb", output: { format: "yolov8-obb" } });
  const block = blockOf(flat, whole, modelMarginPx(model));
  const heading = async (width: number, height: number, angleDeg: number, northDeg: number): Promise<unknown> => {
    const turned = { ...block, ground: { ...block.ground, northDeg } };
    const box = [64, 64, width, height, 0.9, 0, (angleDeg * Math.PI) / 180];
    const { objects } = await runModel(turned, async () => [{ data: Float32Array.from(box), dims: [1, 7, 1] }], {
      manifest: model,
      ranges: RANGES,
    });
    const { headingDeg, lengthM, widthM } = objects[0]?.properties ?? {};
    assert.deepEqual([lengthM, widthM], [10, 2]);
    return headingDeg;
  };
  assert.equal(await heading(20, 4, 0, 0), 90, "along the columns: east");
  assert.equal(await heading(4, 20, 0, 0), 0, "along the rows: north");
  assert.equal(await heading(20, 4, 30, 0), 120, "down to the right: south-east by east");
  assert.equal(await heading(20, 4, -30, 0), 60);
  assert.equal(await heading(20, 4, 0, 5), 95, "the grid leans to the east by 5 degrees");
});

test("what a model sees lies where it is in the scene to half a pixel, at every resolution", async () => {
  const [left, top, right, bottom] = [90, 41, 121, 62];
  const scene = {
    columns: 200,
    rows: 100,
    value: (column: number, row: number) => (column >= left && column < right && row >= top && row < bottom ? 200 : 10),
  };
  const core = { column: 0, row: 0, columns: 200, rows: 100 };
  for (const metresPerPixel of [0.3, 0.4, 0.5, 0.62, 0.8]) {
    const model = oneBand({
      task: "segment",
      classes: ["bright"],
      output: { format: "mask" },
      gsd: { train: 0.5, min: 0.3, max: 0.8 },
    });
    const block = blockOf(scene, core, modelMarginPx(model));
    const ground = { ...block.ground, metresPerPixelX: metresPerPixel, metresPerPixelY: metresPerPixel };
    const { layers } = await runModel(
      { ...block, ground },
      async ({ data }) => [
        { data: Float32Array.from(data, (value) => (value > 105 && value !== 114 ? 1 : 0)), dims: [1, 1, 128, 128] },
      ],
      { manifest: model, ranges: RANGES },
    );
    let [count, x, y] = [0, 0, 0];
    layers[0].forEach((value, i) => {
      if (value !== 1) return;
      count++;
      x += block.rect.column + (i % block.rect.columns) + 0.5;
      y += block.rect.row + Math.floor(i / block.rect.columns) + 0.5;
    });
    const off = Math.hypot(x / count - (left + right) / 2, y / count - (top + bottom) / 2);
    // Neither the model nor the raster knows more than its own pixels say.
    assert.ok(off < 0.5 * Math.max(1, 0.5 / metresPerPixel), `${off} pixels off with pixels of ${metresPerPixel} m`);
    const area = (right - left) * (bottom - top);
    assert.ok(Math.abs(count / area - 1) < 0.1, `${count} pixels, expected ${area}, of ${metresPerPixel} m`);
  }
});

/** Twice the first date less the second, at half the size of the input. */
async function differenceOfDates({ data, dims }: ModelTensor): Promise<readonly ModelTensor[]> {
  assert.deepEqual(dims, [1, 2, 128, 128]);
  const picture = Float32Array.from({ length: 64 * 64 }, (_, i) => {
    const at = 2 * (i % 64) + 256 * Math.floor(i / 64);
    return 2 * (data[at] ?? 0) - (data[128 * 128 + at] ?? 0);
  });
  return [{ data: picture, dims: [1, 1, 64, 64] }];
}

test("a regression of tiles gives each pixel the number of its place, and no number outside the scene", async () => {
  const model = oneBand({
    task: "regress",
    classes: undefined,
    conf: undefined,
    dates: 2,
    output: { format: "values" },
    value: { name: "height", unit: "m", range: [0, 100] },
  });
  const scene = { columns: 200, rows: 60, value: (column: number, row: number) => column + row / 100 };
  const core = { column: 0, row: 0, columns: 220, rows: 60 };
  const block = blockOf(scene, core, modelMarginPx(model));
  const [planes = []] = block.scenes;
  const later = planes.map((plane) => plane.map((value) => value + 5));
  const { layers, objects } = await runModel({ ...block, scenes: [planes, later] }, differenceOfDates, {
    manifest: model,
    ranges: [],
  });
  assert.deepEqual([layers.length, objects], [1, []]);
  const at = (column: number, row: number): number =>
    layers[0]?.[(row - block.rect.row) * block.rect.columns + column - block.rect.column] ?? Number.NaN;
  for (const [column, row] of [
    [0, 0],
    [77, 30],
    [199, 59],
  ] as const) {
    const expected = scene.value(column, row) - 5;
    assert.ok(Math.abs(at(column, row) - expected) <= 1.02, `${column}, ${row}: ${at(column, row)}, not ${expected}`);
  }
  assert.ok(Number.isNaN(at(205, 30)));
});
