import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import { createTurnstile } from "./turnstile.ts";

test("two callers pass in a turn, in their order", async () => {
  const pass = createTurnstile(2);
  const passed: number[] = [];
  const all = Array.from({ length: 7 }, async (_, i) => {
    await pass();
    passed.push(i);
  });
  const counts: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await Promise.resolve();
    counts.push(passed.length);
    await nextTurn();
  }
  await Promise.all(all);
  assert.deepEqual(passed, [0, 1, 2, 3, 4, 5, 6]);
  assert.ok(
    counts.every((count, turn) => count <= 2 * (turn + 1)),
    `passed after each turn: ${counts.join(", ")}`,
  );
});

test("a caller that comes alone passes at once, also after others", async () => {
  const pass = createTurnstile(1);
  for (let round = 0; round < 3; round += 1) {
    let isPassed = false;
    const alone = pass().then(() => (isPassed = true));
    await Promise.resolve();
    await Promise.resolve();
    assert.ok(isPassed);
    await alone;
    await nextTurn();
  }
});
