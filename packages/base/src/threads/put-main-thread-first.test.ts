import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { constants } from "node:os";
import { test } from "node:test";
import { promisify } from "node:util";
import { hasChrt, SCHED_BATCH, SCHED_OTHER, SCHEDULED, skipElsewhere, type Scheduled } from "./scheduled-testing.ts";

const PROCESS = `${SCHEDULED}
  const { putMainThreadFirst } = await import(process.argv[1]);
  await putMainThreadFirst();
  const main = String(process.pid);
  const others = readdirSync("/proc/self/task").filter((id) => id !== main);
  console.log(JSON.stringify({ main: scheduled(main), others: others.map(scheduled) }));
`;

interface Threads {
  readonly main: Scheduled;
  readonly others: readonly Scheduled[];
}

const MODULE = new URL("put-main-thread-first.ts", import.meta.url).href;
const COMMAND = [process.execPath, "--input-type=module", "--eval", PROCESS, MODULE] as const;

async function threadsOfProcess(environment: NodeJS.ProcessEnv): Promise<Threads> {
  const [program, ...script] = COMMAND;
  const { stdout } = await promisify(execFile)(program, script, { env: environment });
  return JSON.parse(stdout) as Threads;
}

test("the threads of the engine and of files give way to the main thread", { skip: skipElsewhere }, async () => {
  const { main, others } = await threadsOfProcess(process.env);
  // Four threads of libuv, and at least one of the engine.
  assert.ok(others.length >= 5, JSON.stringify(others));
  const expected = hasChrt ? SCHED_BATCH : SCHED_OTHER;
  assert.ok(
    others.every(({ priority, policy }) => priority === main.priority + 10 && policy === expected),
    JSON.stringify(others),
  );
  assert.equal(main.policy, SCHED_OTHER);
});

test("they have a lower priority where no program changes their policy", { skip: skipElsewhere }, async () => {
  const { main, others } = await threadsOfProcess({ PATH: "/nowhere" });
  assert.ok(others.length >= 5, JSON.stringify(others));
  assert.ok(
    others.every(({ priority, policy }) => priority === main.priority + 10 && policy === SCHED_OTHER),
    JSON.stringify(others),
  );
});

test("no thread has less than the lowest priority", { skip: skipElsewhere }, async () => {
  const { stdout } = await promisify(execFile)("nice", ["-n", "15", ...COMMAND]);
  const { others } = JSON.parse(stdout) as Threads;
  assert.ok(
    others.every(({ priority }) => priority === constants.priority.PRIORITY_LOW),
    stdout,
  );
});
