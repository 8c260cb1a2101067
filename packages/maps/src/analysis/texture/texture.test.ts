import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { boxSum, BoxWindows } from "./box-sum.ts";
import { coherenceOf, gradientOf } from "./gradient.ts";
import { INVALID, normalisedDifference, quantised } from "./int-plane.ts";
import { dilated, eroded, opened } from "./mask-morphology.ts";

test("sums over windows are those of adding up each window", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 6 }),
      fc.infiniteStream(fc.integer({ min: -32_767, max: 32_767 })),
      (columns, rows, radius, stream) => {
        const values = Float64Array.from(stream.take(columns * rows));
        const sums = boxSum(values, columns, rows, radius);
        for (let row = 0; row < rows; row++) {
          for (let column = 0; column < columns; column++) {
            let expected = 0;
            for (let y = Math.max(0, row - radius); y <= Math.min(rows - 1, row + radius); y++) {
              for (let x = Math.max(0, column - radius); x <= Math.min(columns - 1, column + radius); x++) {
                expected += values[y * columns + x];
              }
            }
            assert.equal(sums[row * columns + column], expected);
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("means and deviations leave out what is invalid", () => {
  const plane = Int16Array.of(10, INVALID, 30, 50);
  const windows = new BoxWindows(Uint8Array.of(1, 0, 1, 1), 4, 1);
  assert.deepEqual([...windows.mean(plane, 1)], [10, INVALID, 40, 40]);
  assert.deepEqual([...windows.deviation(plane, 1)], [0, INVALID, 10, 10]);
});

test("a ramp has its slope as gradient and the coherence 1; noise has little; an even plane has none", () => {
  const columns = 21;
  const ramp = Int16Array.from(
    { length: columns * columns },
    (_, i) => 100 * (i % columns) + 50 * Math.floor(i / columns),
  );
  const gradient = gradientOf(ramp, columns, columns);
  const middle = 10 * columns + 10;
  assert.deepEqual([gradient.across[middle], gradient.down[middle], gradient.magnitude[middle]], [100, 50, 111]);
  assert.equal(coherenceOf(gradient, columns, columns, 4)[middle], 10_000);
  let state = 5;
  const noise = ramp.map(() => (state = (state * 193 + 71) % 1009));
  assert.ok(coherenceOf(gradientOf(noise, columns, columns), columns, columns, 4)[middle] < 2500);
  assert.equal(coherenceOf(gradientOf(new Int16Array(ramp.length), columns, columns), columns, columns, 4)[middle], 0);
});

test("edges of the data are no edges of things", () => {
  const plane = new Int16Array(49).fill(5000);
  plane[24] = INVALID;
  const { magnitude } = gradientOf(plane, 7, 7);
  assert.equal(magnitude[24], INVALID);
  assert.ok(magnitude.every((value, i) => value === 0 || i === 24));
});

test("reflectance becomes ten-thousandths, NaN invalid in all bands, and what is too bright stays the brightest", () => {
  const bands = [Float32Array.of(0.1234, 9, Number.NaN, 0.3), Float32Array.of(0.4, 0.3, 0.3, Number.NaN)];
  assert.deepEqual(quantised(bands, 1, 0.1), {
    planes: [Int16Array.of(234, 32_767, INVALID, INVALID), Int16Array.of(3000, 2000, INVALID, INVALID)],
    valid: Uint8Array.of(1, 1, 0, 0),
  });
  // NDVI of N 0.643 and R 0.175 is 0.5721271.
  assert.equal(normalisedDifference(Int16Array.of(6430), Int16Array.of(1750))[0], 5721);
  assert.equal(normalisedDifference(Int16Array.of(3), Int16Array.of(-2))[0], 0);
});

test("opening removes what is narrower than its square and keeps the rest as it was", () => {
  const columns = 12;
  const mask = new Uint8Array(144);
  for (let row = 1; row < 8; row++) for (let column = 1; column < 8; column++) mask[row * columns + column] = 1;
  const expected = mask.slice();
  for (let row = 0; row < 12; row++) mask[row * columns + 10] = 1;
  assert.deepEqual(opened(mask, columns, 12, 1), expected);
  assert.equal(
    eroded(expected, columns, 12, 3).reduce((sum, value) => sum + value, 0),
    1,
  );
  assert.equal(
    dilated(expected, columns, 12, 1).reduce((sum, value) => sum + value, 0),
    81,
  );
});
