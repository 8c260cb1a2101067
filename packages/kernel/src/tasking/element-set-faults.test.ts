import assert from "node:assert/strict";
import { test } from "node:test";
import { readTle } from "../orbits/read-tle.ts";
import { elementSetFaults, staleElementsWarning } from "./element-set-faults.ts";

const set = readTle(
  "1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990",
  "2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907",
  "SENTINEL-2A",
);
const satellite = { name: "SENTINEL-2A", catalogueNumber: 40_697, meanMotionRevPerDay: 14.308 };
const NOW_MS = set.epochMs + 86_400_000;

test("elements of the satellite that are new enough have no fault", () => {
  assert.deepEqual(elementSetFaults(set, satellite, NOW_MS), []);
  assert.deepEqual(elementSetFaults(set, { ...satellite, meanMotionRevPerDay: null }, NOW_MS), []);
});

test("another number or motion, a long orbit and an epoch two months away are faults", () => {
  assert.match(elementSetFaults(set, { ...satellite, catalogueNumber: 5 }, NOW_MS).join(), /is 40697, expected 5/);
  const fast = { ...satellite, meanMotionRevPerDay: 14.36 };
  assert.match(elementSetFaults(set, fast, NOW_MS).join(), /is 14.30818852 revolutions a day, expected 14.36 within/);
  assert.match(elementSetFaults({ ...set, eccentricity: 0.02 }, satellite, NOW_MS).join(), /eccentricity is 0.02/);
  for (const days of [-61, 61]) {
    assert.match(elementSetFaults(set, satellite, set.epochMs + days * 86_400_000).join(), /61.0 days from now/);
  }
});

test("elements of more than two weeks are used with a warning", () => {
  assert.equal(staleElementsWarning(set, set.epochMs + 13.9 * 86_400_000), null);
  assert.match(staleElementsWarning(set, set.epochMs + 20 * 86_400_000) ?? "", /SENTINEL-2A are 20.0 days old/);
});
