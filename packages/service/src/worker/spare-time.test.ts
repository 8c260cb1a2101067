import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "@swath/base/concurrency/sleep";
import { SpareTime } from "./spare-time.ts";

const NEVER = new AbortController().signal;

/** Keeps the thread busy, a millisecond at a time, while something waits. */
async function whileBusy(waiting: () => Promise<void>): Promise<void> {
  let isEnded = false;
  const spin = (): void => {
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    if (!isEnded) setImmediate(spin);
  };
  spin();
  await waiting();
  isEnded = true;
}

/** Whether the wait ends without giving way to the event loop. */
async function endsAtOnce(wait: Promise<void>): Promise<boolean> {
  return await Promise.race([wait.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))]);
}

test("work waits half a second on a busy thread, and goes on then", async () => {
  const spareTime = new SpareTime();
  const startedMs = performance.now();
  await whileBusy(() => spareTime.wait(NEVER));
  assert.ok(performance.now() - startedMs >= 450);
});

test("work does not wait when the thread had time to spare", async () => {
  const spareTime = new SpareTime();
  await sleep(200);
  assert.ok(await endsAtOnce(spareTime.wait(NEVER)));
  assert.ok(!(await endsAtOnce(spareTime.wait(NEVER))), "the next judgement takes its window");
});

test("work stops waiting when its signal aborts", async () => {
  const spareTime = new SpareTime();
  const stopping = new AbortController();
  await whileBusy(async () => {
    const wait = spareTime.wait(stopping.signal);
    stopping.abort();
    await wait;
  });
  assert.ok(await endsAtOnce(spareTime.wait(stopping.signal)));
});
