import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import { pipelineSignals } from "./pipeline-signals.ts";
import { FINISHED_CHANNEL } from "./channels.ts";

/** A listening connection whose notifications the test sends. */
function testListening() {
  const emitter = new EventEmitter();
  const on = (name: string, listener: (payload: string) => void): (() => void) => {
    emitter.on(name, listener);
    return () => emitter.off(name, listener);
  };
  return {
    onNotification: (channel: string, listener: (payload: string) => void) => on(channel, listener),
    onReconnected: (listener: () => void) => on("reconnected", listener),
    finish: (pipelineId: string) => emitter.emit(FINISHED_CHANNEL, pipelineId),
    reconnect: () => emitter.emit("reconnected"),
  };
}

const NEVER = new AbortController().signal;

test("of the waits for one pipeline two end in a turn, and those for others do not", async () => {
  const listening = testListening();
  await using signals = pipelineSignals(listening);
  let ended = 0;
  const count = (): number => (ended += 1);
  const waits = Array.from({ length: 10 }, () => signals.waitFinished("one", NEVER).then(count));
  const other = new AbortController();
  const otherWait = signals.waitFinished("other", other.signal).then(count);
  listening.finish("one");
  const counts: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    await nextTurn();
    counts.push(ended);
  }
  assert.ok(counts[0]! <= 4, `${counts[0]} waits ended by the next turn`);
  assert.equal(counts.at(-1), 10);
  other.abort();
  await Promise.all([...waits, otherWait]);
  assert.equal(ended, 11);
});

test("a pipeline that ends while others are being woken wakes its waits too", async () => {
  const listening = testListening();
  await using signals = pipelineSignals(listening);
  const waits = Array.from({ length: 12 }, (_, index) => signals.waitFinished(index < 6 ? "one" : "two", NEVER));
  listening.finish("one");
  listening.finish("two");
  await Promise.all(waits);
});

test("every wait ends when the connection comes back, and when the signals are disposed", async () => {
  const listening = testListening();
  const signals = pipelineSignals(listening);
  const waits = ["one", "two"].map((pipelineId) => signals.waitFinished(pipelineId, NEVER));
  listening.reconnect();
  await Promise.all(waits);
  const last = signals.waitFinished("three", NEVER);
  await signals[Symbol.asyncDispose]();
  await last;
  await signals.waitFinished("four", NEVER);
});
