import assert from "node:assert/strict";
import { test } from "node:test";
import { FairQueue } from "./fair-queue.ts";

interface Job {
  readonly share: string;
  readonly name: string;
}

function queueOf(...names: readonly string[]): FairQueue<Job> {
  const queue = new FairQueue<Job>();
  for (const name of names) queue.add({ share: name.slice(0, 1), name });
  return queue;
}

function order(queue: FairQueue<Job>): readonly string[] {
  const names = [];
  for (let job = queue.take(() => 0, 1); job !== null; job = queue.take(() => 0, 1)) names.push(job.name);
  return names;
}

function oneOfA(share: string): number {
  return share === "a" ? 1 : 0;
}

test("shares take turns and keep the order of their jobs", () => {
  const queue = queueOf("a1", "a2", "a3", "b1", "c1", "c2");
  assert.equal(queue.size, 6);
  assert.deepEqual(order(queue), ["a1", "b1", "c1", "a2", "c2", "a3"]);
  assert.equal(queue.size, 0);
});

test("a share that took the latest turn lets another one go first", () => {
  const queue = queueOf("a1");
  assert.equal(queue.take(() => 0, 1)?.name, "a1");
  for (const name of ["a2", "a3", "b1"]) queue.add({ share: name.slice(0, 1), name });
  assert.deepEqual(order(queue), ["b1", "a2", "a3"]);
});

test("the share with the fewest running comes first, and none beyond the most", () => {
  const queue = queueOf("a1", "b1");
  assert.equal(queue.take(oneOfA, 1)?.name, "b1");
  assert.equal(queue.take(oneOfA, 1), null);
  assert.equal(queue.take(oneOfA, 2)?.name, "a1");
});

test("jobs are told in the order in which they are due, and those that begin meanwhile are passed once", () => {
  const queue = queueOf("a1", "a2", "a3", "b1", "b2", "c1");
  const due = [...queue.inTurn(oneOfA)].map(({ name }) => name);
  assert.deepEqual(due, ["b1", "c1", "a1", "b2", "a2", "a3"]);
  const passed: string[] = [];
  for (const job of queue.inTurn(oneOfA)) {
    passed.push(job.name);
    if (job.name === "b1" || job.name === "a1") queue.begin(job);
  }
  assert.deepEqual(passed, due);
  assert.equal(queue.size, 4);
  assert.deepEqual(
    [...queue.inTurn(() => 0)].map(({ name }) => name),
    ["c1", "b2", "a2", "a3"],
    "the share that began last is the last in turn",
  );
});

test("a job that is removed does not come up, and leaves nothing behind", () => {
  const queue = queueOf("a1", "b1");
  const job = { share: "a", name: "a2" };
  queue.add(job);
  queue.remove(job);
  queue.remove(job);
  assert.deepEqual([queue.size, queue.sizeOf("a"), queue.sizeOf("c")], [2, 1, 0]);
  assert.deepEqual(order(queue), ["a1", "b1"]);
});

test("the largest share gives up its latest job to a smaller one", () => {
  const queue = queueOf("a1", "a2", "b1");
  assert.equal(queue.takeLatestOfLargest(2), null);
  assert.equal(queue.takeLatestOfLargest(1)?.name, "a2");
  assert.deepEqual(
    queue.clear().map(({ name }) => name),
    ["a1", "b1"],
  );
  assert.equal(queue.size, 0);
});
