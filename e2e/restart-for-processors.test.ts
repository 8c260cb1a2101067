import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism, getPriority } from "node:os";
import { test } from "node:test";
import { ServiceProcess } from "./service-process.ts";

const skip = process.platform === "linux" ? false : "another C library shares its memory otherwise";

async function arenasOf(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, "utf8");
  return environment.split("\0").find((entry) => entry.startsWith("MALLOC_ARENA_MAX="));
}

async function optionOf(pid: number, option: string): Promise<string | undefined> {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
  return command.split("\0").find((argument) => argument.startsWith(`${option}=`));
}

async function enginePoolOf(pid: number): Promise<string | undefined> {
  return await optionOf(pid, "--v8-pool-size");
}

async function isGiven(pid: number, argument: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0").includes(argument);
}

/** Whether the thread that answers collects the garbage of new objects without a helper. */
async function collectsAlone(pid: number): Promise<boolean> {
  return await isGiven(pid, "--no-parallel-scavenge");
}

async function newSpaceOf(pid: number): Promise<string | undefined> {
  return await optionOf(pid, "--max-semi-space-size");
}

test(
  "the service has arenas of memory and threads of the engine by its processors, and runs as the process that was started",
  { skip },
  async () => {
    await using service = await ServiceProcess.start();
    const threads = Math.min(4, Math.max(1, availableParallelism() - 1));
    assert.equal(await enginePoolOf(service.pid), `--v8-pool-size=${threads}`);
    assert.equal(await collectsAlone(service.pid), threads === 1);
    assert.equal(await newSpaceOf(service.pid), "--max-semi-space-size=1");
    assert.equal(await optionOf(service.pid, "--heap-growing-percent"), "--heap-growing-percent=100");
    assert.ok(await isGiven(service.pid, "--no-allocation-site-pretenuring"));
    assert.equal(await arenasOf(service.pid), `MALLOC_ARENA_MAX=${Math.max(2, availableParallelism())}`);
    assert.equal((await fetch(`${service.baseUrl}/health/live`)).status, 200);
    assert.ok(!service.output.includes("ExperimentalWarning"), service.output);
  },
);

test("threads of the engine give way to the thread that answers", { skip }, async () => {
  await using service = await ServiceProcess.start();
  const threads = await readdir(`/proc/${service.pid}/task`);
  const main = getPriority(service.pid);
  const engine = threads.filter((threadId) => getPriority(Number(threadId)) === main + 10);
  assert.ok(engine.length > 0, `none of ${threads.length} threads`);
});

test("a number of arenas that the operator chose stays, and the engine's threads with it", { skip }, async () => {
  await using service = await ServiceProcess.start({ MALLOC_ARENA_MAX: "7" });
  assert.equal(await enginePoolOf(service.pid), undefined);
  assert.equal(await arenasOf(service.pid), "MALLOC_ARENA_MAX=7");
});

test(
  "a number of the engine's threads that the operator chose stays, and the space of new objects",
  { skip },
  async () => {
    await using service = await ServiceProcess.start({ NODE_OPTIONS: "--v8-pool-size=3 --max-semi-space-size=16" });
    assert.equal(await enginePoolOf(service.pid), undefined);
    assert.equal(await collectsAlone(service.pid), false);
    assert.equal(await newSpaceOf(service.pid), undefined);
    assert.notEqual(await arenasOf(service.pid), undefined, "the service was restarted");
  },
);
