import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { constants, getPriority } from "node:os";
import { test } from "node:test";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { hasChrt, SCHED_IDLE, SCHED_OTHER, SCHEDULED, skipElsewhere, type Scheduled } from "./scheduled-testing.ts";

const THREAD = `${SCHEDULED}
  const { workInBackground } = await import(workerData);
  workInBackground();
  parentPort.postMessage(scheduled(basename(readlinkSync("/proc/thread-self"))));
`;

const PROCESS = `${SCHEDULED}
  const { runInBackground } = await import(process.argv[1]);
  runInBackground();
  console.log(JSON.stringify(readdirSync("/proc/self/task").map(scheduled)));
`;

const backgroundPolicy = hasChrt ? SCHED_IDLE : SCHED_OTHER;

test(
  "a thread that works in the background has a lower priority than the thread that answers",
  { skip: skipElsewhere },
  async () => {
    const before = getPriority();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
      workerData: new URL("work-in-background.ts", import.meta.url).href,
    });
    const [{ priority, policy }] = (await once(worker, "message")) as [Scheduled];
    await worker.terminate();
    assert.ok(priority > before, `nice ${priority}, the main thread ${before}`);
    assert.equal(policy, backgroundPolicy);
    assert.equal(getPriority(), before, "the thread that answers keeps its priority");
  },
);

test(
  "a thread works on with the lowest priority where no program changes its policy",
  { skip: skipElsewhere },
  async () => {
    const module = new URL("work-in-background.ts", import.meta.url).href;
    const script = ["--input-type=module", "--eval", PROCESS, module];
    const { stdout } = await promisify(execFile)(process.execPath, script, { env: { PATH: "/nowhere" } });
    const threads = JSON.parse(stdout) as readonly Scheduled[];
    assert.ok(
      threads.every(({ priority, policy }) => priority === constants.priority.PRIORITY_LOW && policy === SCHED_OTHER),
      stdout,
    );
  },
);

test("all threads of a process that runs in the background give way to others", { skip: skipElsewhere }, async () => {
  const module = new URL("work-in-background.ts", import.meta.url).href;
  const script = ["--input-type=module", "--eval", PROCESS, module];
  const { stdout } = await promisify(execFile)(process.execPath, script);
  const threads = JSON.parse(stdout) as readonly Scheduled[];
  // The engine starts some before the first line runs.
  assert.ok(threads.length > 1, stdout);
  assert.ok(
    threads.every(
      ({ priority, policy }) => priority === constants.priority.PRIORITY_LOW && policy === backgroundPolicy,
    ),
    stdout,
  );
});
