import assert from "node:assert/strict";
import { test } from "node:test";
import { ranked, type Ranked } from "./ranked.ts";

const early: Ranked = {
  startTime: "2026-12-01T00:00:00Z",
  price: 5,
  cloudProbability: 0.4,
  coverageRatio: 1,
  offNadir: 20,
};
const clear = { ...early, startTime: "2026-12-02T00:00:00Z", cloudProbability: 0.9, price: 7 };
const partial = { ...early, startTime: "2026-12-03T00:00:00Z", cloudProbability: 1, coverageRatio: 0.3, price: 1 };
const all = [early, clear, partial];

test("the best opportunity is expected to see the most of the area", () => {
  assert.deepEqual(ranked(all, "best"), [clear, early, partial]);
});

test("of equals the steeper one is better", () => {
  const steep = { ...early, offNadir: 5 };
  assert.deepEqual(ranked([early, steep], "best"), [steep, early]);
});

test("the list is sorted by time and by price", () => {
  assert.deepEqual(ranked(all.toReversed(), "soonest"), all);
  assert.deepEqual(ranked(all, "cheapest"), [partial, early, clear]);
});
