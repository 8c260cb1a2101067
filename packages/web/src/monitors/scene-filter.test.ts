import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { filterText, limitsOf, withLimits } from "./scene-filter.ts";

const limits = fc.record(
  {
    mostCloud: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    mostOffNadirDeg: fc.option(fc.integer({ min: 0, max: 90 })),
  },
  { noNullPrototype: true },
);

test("limits of a filter are read as they were written, and other conditions stay", () => {
  fc.assert(
    fc.property(limits, limits, (first, second) => {
      const filter = withLimits(withLimits({ orbitPass: "descending" }, first), second);
      assert.deepEqual(limitsOf(filter), second);
      assert.equal(filter["orbitPass"], "descending");
    }),
    { endOnFailure: true },
  );
});

test("a condition that the form cannot show stays until the form replaces it", () => {
  const filter = { cloudCover: { $gte: 0.5, $lte: 0.9 } };
  assert.deepEqual(withLimits(filter, { mostCloud: null, mostOffNadirDeg: 10 }), { ...filter, offNadir: { $lte: 10 } });
  assert.deepEqual(withLimits(filter, { mostCloud: 0.2, mostOffNadirDeg: null }), { cloudCover: { $lte: 0.2 } });
});

test("a filter is told in words", () => {
  assert.equal(filterText(undefined), "every scene");
  assert.equal(
    filterText({ cloudCover: { $lte: 0.2 }, offNadir: { $lte: 12 }, orbitPass: "ascending" }),
    "at most 20\u00a0% cloud, at most 12° off nadir, further conditions",
  );
});
