import assert from "node:assert/strict";
import { test } from "node:test";
import { giveWay, isUsedUp, loopShare } from "./loop-share.ts";

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a share of the loop is used up by time, and giving way lets others run and renews it", async () => {
  const share = loopShare();
  busy(9);
  assert.equal(isUsedUp(share), true);
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  await giveWay(share);
  assert.equal(others, 1);
  assert.ok(performance.now() - share.sinceMs < 8);
});

test("a loop whose request has ended does not go on", async () => {
  await assert.rejects(giveWay(loopShare(), AbortSignal.abort(new Error("gone"))), /gone/);
});
