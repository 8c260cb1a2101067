import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ErrorWithHeaders } from "../error-with-headers.ts";
import { createRateLimiter, takeTokens, type Payer, type RateLimiter } from "./rate-limit.ts";

const one = { perSecond: 2, burst: 3 };
const limits = { read: one, initiate: one, grid: one };
const payer = { rateClass: "read", name: "user a", factor: 1 } as const;

interface World {
  readonly limiter: RateLimiter;
  nowMs: number;
}

function world(): World {
  const time = { nowMs: 0 };
  return Object.assign(time, { limiter: createRateLimiter(limits, { now: () => new Date(time.nowMs) }) });
}

/** Null when the tokens are there, else the seconds to wait. */
function refused(
  { limiter }: World,
  { cost = 1, spent = 0, of = payer }: { cost?: number; spent?: number; of?: Payer } = {},
): number | null {
  try {
    takeTokens(limiter, of, cost, spent);
    return null;
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, "TOO-MANY-REQUESTS");
    return error.retryAfterS;
  }
}

test("a caller has its burst, then as many as are refilled", () => {
  const here = world();
  assert.deepEqual([refused(here), refused(here), refused(here), refused(here)], [null, null, null, 1]);
  assert.equal(refused(here, { of: { ...payer, name: "user b" } }), null, "another caller has its own");
  assert.equal(refused(here, { of: { ...payer, rateClass: "grid" } }), null, "another class has its own");
  here.nowMs += 500;
  assert.deepEqual([refused(here), refused(here)], [null, 1]);
  here.nowMs += 60_000;
  assert.deepEqual([refused(here), refused(here), refused(here), refused(here)], [null, null, null, 1]);
});

test("a request takes tokens by its cost, and a refused one waits for all of them", () => {
  const here = world();
  assert.equal(refused(here, { cost: 2 }), null);
  assert.equal(refused(here, { cost: 3 }), 1);
  here.nowMs += 1000;
  assert.equal(refused(here, { cost: 3 }), null);
  assert.equal(refused(here, { cost: 2, spent: 1 }), 2, "a repeated request pays its first token again");
});

test("a request that costs more than the burst takes the whole bucket and is never refused for good", () => {
  const here = world();
  assert.equal(refused(here, { cost: 1 }), null);
  assert.equal(refused(here, { cost: 1000, spent: 1 }), null);
  assert.equal(refused(here, { cost: 1000 }), 2);
  here.nowMs += 2000;
  assert.equal(refused(here, { cost: 1000 }), null);
});

test("the limit of a tier is the limit times its factor", () => {
  const here = world();
  const gold = { ...payer, factor: 2 };
  const { headers } = takeTokens(here.limiter, gold, 5, 0);
  assert.deepEqual(headers, { "ratelimit-policy": '"read";q=6;w=2', ratelimit: '"read";r=1;t=1' });
  here.nowMs += 1000;
  assert.equal(refused(here, { of: gold, cost: 5 }), null);
  const { headers: slow } = takeTokens(here.limiter, { ...payer, name: "user c", factor: 0.01 }, 0, 0);
  assert.deepEqual(slow, { "ratelimit-policy": '"read";q=1;w=50', ratelimit: '"read";r=1' });
});

test("answers state the limit as structured fields, and refusals when to come again", () => {
  const here = world();
  const { headers } = takeTokens(here.limiter, payer, 1, 0);
  assert.deepEqual(headers, { "ratelimit-policy": '"read";q=3;w=2', ratelimit: '"read";r=2;t=1' });
  assert.throws(
    () => takeTokens(here.limiter, payer, 3, 0),
    (error) => {
      assert.ok(error instanceof ErrorWithHeaders);
      assert.equal(error.retryAfterS, 1);
      assert.equal(error.headers["ratelimit"], '"read";r=2;t=1');
      assert.match(error.message, /costs 3 tokens of the limit "read", expected at most 2; 2 more come each second/);
      return true;
    },
  );
});
