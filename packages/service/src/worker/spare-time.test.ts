import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "@swath/base/concurrency/sleep";
import { SpareTime } from "./spare-time.ts";

const NEVER = new AbortController().signal;

/** Keeps the thread busy, a millisecond at a time, until it is disposed. */
function busyThread(): Disposable {
  let isEnded = false;
  const spin = (): void => {
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    if (!isEnded) setImmediate(spin);
  };
  spin();
  return {
    [Symbol.dispose]() {
      isEnded = true;
    },
  };
}

async function waitedMs(spareTime: SpareTime, signal: AbortSignal = NEVER): Promise<number> {
  const startedMs = performance.now();
  await spareTime.wait(signal);
  return performance.now() - startedMs;
}

test("work waits half a second on a busy thread, and goes on then", async () => {
  const spareTime = new SpareTime();
  using _busy = busyThread();
  const ms = await waitedMs(spareTime);
  assert.ok(ms >= 450 && ms < 5_000, `${ms} ms`);
});

test("work does not wait when the thread had time to spare", async () => {
  const spareTime = new SpareTime();
  await sleep(200);
  const ms = await waitedMs(spareTime);
  assert.ok(ms < 50, `${ms} ms`);
});

test("work stops waiting when its signal aborts", async () => {
  const spareTime = new SpareTime();
  using _busy = busyThread();
  const ms = await waitedMs(spareTime, AbortSignal.timeout(20));
  assert.ok(ms < 400, `${ms} ms`);
});
