import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, boolean, double, option, property, record, type Arbitrary } from "fast-check";
import { NO_LIMITS, withinLimits, type Limited } from "./limits.ts";

const night: Limited = {
  offNadir: 10,
  sunElevation: -20,
  cloudProbability: 1,
  coverageRatio: 1,
  product: { isOptical: false },
};

const limited: Arbitrary<Limited> = record({
  offNadir: option(double({ min: 0, max: 90, noNaN: true })),
  sunElevation: option(double({ min: -90, max: 90, noNaN: true })),
  cloudProbability: double({ min: 0, max: 1, noNaN: true }),
  coverageRatio: double({ min: 0, max: 1, noNaN: true }),
  product: record({ isOptical: boolean() }),
});

test("the limit of the sun keeps radar, which sees by night, and hides optical passes", () => {
  const optical = { ...night, product: { isOptical: true } };
  const { shown, hiddenBy } = withinLimits([night, optical], { ...NO_LIMITS, sunDeg: 10 });
  assert.deepEqual(shown, [night]);
  assert.deepEqual(hiddenBy, { offNadirDeg: 0, sunDeg: 1, clear: 0, coverage: 0 });
});

test("an angle that the provider does not say is hidden by no limit", () => {
  const { shown } = withinLimits([{ ...night, offNadir: null }], { ...NO_LIMITS, offNadirDeg: 0 });
  assert.equal(shown.length, 1);
});

test("a limit alone hides exactly as many as it says", () => {
  assertProperty(
    property(array(limited, { maxLength: 30 }), double({ min: 0, max: 90, noNaN: true }), (all, limit) => {
      const { shown, hiddenBy } = withinLimits(all, { ...NO_LIMITS, offNadirDeg: limit });
      assert.equal(shown.length, all.length - hiddenBy.offNadirDeg);
    }),
    { endOnFailure: true },
  );
});
