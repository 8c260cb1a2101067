import assert from "node:assert/strict";
import { test } from "node:test";
import { playHistories } from "./histories-testing.ts";

const ORDERS = 60;
const SEED = 20_261_122;

test(`${ORDERS} random orders with crashes, repetitions and two pollers are charged once and hold nothing`, async (t) => {
  const ends = await playHistories(ORDERS, SEED);
  t.diagnostic([...ends].map(([status, count]) => `${status} ${count}`).join(", "));
  assert.ok((ends.get("FULFILLED") ?? 0) > 0 && ends.size >= 4);
});
