import assert from "node:assert/strict";
import { test } from "node:test";
import { radarTasking } from "../../providers/tasking-info.ts";
import { offeredInterval, orderedInterval, searchedInterval } from "./interval.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 11, 1);
const { flexible } = radarTasking({ preallocationAreaKm2: 25, resolutionM: { min: 1, max: 1 } });
assert.ok(flexible !== undefined);
const INFO = flexible;

/** Hours from now. */
function hours(fromH: number, toH: number) {
  return { startMs: NOW_MS + fromH * HOUR_MS, endMs: NOW_MS + toH * HOUR_MS };
}

test("a search has the part of its interval that lies within the offsets of the product", () => {
  assert.deepEqual(searchedInterval(hours(-50, 100), INFO, NOW_MS), hours(24, 100));
  assert.deepEqual(searchedInterval(hours(48, 9000), INFO, NOW_MS), hours(48, 90 * 24));
  assert.throws(() => searchedInterval(hours(-50, 24), INFO, NOW_MS), /\/datetime has no time within/);
});

test("an order is cut around its window where an order may not be as long", () => {
  const order = (window: { readonly startMs: number; readonly endMs: number }) =>
    orderedInterval(hours(24, 2000), window, INFO, NOW_MS);
  assert.deepEqual(order(hours(1000, 1000)), hours(640, 1360));
  assert.deepEqual(order(hours(30, 30)), hours(24, 744));
  assert.deepEqual(order(hours(1999, 1999)), hours(1280, 2000));
});

test("an order is at least as long as its product says, with ten minutes of tolerance", () => {
  assert.deepEqual(orderedInterval(hours(30, 53.9), hours(40, 40), INFO, NOW_MS), hours(30, 53.9));
  assert.throws(() => orderedInterval(hours(30, 50), hours(40, 40), INFO, NOW_MS), /has 20 h .* expected 24 h or more/);
});

test("the interval that an opportunity offers can still be ordered a day later", () => {
  const offered = offeredInterval(hours(24, 30), INFO);
  assert.deepEqual(offered, hours(24, 72));
  assert.deepEqual(orderedInterval(offered, hours(60, 60), INFO, NOW_MS + 24 * HOUR_MS), hours(48, 72));
  assert.deepEqual(offeredInterval(hours(24, 500), INFO), hours(24, 500));
});
