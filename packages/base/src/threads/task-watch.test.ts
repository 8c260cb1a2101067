import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { watchTask } from "./task-watch.ts";

/** A thread that has such a part of a processor. */
function threadWith(share: number): Pick<Worker, "cpuUsage"> {
  return { cpuUsage: () => Promise.resolve({ user: share * performance.now() * 1_000, system: 0 }) };
}

/** The end that a watch tells of a task that has begun, and the milliseconds until then. */
async function told(
  thread: Pick<Worker, "cpuUsage">,
  options: { readonly timeoutMs: number; readonly isPatient: boolean },
) {
  const { promise, resolve } = Promise.withResolvers<"over" | "starved">();
  using watch = watchTask(thread, {
    ...options,
    onOver: () => resolve("over"),
    onStarved: () => resolve("starved"),
  });
  const startedMs = performance.now();
  watch.begun();
  return { end: await promise, afterMs: performance.now() - startedMs };
}

test("a task with enough of a processor uses up its time, in the background and in the foreground", async () => {
  for (const isPatient of [false, true]) {
    const { afterMs, end } = await told(threadWith(0.5), { timeoutMs: 100, isPatient });
    assert.equal(end, "over");
    assert.ok(afterMs >= 200, `${afterMs} ms`);
  }
});

test("a task with too little starves: in the background at the first look, in the foreground after its time on the clock", async () => {
  const background = await told(threadWith(0.1), { timeoutMs: 400, isPatient: false });
  assert.equal(background.end, "starved");
  const foreground = await told(threadWith(0.1), { timeoutMs: 400, isPatient: true });
  assert.equal(foreground.end, "starved");
  assert.ok(foreground.afterMs >= 1_600, `${foreground.afterMs} ms`);
});

test("the processor time of a thread that computes is counted, and one that does not answer starves", async () => {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     parentPort.on("message", () => { parentPort.postMessage("begun"); for (;;); });`,
    { eval: true },
  );
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage("begin");
    await once(worker, "message");
    const ends: string[] = [];
    // On a busy machine it may get less than a quarter of a processor.
    while (ends.length < 5 && !ends.includes("over")) {
      ends.push((await told(worker, { timeoutMs: 200, isPatient: true })).end);
    }
    assert.ok(ends.includes("over"), ends.join());
  } finally {
    await worker.terminate();
  }
  const silent = { cpuUsage: () => new Promise<NodeJS.CpuUsage>(() => {}) };
  assert.equal((await told(silent, { timeoutMs: 100, isPatient: false })).end, "starved");
});

test("a thread that does not begin starves, and a watch that has ended tells nothing", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const worker = new Worker("setInterval(() => {}, 1000);", { eval: true });
  try {
    const heard: string[] = [];
    const watched = (name: string, isPatient: boolean) =>
      watchTask(worker, { timeoutMs: 400, isPatient, onOver: () => {}, onStarved: () => heard.push(name) });
    watched("background", false);
    watched("foreground", true);
    watched("ended", false)[Symbol.dispose]();
    t.mock.timers.tick(2_000);
    assert.deepEqual(heard, ["background"]);
    t.mock.timers.tick(6_000);
    assert.deepEqual(heard, ["background", "foreground"]);
  } finally {
    await worker.terminate();
  }
});
