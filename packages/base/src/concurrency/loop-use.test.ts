import assert from "node:assert/strict";
import { test } from "node:test";
import { LoopUse } from "./loop-use.ts";
import { sleep } from "./sleep.ts";

test("a busy thread is told from one that waits, by the time since the latest look", async () => {
  const use = new LoopUse();
  while (use.ageMs() < 100);
  await sleep(0);
  const busy = use.look();
  await sleep(300);
  const waiting = use.look();
  assert.ok(busy > 0.9, `${busy}`);
  // On a machine that holds the process the thread seems used: 0.7 when it has a third of the time.
  assert.ok(waiting < busy - 0.1, `${waiting} after ${busy}`);
});
