import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { steppedClock, type SteppedClock } from "@swath/base/concurrency/stepped-clock-testing";
import { SpareTime } from "./spare-time.ts";

const NEVER = new AbortController().signal;

/** Sets the share of its time that the thread seems to be used. */
function setUse({ mock }: TestContext): { share: number } {
  const use = { share: 0 };
  mock.method(performance, "eventLoopUtilization", () => ({ idle: 0, active: 0, utilization: use.share }));
  return use;
}

/** The time that work waits, ms. */
async function waitedMs(clock: SteppedClock, wait: Promise<void>): Promise<number> {
  const fromMs = clock.nowMs();
  const ended = wait.then(() => clock.nowMs());
  await clock.pass(600);
  return (await ended) - fromMs;
}

test("work waits half a second on a busy thread, and goes on then", async (t) => {
  const [clock, use] = [steppedClock(t), setUse(t)];
  const spareTime = new SpareTime();
  use.share = 0.6;
  assert.equal(await waitedMs(clock, spareTime.wait(NEVER)), 500);
});

test("work goes on when the thread has time to spare again", async (t) => {
  const [clock, use] = [steppedClock(t), setUse(t)];
  const spareTime = new SpareTime();
  use.share = 0.6;
  const wait = spareTime.wait(NEVER);
  await clock.pass(60);
  use.share = 0.4;
  assert.equal(await waitedMs(clock, wait), 40);
});

test("work does not wait on a thread with time to spare, and the next judgement takes its window", async (t) => {
  const clock = steppedClock(t);
  setUse(t);
  const spareTime = new SpareTime();
  await clock.pass(200);
  assert.equal(await waitedMs(clock, spareTime.wait(NEVER)), 0);
  await spareTime.wait(NEVER);
  assert.equal(await waitedMs(clock, spareTime.wait(NEVER)), 50);
});

test("work stops waiting when its signal aborts", async (t) => {
  const [clock, use] = [steppedClock(t), setUse(t)];
  const spareTime = new SpareTime();
  use.share = 0.6;
  const stopping = new AbortController();
  const wait = spareTime.wait(stopping.signal);
  await clock.pass(20);
  stopping.abort();
  assert.equal(await waitedMs(clock, wait), 0);
  assert.equal(await waitedMs(clock, spareTime.wait(stopping.signal)), 0);
});
