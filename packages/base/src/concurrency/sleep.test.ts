import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { sleep } from "./sleep.ts";

test("a sleep ends when its time is over, and not before", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let isAwake = false;
  const slept = sleep(100).then(() => (isAwake = true));
  t.mock.timers.tick(99);
  await Promise.resolve();
  assert.equal(isAwake, false);
  t.mock.timers.tick(1);
  await slept;
});

test("a sleep ends with its signal, does not reject, and listens no longer", async () => {
  const control = new AbortController();
  const slept = sleep(600_000, control.signal);
  control.abort(new Error("gone"));
  assert.equal(await slept, undefined);
  assert.deepEqual(getEventListeners(control.signal, "abort"), []);
});

test("a sleep under a signal that has aborted sets no timer", async (t) => {
  const timer = t.mock.method(globalThis, "setTimeout");
  await sleep(600_000, AbortSignal.abort());
  assert.equal(timer.mock.callCount(), 0);
});

test("a sleep that ends leaves nothing at its signal", async () => {
  const { signal } = new AbortController();
  await sleep(1, signal);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});
