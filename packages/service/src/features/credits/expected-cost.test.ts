import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as assertProperty, bigInt, property } from "fast-check";
import { microToCredits } from "@swath/kernel/credits/micro";
import { isExpectedCost, priceChanged } from "./expected-cost.ts";

test("the price of an answer is expected, and one micro-credit more or less is not", () => {
  assertProperty(
    property(bigInt({ min: 1n, max: 1_000_000_000_000_000n }), (micro) => {
      const shown: number = JSON.parse(JSON.stringify(microToCredits(micro)));
      assert.equal(isExpectedCost(shown, micro), true);
      assert.equal(isExpectedCost(shown, micro + 1n), false);
      assert.equal(isExpectedCost(shown, micro - 1n), false);
    }),
    { endOnFailure: true },
  );
});

test("a sum of prices is compared without its rounding errors", () => {
  assert.notEqual(0.1 + 0.2, 0.3);
  assert.equal(isExpectedCost(0.1 + 0.2, 300_000n), true);
  assert.equal(isExpectedCost(0, 0n), true);
  assert.equal(isExpectedCost(undefined, 7n), true);
});

test("the refusal names both prices to the last digit", () => {
  const { code, message, details } = priceChanged(7.966446, 15_932_892n);
  assert.equal(code, "PRICE-CHANGED");
  assert.match(message, /the price is 15\.932892 credits, expected 7\.966446 credits/u);
  assert.deepEqual(details, [
    { path: "/expectedCost", message: "7.966446" },
    { path: "/cost", message: "15.932892" },
  ]);
});
