import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { incompleteBeta } from "./beta.ts";

test("values of the regularized incomplete beta function are those of mpmath and of closed forms", () => {
  for (const [a, b, x, expected] of [
    // mpmath 1.2, 20 digits.
    [0.63, 0.27, 0.2, 0.137_462_212_188_091_43],
    [0.54, 0.36, 0.1, 0.143_646_081_128_941_5],
    [0.765, 0.135, 0.05, 0.017_175_739_358_191_246],
    [30, 70, 0.35, 0.861_575_475_866_109_1],
    // A polynomial, and 2 / pi arcsin(sqrt(x)).
    [2, 3, 0.4, 0.5248],
    [0.5, 0.5, 0.25, 1 / 3],
  ] as const) {
    const value = incompleteBeta(a, b, x);
    assert.ok(Math.abs(value - expected) < 1e-12, `I_${x}(${a}, ${b}): ${value}`);
  }
  assert.deepEqual(
    [-1, 0, 1, 2].map((x) => incompleteBeta(2, 3, x)),
    [Number.NaN, 0, 1, Number.NaN],
  );
});

test("the two tails of the beta distribution add up to one, and the probability grows with the limit", () => {
  const parameter = fc.double({ min: 0.01, max: 50, noNaN: true });
  const share = fc.double({ min: 1e-3, max: 1 - 1e-3, noNaN: true });
  fc.assert(
    fc.property(parameter, parameter, share, share, (a, b, x, y) => {
      assert.ok(Math.abs(incompleteBeta(a, b, x) + incompleteBeta(b, a, 1 - x) - 1) < 1e-9);
      const [low, high] = [Math.min(x, y), Math.max(x, y)];
      assert.ok(incompleteBeta(a, b, low) <= incompleteBeta(a, b, high) + 1e-12);
    }),
  );
});
