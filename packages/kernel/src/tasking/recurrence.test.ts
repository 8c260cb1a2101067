import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { recurringIntervals } from "./recurrence.ts";

test("the orders of a recurrence are as long as the first and equally many days apart", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2_000_000_000_000 }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 366 }),
      fc.integer({ min: 1, max: 52 }),
      (startMs, lengthMs, days, count) => {
        const intervals = recurringIntervals({ startMs, endMs: startMs + lengthMs }, { days, count });
        assert.equal(intervals.length, count);
        for (const [index, one] of intervals.entries()) {
          assert.equal(one.startMs - startMs, index * days * 86_400_000);
          assert.equal(one.endMs - one.startMs, lengthMs);
        }
      },
    ),
  );
});

test("days and counts outside their ranges are refused by name and value", () => {
  const first = { startMs: 0, endMs: 1 };
  assert.throws(() => recurringIntervals(first, { days: 0, count: 1 }), /days .* 1\.\.366, got 0/);
  assert.throws(() => recurringIntervals(first, { days: 1.5, count: 1 }), /got 1.5/);
  assert.throws(() => recurringIntervals(first, { days: 1, count: 53 }), /count .* 1\.\.52, got 53/);
});
