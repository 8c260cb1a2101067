import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { knownValues, quantiles, valueStatistics } from "./value-statistics.ts";

const floats = fc.float32Array({ maxLength: 60, noNaN: true });
const SHARES = [0, 0.005, 0.05, 0.5, 0.95, 0.995, 1];

test("order statistics are those of the sorted values, whatever their signs and sizes and however they are parted", () => {
  fc.assert(
    fc.property(fc.array(floats, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (parts, repeats) => {
      // Values that differ in their last bits share the upper half of them.
      const close = parts.map((part) => part.map((value, i) => value * (1 + (i % repeats) * 1e-7)));
      const sorted = Float32Array.from(close.flatMap((part) => [...part])).toSorted();
      if (sorted.length === 0) return;
      const expected = SHARES.map((share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
      assert.deepEqual(quantiles(SHARES, ...close), expected);
    }),
  );
});

test("only values that exist and are marked are kept", () => {
  const values = Float32Array.from([3, Number.NaN, -1, 2, -0]);
  assert.deepEqual([...knownValues(values, Uint8Array.from([255, 255, 255, 0, 1]))], [3, -1, -0]);
});

test("statistics are those of all values, and null of none", () => {
  const one = Float32Array.from([4, -2]);
  const another = Float32Array.from([1, 1, 6]);
  assert.deepEqual(valueStatistics(one, new Float32Array(), another), {
    min: -2,
    max: 6,
    mean: 2,
    std: 2.75681,
    p05: -2,
    p50: 1,
    p95: 6,
  });
  assert.equal(valueStatistics(new Float32Array()).p50, null);
});
