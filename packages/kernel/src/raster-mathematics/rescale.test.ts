import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { polygonMask } from "./polygon-mask.ts";
import { rescaleNearest, rescaleSmooth, type RescaleInput } from "./rescale.ts";

function raster(widthPx: number, values: readonly number[], invalid: readonly number[] = []): RescaleInput {
  const valid = Uint8Array.from(values, (_, i) => (invalid.includes(i) ? 0 : 255));
  return { values, valid, widthPx, heightPx: values.length / widthPx };
}

function mean(list: ArrayLike<number>): number {
  return Array.from(list).reduce((a, b) => a + b, 0) / list.length;
}

function square(low: number, high: number): number[] {
  return [low, low, high, low, high, high, low, high];
}

/** A mask of 4 x 4 pixels as text. */
function rows(mask: Uint8Array): string[] {
  const text = Array.from(mask, (value) => (value === 0 ? "." : "#")).join("");
  return [0, 4, 8, 12].map((at) => text.slice(at, at + 4));
}

test("fewer pixels are means over their area", () => {
  const { values } = rescaleSmooth(raster(4, [1, 3, 10, 20, 5, 7, 30, 40]), 2, 1);
  assert.deepEqual([...values], [4, 25]);
  // Three pixels in two: each has one and a half.
  const uneven = rescaleSmooth(raster(3, [0, 6, 12]), 2, 1);
  assert.ok(Math.abs((uneven.values[0] ?? NaN) - 2) < 1e-12);
  assert.ok(Math.abs((uneven.values[1] ?? NaN) - 10) < 1e-12);
});

test("more pixels are bilinear between centres and constant beyond the outer ones", () => {
  const { values } = rescaleSmooth(raster(2, [0, 4]), 4, 2);
  assert.deepEqual([...values], [0, 1, 3, 4, 0, 1, 3, 4]);
  assert.deepEqual([...rescaleSmooth(raster(1, [7]), 3, 2).values], [7, 7, 7, 7, 7, 7]);
});

test("invalid pixels have no weight, and where they are the larger part there is no value", () => {
  const few = rescaleSmooth(raster(4, [1, 3, 99, 5], [2]), 2, 1);
  assert.deepEqual([...few.values], [2, 5]);
  assert.deepEqual([...few.valid], [255, 255]);
  const most = rescaleSmooth(raster(4, [9, 9, 9, 5], [0, 1, 2]), 1, 1);
  assert.deepEqual([...most.valid], [0]);
});

test("the mean of the whole survives when every pixel counts and sizes divide", () => {
  const sizes = fc.record({
    w: fc.integer({ min: 1, max: 6 }),
    h: fc.integer({ min: 1, max: 6 }),
    k: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(sizes, fc.integer(), ({ w, h, k }, seed) => {
      const values = Array.from({ length: w * k * h * k }, (_, i) => (Math.imul(i + 1, seed | 1) >>> 8) % 1000);
      const scaled = rescaleSmooth(raster(w * k, values), w, h);
      assert.ok(Math.abs(mean(scaled.values) - mean(values)) < 1e-9);
    }),
  );
});

test("the same size changes nothing", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 12, maxLength: 12 }),
      fc.subarray([0, 3, 7, 11]),
      (values, invalid) => {
        const input = raster(4, values, invalid);
        for (const scaled of [rescaleSmooth(input, 4, 3), rescaleNearest(input, 4, 3)]) {
          assert.deepEqual(scaled.valid, input.valid);
          assert.deepEqual(
            [...scaled.values],
            values.map((value, i) => (invalid.includes(i) ? 0 : value)),
          );
        }
      },
    ),
  );
});

test("classes are those under the centres", () => {
  assert.deepEqual([...rescaleNearest(raster(4, [1, 2, 3, 4]), 2, 1).values], [2, 4]);
  assert.deepEqual([...rescaleNearest(raster(2, [1, 2], [1]), 4, 1).valid], [255, 255, 0, 0]);
});

test("a mask has the pixels whose centres are inside, holes left out", () => {
  assert.deepEqual(rows(polygonMask([square(0.4, 3.4)], 4, 4)), ["###.", "###.", "###.", "...."]);
  assert.deepEqual(rows(polygonMask([square(-9, 9), square(1, 3)], 4, 4)), ["####", "#..#", "#..#", "####"]);
  assert.deepEqual(rows(polygonMask([[0, 0, 4, 0, 0, 4]], 4, 4)), ["###.", "##..", "#...", "...."]);
  assert.deepEqual(rows(polygonMask([], 4, 4)), ["....", "....", "....", "...."]);
});
