import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
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

async function pathOfChrt(): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-c", "command -v chrt"]);
  return stdout.trim();
}

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

test(
  "the program that changes the policy has the priority of the thread before, and runs once for a thread",
  { skip: skipElsewhere },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "swath-chrt-"));
    t.after(() => rmSync(folder, { recursive: true }));
    // "nice" alone prints the priority of the program itself.
    writeFileSync(join(folder, "chrt"), `#!/bin/sh\nnice >>"${folder}/priorities"\nexec chrt-of-system "$@"\n`, {
      mode: 0o755,
    });
    if (hasChrt) symlinkSync(await pathOfChrt(), join(folder, "chrt-of-system"));
    const module = new URL("work-in-background.ts", import.meta.url).href;
    const twice = `${PROCESS} runInBackground();`;
    const script = ["--input-type=module", "--eval", twice, module];
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const { stdout } = await promisify(execFile)(process.execPath, script, { env });
    const threads = JSON.parse(stdout) as readonly Scheduled[];
    const priorities = readFileSync(join(folder, "priorities"), "utf8").trim().split("\n").map(Number);
    assert.deepEqual(new Set(priorities), new Set([getPriority()]));
    if (hasChrt) assert.equal(priorities.length, threads.length);
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
