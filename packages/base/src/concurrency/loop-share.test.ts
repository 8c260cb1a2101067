import assert from "node:assert/strict";
import { test } from "node:test";
import { lightRequests } from "./light-requests.ts";
import { giveWay, giveWayToLight, isUsedUp, loopShare } from "./loop-share.ts";
import { follow } from "./requests-in-work.ts";
import { steppedClock } from "./stepped-clock-testing.ts";

test("a share of the loop is used up by time, and giving way lets others run and renews it", async (t) => {
  const clock = steppedClock(t);
  const share = loopShare();
  assert.equal(isUsedUp(share), false);
  clock.work(9);
  assert.equal(isUsedUp(share), true);
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  await giveWay(share);
  assert.equal(others, 1);
  assert.equal(share.sinceMs, clock.nowMs());
  assert.equal(isUsedUp(share), false);
});

test("a loop whose request has ended does not go on", async () => {
  await assert.rejects(giveWay(loopShare(), AbortSignal.abort(new Error("gone"))), /gone/);
});

test("work on large input goes on a moment after the last light request has ended", async (t) => {
  const clock = steppedClock(t);
  const end = follow(lightRequests, clock.nowMs());
  const share = loopShare();
  const { patienceMs } = share;
  let isOn = false;
  const waiting = giveWayToLight(share).then(() => (isOn = true));
  await clock.pass(5);
  end();
  await clock.pass(0);
  assert.equal(isOn, false);
  await clock.pass(1);
  await waiting;
  assert.equal(share.patienceMs, patienceMs - 6);
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
