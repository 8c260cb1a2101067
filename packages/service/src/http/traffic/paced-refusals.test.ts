import assert from "node:assert/strict";
import { test } from "node:test";
import { createPacedRefusals, paceRefusal, takeTurnMs } from "./paced-refusals.ts";

test("twenty refusals of an address come at once, further ones later and later, those beyond a second apart", () => {
  const refusals = createPacedRefusals();
  const waits = Array.from({ length: 60 }, (_, i) => takeTurnMs(refusals, "here", 100_000, () => i / 60));
  assert.deepEqual(new Set(waits.slice(0, 20)), new Set([0]));
  assert.equal(waits[20], 50);
  assert.equal(waits[21], 100);
  const beyond = waits.slice(40);
  assert.equal(new Set(beyond).size, beyond.length);
  for (const waitMs of beyond) assert.ok(waitMs >= 250 && waitMs <= 1_000, `${waitMs} ms`);
});

test("refusals of other addresses, and of a later time, come at once", () => {
  const refusals = createPacedRefusals();
  for (let i = 0; i < 100; i += 1) takeTurnMs(refusals, "here", 100_000);
  assert.equal(takeTurnMs(refusals, "there", 100_000), 0);
  assert.equal(takeTurnMs(refusals, "here", 102_000), 0);
});

test("a refusal whose client went away does not wait", async () => {
  const refusals = createPacedRefusals();
  for (let i = 0; i < 100; i += 1) takeTurnMs(refusals, "here", performance.now());
  const startedMs = performance.now();
  await paceRefusal(refusals, "here", AbortSignal.abort());
  assert.ok(performance.now() - startedMs < 500);
  assert.equal(refusals.waiting, 0);
});
