import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { constants, getPriority, platform } from "node:os";
import { test } from "node:test";
import { promisify } from "node:util";
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

const PROCESS = `
  import { getPriority } from "node:os";
  import { readdirSync } from "node:fs";
  const { runInBackground } = await import(process.argv[1]);
  runInBackground();
  console.log(JSON.stringify(readdirSync("/proc/self/task").map((id) => getPriority(Number(id)))));
`;

const skip = platform() === "linux" ? false : "only Linux schedules threads by themselves";

test("a thread that works in the background has a lower priority than the thread that answers", { skip }, async () => {
  const before = getPriority();
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
    workerData: new URL("work-in-background.ts", import.meta.url).href,
  });
  const [priority] = (await once(worker, "message")) as [number];
  await worker.terminate();
  assert.ok(priority > before, `nice ${priority}, the main thread ${before}`);
  assert.equal(getPriority(), before, "the thread that answers keeps its priority");
});

test("all threads of a process that runs in the background have the lowest priority", { skip }, async () => {
  const module = new URL("work-in-background.ts", import.meta.url).href;
  const script = ["--input-type=module", "--eval", PROCESS, module];
  const { stdout } = await promisify(execFile)(process.execPath, script);
  const priorities = JSON.parse(stdout) as readonly number[];
  // The engine starts some before the first line runs.
  assert.ok(priorities.length > 1, stdout);
  assert.ok(
    priorities.every((priority) => priority === constants.priority.PRIORITY_LOW),
    stdout,
  );
});
