import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { formatArea, formatCredits, formatMetres, formatPosition, formatShare } from "./numbers.ts";

test("units follow a space that does not break", () => {
  assert.equal(formatArea(1010.79), "1,010.8\u00a0km²");
  assert.equal(formatShare(0.6), "60\u00a0%");
  assert.equal(formatMetres(2.5), "2.5\u00a0m");
  assert.equal(formatMetres(10), "10\u00a0m");
});

test("a position names its halves of the globe", () => {
  assert.equal(formatPosition(174.87361, -36.88119), "36.8812° S, 174.8736° E");
});

test("credits are cut, not rounded up", () => {
  assert.deepEqual(formatCredits(998.4), { main: "998.40", tail: "0000" });
  assert.deepEqual(formatCredits(1.191402), { main: "1.19", tail: "1402" });
  assert.deepEqual(formatCredits(0.9999999), { main: "0.99", tail: "9999" });
  assert.deepEqual(formatCredits(-2.5), { main: "\u22122.50", tail: "0000" });
});

test("credits of six digits are shown to the last digit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (millionths) => {
      const { main, tail } = formatCredits(millionths / 1_000_000);
      assert.equal(Number((main + tail).replaceAll(",", "")), millionths / 1_000_000);
    }),
    { endOnFailure: true },
  );
});
