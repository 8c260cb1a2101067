import assert from "node:assert/strict";
import { once } from "node:events";
import { getPriority, platform } from "node:os";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const THREAD = `
  import { getPriority } from "node:os";
  import { readlinkSync } from "node:fs";
  import { basename } from "node:path";
  import { parentPort, workerData } from "node:worker_threads";
  const { workInBackground } = await import(workerData);
  workInBackground();
  parentPort.postMessage(getPriority(Number(basename(readlinkSync("/proc/thread-self")))));
`;

test(
  "a thread that works in the background has a lower priority than the thread that answers",
  { skip: platform() === "linux" ? false : "only Linux schedules threads by themselves" },
  async () => {
    const before = getPriority();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
      workerData: new URL("work-in-background.ts", import.meta.url).href,
    });
    const [priority] = (await once(worker, "message")) as [number];
    await worker.terminate();
    assert.ok(priority > before, `nice ${priority}, the main thread ${before}`);
    assert.equal(getPriority(), before, "the thread that answers keeps its priority");
  },
);
