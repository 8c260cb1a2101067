import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "./within.ts";

test("work that ends in time is told as ended", async () => {
  assert.equal(await within(Promise.resolve("result"), 600_000), true);
});

test("work that is not over when its time is, is told as not ended", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = within(promise, 100);
  t.mock.timers.tick(100);
  assert.equal(await ended, false);
  resolve();
});

test("work that fails in time throws its failure", async () => {
  await assert.rejects(within(Promise.reject(new Error("broken")), 600_000), /broken/);
});

test("work that fails after its time is nobody's unhandled rejection", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { promise, reject } = Promise.withResolvers<void>();
  const ended = within(promise, 100);
  t.mock.timers.tick(100);
  assert.equal(await ended, false);
  // The runner fails a test whose promise is rejected without a handler.
  reject(new Error("late"));
});

test("the timer ends with the work", async (t) => {
  const clear = t.mock.method(globalThis, "clearTimeout");
  await within(Promise.resolve(), 600_000);
  assert.equal(clear.mock.callCount(), 1);
});
