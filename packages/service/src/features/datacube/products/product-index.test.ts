import assert from "node:assert/strict";
import { test } from "node:test";
import { productIndex } from "./product-index.ts";

const MONTHS = ["2024-01", "2024-02", "2024-03", "2024-04"];

function component(weight: number, ...values: readonly (number | null)[]) {
  const entries = values.flatMap((value, at) => (value === null ? [] : [[MONTHS[at]!, value] as const]));
  return { weight, values: new Map(entries) };
}

function near(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  for (const [at, value] of actual.entries())
    assert.ok(Math.abs(value - expected[at]!) < 1e-9, `${actual.join()} ${expected.join()}`);
}

// 2, 4, 4, 6: mean 4, variance (4 + 0 + 0 + 4) / 4 = 2, z = -√2, 0, 0, √2.
test("a PMI-like index is 50 at the mean and 10 for each standard deviation", () => {
  const values = productIndex([component(1, 2, 4, 4, 6)], { formula: "pmi-50", base: null });
  near(values.map(({ value }) => value), [50 - 10 * Math.SQRT2, 50, 50, 50 + 10 * Math.SQRT2]); // prettier-ignore
  near(values.map(({ low, high }) => high - low), [0, 0, 0, 0]); // prettier-ignore
});

// 1, 3, 1, 3: mean 2, deviation 1, z = -1, 1, -1, 1; weighted -1 of 4, so that z = (3·z1 - z2) / 4.
test("weights count by magnitude, and a negative one turns its component", () => {
  const values = productIndex([component(3, 2, 4, 4, 6), component(-1, 1, 3, 1, 3)], { formula: "pmi-50", base: null });
  const [a, b] = [[-Math.SQRT2, 0, 0, Math.SQRT2], [1, -1, 1, -1]]; // prettier-ignore
  near(values.map(({ value }) => value), MONTHS.map((_, at) => 50 + (10 * (3 * a[at]! + b[at]!)) / 4)); // prettier-ignore
});

test("a rebased index is 100 in the first month of its base, to which z-scores refer", () => {
  const base = { from: "2024-02", to: "2024-03" };
  // Base 3, 5: mean 4, deviation 1, z = -2, -1, 1, 6.
  const values = productIndex([component(1, 2, 3, 5, 10)], { formula: "rebased-100", base });
  near(values.map(({ value }) => value), [90, 100, 120, 170]); // prettier-ignore
});

test("a month without a component has the others, and a component that does not vary is left out", () => {
  const values = productIndex([component(1, 1, null, 3), component(1, 5, 5, 5)], { formula: "pmi-50", base: null });
  assert.deepEqual(values.map(({ period, value }) => [period, value]), [["2024-01", 40], ["2024-03", 60]]); // prettier-ignore
  assert.deepEqual(productIndex([], { formula: "pmi-50", base: null }), []);
});
