import assert from "node:assert/strict";
import { test } from "node:test";
import { radarTasking } from "../../../providers/tasking-info.ts";
import { orderInterval, studyInterval } from "./requested-interval.ts";

const NOW_MS = Date.UTC(2026, 10, 1);
const HOUR_MS = 3_600_000;
const { assured, flexible } = radarTasking({ preallocationAreaKm2: 25, resolutionM: { min: 1, max: 1 } });
assert.ok(assured !== undefined && flexible !== undefined);

const hours = (count: number): number => NOW_MS + count * HOUR_MS;
const isoOf = (count: number): string => new Date(hours(count)).toISOString();

function study(startTime?: string, endTime?: string) {
  assert.ok(assured !== undefined);
  return studyInterval({ startTime, endTime }, assured, NOW_MS, "");
}

test("a study without times spans the next two weeks from the least offset, as far as allowed", () => {
  assert.deepEqual(study(), { fromMs: hours(12), toMs: hours(14 * 24) });
  assert.deepEqual(study(isoOf(24), isoOf(48)), { fromMs: hours(24), toMs: hours(48) });
});

test("a study outside of the offsets of its kind is refused with both ends", () => {
  assert.throws(() => study(isoOf(11), isoOf(48)), {
    message:
      "/startTime is 2026-11-01T11:00:00Z, 11 h from now; expected 12 h to 336 h of a study: " +
      "2026-11-01T12:00:00Z to 2026-11-15T00:00:00Z",
  });
  assert.throws(() => study(isoOf(24), isoOf(337)), /\/endTime is .*expected 12 h to 336 h/);
  assert.throws(() => study(isoOf(48), isoOf(48)), /\/endTime is .*, expected a time after startTime/);
  assert.throws(() => study("2026-11-31"), /\/startTime is 2026-11-31, which is no day of the calendar/);
});

test("a request that took some minutes to arrive is accepted", () => {
  assert.equal(study(isoOf(12 - 0.1), isoOf(48)).fromMs, hours(11.9));
});

const window = { fromMs: hours(100), toMs: hours(100.05) };
const wide = { interval: { fromMs: hours(24), toMs: hours(300) }, window };

test("an order without times has the interval of its study, cut to the longest duration around the window", () => {
  assert.deepEqual(orderInterval({}, flexible, wide, NOW_MS, ""), wide.interval);
  const cut = orderInterval({}, assured, wide, NOW_MS, "");
  assert.equal(cut.toMs - cut.fromMs, 48 * HOUR_MS);
  assert.ok(cut.fromMs < window.fromMs && cut.toMs > window.toMs);
});

function order(from: number, to: number) {
  assert.ok(assured !== undefined);
  return orderInterval({ startTime: isoOf(from), endTime: isoOf(to) }, assured, wide, NOW_MS, "");
}

test("an order is refused when its duration is not allowed or its window is outside", () => {
  assert.throws(() => order(60, 120), /\/endTime is 60 h after startTime, expected 1 h to 48 h/);
  assert.throws(() => order(101, 120), /\/windowId is of 2026-11-05T04:00:00Z to .*, expected a window between/);
  assert.throws(() => order(5, 20), /\/startTime is .*expected 12 h to 336 h of an order/);
  assert.deepEqual(order(99, 120), { fromMs: hours(99), toMs: hours(120) });
});
