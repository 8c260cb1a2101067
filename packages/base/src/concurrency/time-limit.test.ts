import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { TimeLimit } from "./time-limit.ts";

test("a time limit aborts when its time is over, with the error of a timeout", async () => {
  using limit = new TimeLimit(1);
  await once(limit.signal, "abort");
  assert.equal(limit.signal.reason.name, "TimeoutError");
});

test("a time limit aborts with a signal that it was given, and with its reason", () => {
  const given = new AbortController();
  using limit = new TimeLimit(60_000, new AbortController().signal, given.signal);
  assert.equal(limit.signal.aborted, false);
  given.abort("gone");
  assert.equal(limit.signal.reason, "gone");
});

test("a disposed time limit never aborts", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const limit = new TimeLimit(5);
  limit[Symbol.dispose]();
  t.mock.timers.tick(10);
  assert.equal(limit.signal.aborted, false);
});

test("a time limit of a signal that has aborted is over at once, and a disposed one leaves its signals", () => {
  using over = new TimeLimit(60_000, AbortSignal.abort("before"));
  assert.equal(over.signal.reason, "before");
  const given = new AbortController();
  const left = new TimeLimit(60_000, given.signal);
  left[Symbol.dispose]();
  given.abort();
  assert.equal(left.signal.aborted, false);
});
