import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sortedFloats, sortedValues, valueStatistics } from "./value-statistics.ts";

test("many values are sorted as comparing sorts them, whatever their signs and sizes", () => {
  fc.assert(
    fc.property(
      fc.float32Array({ minLength: 1, maxLength: 100, noNaN: true }),
      fc.integer({ min: 1, max: 5 }),
      (some, seed) => {
        const many = Float32Array.from(
          { length: 4000 },
          (_, i) => some[(i * (2 * seed + 1)) % some.length]! * (1 + (i % 7)),
        );
        const finite = many.filter((value) => !Number.isNaN(value));
        assert.deepEqual(sortedFloats(finite), finite.toSorted());
      },
    ),
    { numRuns: 50 },
  );
});

test("only values that exist and are marked are kept", () => {
  const values = Float32Array.from([3, Number.NaN, -1, 2, -0]);
  assert.deepEqual([...sortedValues(values, Uint8Array.from([255, 255, 255, 0, 1]))], [-1, -0, 3]);
});

test("statistics of several arrays are those of all their values", () => {
  const arrays = fc.array(fc.float32Array({ maxLength: 30, noNaN: true, min: -1e3, max: 1e3 }), { maxLength: 4 });
  fc.assert(
    fc.property(arrays, (parts) => {
      const all = Float32Array.from(parts.flatMap((part) => [...part]));
      const together = valueStatistics(all.toSorted());
      const apart = valueStatistics(...parts.map((part) => part.toSorted()));
      for (const name of ["min", "max", "p05", "p50", "p95"] as const) assert.equal(apart[name], together[name], name);
      for (const name of ["mean", "std"] as const) {
        assert.ok(Math.abs((apart[name] ?? 0) - (together[name] ?? 0)) < 1e-3, name);
      }
    }),
  );
});
