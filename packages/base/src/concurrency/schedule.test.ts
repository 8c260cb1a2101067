import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { silentLog } from "../log/log.ts";
import { Schedule } from "./schedule.ts";

/** Pauses of a schedule, each of which a test ends itself. */
class Pauses {
  readonly asked: number[] = [];
  readonly #waiting: (() => void)[] = [];
  #arrived = Promise.withResolvers<void>();

  readonly wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    this.asked.push(ms);
    const ended = Promise.withResolvers<void>();
    this.#waiting.push(ended.resolve);
    this.#arrived.resolve();
    if (!signal.aborted) await Promise.race([ended.promise, once(signal, "abort")]);
  };

  /** The length of the next pause, once the schedule begins it. */
  async next(): Promise<number> {
    await this.#arrived.promise;
    this.#arrived = Promise.withResolvers();
    return this.asked.at(-1) ?? Number.NaN;
  }

  end(): void {
    this.#waiting.shift()?.();
  }
}

const middle = (): number => 0.5;

test("rounds follow each other after pauses, and none starts at once unless asked for", async () => {
  const pauses = new Pauses();
  let rounds = 0;
  await using schedule = new Schedule({ log: silentLog, wait: pauses.wait, random: middle });
  schedule.add({ name: "sweep", everyMs: 1000, run: async () => (rounds += 1) });
  assert.equal(await pauses.next(), 1000);
  assert.equal(rounds, 0);
  pauses.end();
  await pauses.next();
  assert.equal(rounds, 1);
  schedule.add({ name: "at once", everyMs: 50, atStart: true, run: async () => (rounds += 10) });
  assert.equal(await pauses.next(), 50);
  assert.equal(rounds, 11);
});

test("pauses differ by at most a tenth either way", async () => {
  for (const [random, expected] of [
    [0, 900],
    [0.25, 950],
    [1, 1100],
  ] as const) {
    const pauses = new Pauses();
    await using schedule = new Schedule({ log: silentLog, wait: pauses.wait, random: () => random });
    schedule.add({ name: "sweep", everyMs: 1000, run: async () => {} });
    assert.ok(Math.abs((await pauses.next()) - expected) < 1e-9);
  }
});

test("a failed round is logged with the name of its work, and the next one comes", async () => {
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  const fault = new Error("disk");
  const pauses = new Pauses();
  await using schedule = new Schedule({ log, wait: pauses.wait, random: middle });
  schedule.add({ name: "sweep", everyMs: 1000, atStart: true, run: () => Promise.reject(fault) });
  await pauses.next();
  pauses.end();
  await pauses.next();
  assert.deepEqual(warnings, [
    { err: fault, work: "sweep" },
    { err: fault, work: "sweep" },
  ]);
});

test("a round that is wanted soon comes after the shorter pause, then pauses are as usual", async () => {
  const pauses = new Pauses();
  let rounds = 0;
  await using schedule = new Schedule({ log: silentLog, wait: pauses.wait, random: middle });
  schedule.add({ name: "sweep", everyMs: 1000, run: async () => (rounds += 1) });
  await pauses.next();
  schedule.soon("sweep", 20);
  assert.equal(await pauses.next(), 20);
  assert.equal(rounds, 0);
  pauses.end();
  pauses.end();
  assert.equal(await pauses.next(), 1000);
  assert.equal(rounds, 1);
  schedule.soon("nothing of this name", 1);
});

test("rounds of one work never overlap, and disposing aborts and awaits the round under way", async () => {
  const pauses = new Pauses();
  const started = Promise.withResolvers<AbortSignal>();
  const finish = Promise.withResolvers<void>();
  let rounds = 0;
  let ended = false;
  const schedule = new Schedule({ log: silentLog, wait: pauses.wait, random: middle });
  schedule.add({
    name: "long",
    everyMs: 10,
    atStart: true,
    run: async (signal) => {
      rounds += 1;
      started.resolve(signal);
      await finish.promise;
      ended = true;
    },
  });
  const signal = await started.promise;
  schedule.soon("long", 0);
  assert.equal(signal.aborted, false);
  const disposed = schedule[Symbol.asyncDispose]();
  assert.equal(signal.aborted, true);
  assert.equal(ended, false);
  finish.resolve();
  await disposed;
  assert.deepEqual([rounds, ended], [1, true]);
});

test("a schedule refuses two works of one name", async () => {
  await using schedule = new Schedule({ log: silentLog, wait: new Pauses().wait });
  schedule.add({ name: "sweep", everyMs: 1, run: async () => {} });
  assert.throws(() => schedule.add({ name: "sweep", everyMs: 1, run: async () => {} }), RangeError);
});

test("rounds that are wanted at once keep the least pause of their work", async () => {
  const pauses = new Pauses();
  let rounds = 0;
  await using schedule = new Schedule({ log: silentLog, wait: pauses.wait, random: middle });
  const work = { name: "place", everyMs: 1000, leastPauseMs: 200, atStart: true };
  schedule.add({ ...work, run: async () => (rounds += 1) });
  assert.equal(await pauses.next(), 200);
  schedule.soon("place", 0);
  assert.equal(rounds, 1);
  pauses.end();
  assert.equal(await pauses.next(), 0);
  pauses.end();
  assert.equal(await pauses.next(), 200);
  assert.equal(rounds, 2);
  pauses.end();
  assert.equal(await pauses.next(), 1000);
});
