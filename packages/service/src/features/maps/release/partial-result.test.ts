import assert from "node:assert/strict";
import { test } from "node:test";
import { partialResult } from "./partial-result.ts";

test("a partial result is stored at once, and then rests ten times as long as storing took", async () => {
  let nowMs = 1000;
  const stored: number[] = [];
  const partial = partialResult(
    async (result: number) => {
      stored.push(result);
      nowMs += 20;
    },
    { now: () => new Date(nowMs) },
  );
  await partial.save(() => 1);
  await partial.save(() => assert.fail("a result that is not stored is not made"));
  nowMs += 199;
  await partial.save(() => assert.fail("200 ms have not passed"));
  nowMs += 1;
  await partial.save(() => 2);
  assert.deepEqual(stored, [1, 2]);
});

test("results that cost nothing to store are all stored", async () => {
  const stored: number[] = [];
  const partial = partialResult(async (result: number) => void stored.push(result), { now: () => new Date(1000) });
  for (const result of [1, 2, 3]) await partial.save(() => result);
  assert.deepEqual(stored, [1, 2, 3]);
});
