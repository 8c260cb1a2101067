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

function isOfLibuv({ name }: Scheduled): boolean {
  return name === "libuv-worker";
}

test("the threads of the engine and of files give way to the main thread", { skip: skipElsewhere }, async () => {
  const { main, others } = await threadsOfProcess(process.env);
  assert.equal(others.filter(isOfLibuv).length, 4);
  assert.ok(others.length > 4, JSON.stringify(others));
  for (const thread of others) {
    const priority = main.priority + (isOfLibuv(thread) ? 0 : 10);
    const expected = { priority, policy: hasChrt ? SCHED_BATCH : SCHED_OTHER };
    assert.deepEqual(thread, { name: thread.name, ...expected });
  }
  assert.equal(main.policy, SCHED_OTHER);
});

test("the engine's have a lower priority where no program changes policies", { skip: skipElsewhere }, async () => {
  const { main, others } = await threadsOfProcess({ PATH: "/nowhere" });
  const engine = others.filter((thread) => !isOfLibuv(thread));
  assert.ok(engine.length > 0, JSON.stringify(others));
  for (const { priority, policy } of engine) {
    assert.equal(priority, main.priority + 10);
    assert.equal(policy, SCHED_OTHER);
  }
});

test("no thread has less than the lowest priority", { skip: skipElsewhere }, async () => {
  const { stdout } = await promisify(execFile)("nice", ["-n", "15", ...COMMAND]);
  const { others } = JSON.parse(stdout) as Threads;
  const priorities = others.filter((thread) => !isOfLibuv(thread)).map(({ priority }) => priority);
  assert.deepEqual([...new Set(priorities)], [constants.priority.PRIORITY_LOW]);
});
