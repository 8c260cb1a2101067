import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createRateLimiter } from "./rate-limit.ts";

const one = { perSecond: 2, burst: 3 };
const limits = { read: one, initiate: one, grid: one };

test("a caller has its burst, then as many as are refilled", () => {
  let nowMs = 0;
  const limit = createRateLimiter(limits, { now: () => new Date(nowMs) });
  const refused = (caller = "a"): string | null => {
    try {
      limit("read", caller);
      return null;
    } catch (error) {
      assert.ok(error instanceof ServiceError);
      return error.retryAfterS === null ? "" : String(error.retryAfterS);
    }
  };
  assert.deepEqual([refused(), refused(), refused(), refused()], [null, null, null, "1"]);
  assert.equal(refused("b"), null, "another caller has its own");
  nowMs += 500;
  assert.deepEqual([refused(), refused()], [null, "1"]);
  nowMs += 60_000;
  assert.deepEqual([refused(), refused(), refused(), refused()], [null, null, null, "1"]);
});

test("without limits nothing is refused", () => {
  const limit = createRateLimiter(null, { now: () => new Date(0) });
  for (let i = 0; i < 1000; i += 1) limit("initiate", "a");
});
