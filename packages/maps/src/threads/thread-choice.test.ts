import assert from "node:assert/strict";
import { test } from "node:test";
import { threadFor } from "./thread-choice.ts";

type Threads = Parameters<typeof threadFor>[0];

/** Threads that run jobs of these shares; null for one that has not started. */
function threadsOf(...shares: readonly (readonly string[] | null)[]): Threads {
  return shares.map((running) => ({
    worker: running === null ? null : {},
    running: new Map((running ?? []).map((share, id) => [id, { share }])),
  }));
}

/** Index of the thread that a job of the share "a" starts in; null while it waits. */
function indexFor(
  threads: Threads,
  preferred: number,
  { jobsPerThread = 1, threadsOfShare = threads.length, before = 0 } = {},
): number | null {
  const inLine = threads.map(({ running }, i) => running.size + (i === preferred ? before : 0));
  const thread = threadFor(threads, { share: "a", preferred }, inLine, { jobsPerThread, threadsOfShare });
  return thread === null ? null : threads.indexOf(thread);
}

test("a job starts in the thread that it prefers, or in another one that has started", () => {
  assert.equal(indexFor(threadsOf([], []), 1), 1);
  assert.equal(indexFor(threadsOf([], null), 1), 0);
  assert.equal(indexFor(threadsOf(["a"], null), 1), 1);
  assert.equal(indexFor(threadsOf(["a"], ["b"]), 0, { before: 5 }), null);
});

test("a job waits for its thread behind one job of its share, not behind two", () => {
  assert.equal(indexFor(threadsOf(["a"], []), 0), null);
  assert.equal(indexFor(threadsOf(["a"], []), 0, { before: 1 }), 1);
});

test("a job does not wait for its thread behind a job of another share", () => {
  assert.equal(indexFor(threadsOf(["b"], []), 0), 1);
});

test("a share at its most threads goes on in those that it has", () => {
  const limits = { threadsOfShare: 1, before: 9 };
  assert.equal(indexFor(threadsOf(["a"], []), 0, limits), null);
  assert.equal(indexFor(threadsOf(["a"], []), 1, limits), null);
  assert.equal(indexFor(threadsOf(["a"], []), 1, { ...limits, jobsPerThread: 4 }), 0);
  assert.equal(indexFor(threadsOf(["b"], []), 1, limits), 1);
});
