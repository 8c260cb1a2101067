import assert from "node:assert/strict";
import { test } from "node:test";
import { playHistories } from "./histories-testing.ts";

const ORDERS = 10_000;
const SEED = 13;

test(`${ORDERS} random orders with crashes, repetitions and two pollers are charged once and hold nothing`, async (t) => {
  const ends = await playHistories(ORDERS, SEED);
  t.diagnostic([...ends].map(([status, count]) => `${status} ${count}`).join(", "));
  assert.ok(ends.size >= 5, [...ends.keys()].join(" "));
});
