import assert from "node:assert/strict";
import { test } from "node:test";
import { lightRequests } from "./light-requests.ts";
import { giveWay, giveWayToLight, isUsedUp, loopShare } from "./loop-share.ts";
import { follow } from "./requests-in-work.ts";

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

test("work on large input goes on when no light request is in work", async () => {
  const end = follow(lightRequests, performance.now());
  const order: string[] = [];
  setTimeout(() => {
    order.push("light");
    end();
  }, 5);
  const share = loopShare();
  await giveWayToLight(share);
  order.push("large");
  assert.deepEqual(order, ["light", "large"]);
  assert.ok(share.patienceMs < 50, `${share.patienceMs} ms of patience are left`);
});

test("work on large input waits for light requests a limited time in all, and ends with its request", async () => {
  const nowMs = performance.now();
  const ends = [nowMs, nowMs + 60_000].map((atMs) => follow(lightRequests, atMs));
  const share = loopShare();
  await giveWayToLight(share);
  assert.ok(share.patienceMs <= 0);
  const { patienceMs } = share;
  await giveWayToLight(share);
  assert.equal(share.patienceMs, patienceMs, "it does not wait again");
  const gone = new AbortController();
  const waiting = giveWayToLight(loopShare(), gone.signal);
  gone.abort(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  for (const end of ends) end();
});
