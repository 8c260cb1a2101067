import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseLeftMs } from "./pace.ts";

const PACE = { longestPauseMs: 10_000, minBytesPerSecond: 1_000 };

test("time uses a pause up, and bytes at the least rate keep it", () => {
  assert.equal(pauseLeftMs(PACE, 5_000, 1_000, 0), 4_000);
  assert.equal(pauseLeftMs(PACE, 5_000, 1_000, 1_000), 5_000);
  assert.equal(pauseLeftMs(PACE, 500, 1_000, 100), -400);
});

test("however many bytes came at once, no pause is longer than the longest", () => {
  assert.equal(pauseLeftMs(PACE, 0, 1_000, 100_000_000), 9_000);
});
