import assert from "node:assert/strict";
import { test } from "node:test";
import { clearStatistics } from "./clear-statistics.ts";
import type { MapPixels } from "./map-pixels.ts";

function pixels(widthPx: number, sizeM: number, values: readonly number[], originX = 500_000): MapPixels {
  const heightPx = values.length / widthPx;
  return {
    widthPx,
    heightPx,
    originX,
    originY: 5_500_000,
    pixelX: sizeM,
    pixelY: -sizeM,
    values: Float64Array.from(values),
  };
}

test("pixels under clouds and without data have no part in the statistics", () => {
  const map = pixels(4, 10, [1, 2, 3, Number.NaN, 100, 100, 4, 6]);
  const clouds = pixels(4, 10, [1, 1, 1, 1, 2, 5, 1, 3]);
  // By hand: clear values 1, 2, 3, 4 of seven known ones.
  assert.deepEqual(clearStatistics(map, clouds), {
    count: 4,
    clearShare: 4 / 7,
    mean: 2.5,
    std: Math.sqrt(1.25),
    min: 1,
    max: 4,
  });
});

test("pixels of a mask may be finer or coarser, and lie beside the map", () => {
  const map = pixels(2, 20, [1, 2, 3, 4]);
  const fine = pixels(4, 10, [1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
  // The middle of a pixel of 20 m is the corner of four pixels of 10 m; the lower right one of them decides.
  assert.equal(clearStatistics(map, fine).count, 3);
  const coarse = pixels(1, 40, [1]);
  assert.equal(clearStatistics(map, coarse).count, 4);
  const beside = pixels(
    4,
    10,
    Array.from({ length: 16 }, () => 1),
    500_020,
  );
  assert.deepEqual([clearStatistics(map, beside).count, clearStatistics(map, beside).clearShare], [2, 0.5]);
});

test("without a clear pixel there are no values, and without a mask all pixels count", () => {
  const map = pixels(2, 10, [1, 3]);
  const none = { count: 0, clearShare: 0, mean: null, std: null, min: null, max: null };
  assert.deepEqual(clearStatistics(map, pixels(2, 10, [2, 2])), none);
  assert.deepEqual(clearStatistics(map, null), { count: 2, clearShare: null, mean: 2, std: 1, min: 1, max: 3 });
  assert.equal(clearStatistics(pixels(1, 10, [Number.NaN]), pixels(1, 10, [1])).clearShare, null);
});

test("values that differ in their last digits keep their deviation", () => {
  const values = Array.from({ length: 1000 }, (_, i) => 1e9 + (i % 2));
  const { std, mean } = clearStatistics(pixels(10, 10, values), null);
  assert.ok(Math.abs(std! - 0.5) < 1e-9 && mean === 1e9 + 0.5, `${std}, ${mean}`);
});
