import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { spacedProgress } from "./spaced-progress.ts";

const PAUSE_MS = 30;

/** Writes, and how to wait for the next one. */
function recorder(answer: () => Promise<boolean> = () => Promise.resolve(true)) {
  const written: string[] = [];
  let next = Promise.withResolvers<void>();
  const write = (json: string): Promise<boolean> => {
    written.push(json);
    next.resolve();
    next = Promise.withResolvers();
    return answer();
  };
  return { written, write, next: () => next.promise };
}

test("the latest progress is written after the pause, and what it replaces is not", async () => {
  const { next, write, written } = recorder();
  const progress = spacedProgress(write, PAUSE_MS);
  const first = next();
  assert.equal(await progress.put("1"), true);
  await progress.put("2");
  assert.deepEqual(written, []);
  // The timer of the progress does not keep the process alive.
  const alive = setInterval(() => undefined, 1_000);
  await first;
  clearInterval(alive);
  assert.deepEqual(written, ["2"]);
});

test("progress that another write takes along is not written by itself, and is taken again when that one fails", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { write, written } = recorder();
  const progress = spacedProgress(write, PAUSE_MS);
  assert.equal(progress.take(), null);
  await progress.put("1");
  assert.equal(progress.take(), "1");
  mock.timers.tick(10 * PAUSE_MS);
  mock.timers.reset();
  assert.deepEqual([written, progress.take()], [[], "1"]);
});

test("a run learns by its next progress that it has lost its pipeline, or that a write failed", async () => {
  const answers = [() => Promise.resolve(false), () => Promise.reject(new Error("database away"))];
  const { write } = recorder(() => (answers.shift() ?? (() => Promise.resolve(true)))());
  const progress = spacedProgress(write, 0);
  assert.equal(await progress.put("1"), false);
  await assert.rejects(progress.put("2"), /database away/);
  assert.equal(await progress.put("3"), true);
});
