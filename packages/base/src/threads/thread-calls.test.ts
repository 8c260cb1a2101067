import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ThreadCalls } from "./thread-calls.ts";

test("both sides call each other; codes of errors cross, and buffers move", async () => {
  const { port1, port2 } = new MessageChannel();
  const bytes = new Uint8Array([1, 2, 3]);
  const far = new ThreadCalls(port2, async (name) => {
    if (name === "refuse") throw new ServiceError("SCENE-UNREADABLE", "it is broken");
    return { output: bytes, transfer: [bytes.buffer] };
  });
  const near = new ThreadCalls(port1, async (name, input) => ({ output: [name, input] }));
  try {
    assert.deepEqual(await far.call("twice", 2), ["twice", 2]);
    assert.deepEqual(await near.call("bytes", null), new Uint8Array([1, 2, 3]));
    assert.equal(bytes.length, 0);
    await assert.rejects(near.call("refuse", null), { code: "SCENE-UNREADABLE", message: "it is broken" });
    assert.equal(near.waiting, 0);
  } finally {
    port1.close();
  }
});

test("calls that nobody will answer can be failed together", async () => {
  const { port1, port2 } = new MessageChannel();
  const calls = new ThreadCalls(port1, async () => ({ output: null }));
  port2.unref();
  const waiting = [calls.call("a", 1), calls.call("b", 2)];
  assert.equal(calls.waiting, 2);
  calls.fail(new Error("the thread is gone"));
  for (const one of waiting) await assert.rejects(one, { message: "the thread is gone" });
  port1.close();
});
