import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { distributionStatistics, weightedHistogram, weightedQuantiles } from "./distribution-statistics.ts";
import { pixelCoverage } from "./pixel-coverage.ts";
import { sortWeighted } from "./sort-weighted.ts";
import { valueDistribution, type ValueDistribution } from "./value-distribution.ts";

const box = (left: number, top: number, right: number, bottom: number): Float64Array =>
  Float64Array.from([left, top, right, top, right, bottom, left, bottom]);

const plain = ({ values, weights }: ValueDistribution): readonly (readonly number[])[] =>
  Array.from(values, (value, i) => [value, weights[i]]);

test("equal values become one, and pixels without a value are left out", () => {
  const coverage = pixelCoverage([[box(0.5, 0, 4, 2)]], 4, 2);
  const values = Float32Array.from([7, 7, 3, Number.NaN, 3, 5, 5, 7]);
  const valid = Uint8Array.from([1, 1, 1, 1, 1, 1, 0, 1]);
  assert.deepEqual(plain(valueDistribution(coverage, { values, widthPx: 4, valid })), [
    [3, 1.5],
    [5, 1],
    [7, 2.5],
  ]);
});

test("rows of another weight count by it", () => {
  const coverage = pixelCoverage([[box(0.5, 0, 2, 2)]], 2, 2);
  const pixels = { values: Float32Array.from([1, 2, 2, 2]), widthPx: 2, valid: null };
  assert.deepEqual(plain(valueDistribution(coverage, pixels, Float64Array.from([100, 10]))), [
    [1, 50],
    [2, 115],
  ]);
});

test("nothing under a polygon has a count of 0 and no other figure", () => {
  const nothing = { values: new Float32Array(0), weights: new Float64Array(0) };
  assert.deepEqual(distributionStatistics(nothing), { count: 0, sum: 0, mean: null, std: null, min: null, max: null });
  assert.deepEqual(weightedQuantiles(nothing, [0, 0.5]), [null, null]);
  assert.deepEqual(Array.from(weightedHistogram(nothing, [0, 1, 2])), [0, 0]);
});

test("quantiles of equal weights are those of type 7", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.float({ min: -1000, max: 1000, noNaN: true }), { minLength: 1, maxLength: 30 }),
      fc.double({ min: 0.1, max: 9, noNaN: true }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
      (sample, weight, wanted) => {
        const values = Float32Array.from(new Set(sample.map((value) => value + 0))).toSorted();
        const shares = wanted.toSorted((a, b) => a - b);
        const found = weightedQuantiles({ values, weights: Float64Array.from(values, () => weight) }, shares);
        for (const [i, share] of shares.entries()) {
          const position = share * (values.length - 1);
          const below = values[Math.floor(position)];
          const expected = below + (position - Math.floor(position)) * (values[Math.ceil(position)] - below);
          assert.ok(Math.abs(found[i]! - expected) < 1e-8, `${found[i]}, ${expected}`);
        }
      },
    ),
  );
});

test("the deviation of large, nearly equal values keeps its digits", () => {
  const values = Float32Array.from([2 ** 23, 2 ** 23 + 1]);
  assert.equal(distributionStatistics({ values, weights: Float64Array.from([2, 2]) }).std, 0.5);
});

test("a histogram counts each value in one bin, the last edge too, and none outside", () => {
  const values = Float32Array.from([-1, 0, 0.5, 1, 2, 2.5]);
  const weights = Float64Array.from([100, 1, 2, 4, 8, 100]);
  assert.deepEqual(Array.from(weightedHistogram({ values, weights }, [0, 1, 2])), [3, 12]);
});

test("values are in ascending order with their weights, zeros of both signs and infinities too", () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true })), (sample) => {
      const values = Float32Array.from(sample);
      const sorted = sortWeighted(
        values.slice(),
        Float64Array.from(values, (_, i) => i),
      );
      assert.deepEqual(sorted.values, values.toSorted());
      assert.deepEqual(
        Float32Array.from(sorted.weights, (i) => values[i]),
        sorted.values,
      );
      assert.equal(new Set(sorted.weights).size, values.length);
    }),
  );
});
