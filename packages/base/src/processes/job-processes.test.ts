import assert from "node:assert/strict";
import { test } from "node:test";
import { JobLimitError, JobProcesses } from "./job-processes.ts";
import type { TestJob } from "./jobs.fixture.ts";

const MIB = 2 ** 20;
const LONG_MS = 120_000;
const endless = new AbortController().signal;

function processes(memoryBytes = 1024 * MIB): JobProcesses {
  return new JobProcesses({
    entry: new URL("jobs.fixture.ts", import.meta.url),
    does: "runs tests",
    memoryBytes,
    environment: { LANG: "C" },
    maxIdle: 2,
  });
}

interface Echo {
  readonly value: number;
  readonly pid: number;
  readonly environment: readonly string[];
}

async function run(pool: JobProcesses, input: TestJob, timeoutMs = LONG_MS): Promise<Echo> {
  return await pool.run<string, Echo>({ input, timeoutMs }, endless);
}

const limited = (limit: JobLimitError["limit"]) => (error: unknown) => {
  assert.ok(error instanceof JobLimitError, String(error));
  assert.equal(error.limit, limit, error.message);
  return true;
};

/** Whether a process of this number lives. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("jobs follow each other in a warm process, beside each other in two; failures cost no process", async () => {
  await using pool = processes();
  const first = await run(pool, { kind: "echo", value: 1 });
  await assert.rejects(run(pool, { kind: "fail" }), { message: "the job failed" });
  const second = await run(pool, { kind: "echo", value: 2 });
  assert.deepEqual([first.value, second.value, second.pid], [1, 2, first.pid]);
  const both = await Promise.all([3, 4].map((value) => run(pool, { kind: "echo", value })));
  assert.equal(new Set(both.map(({ pid }) => pid)).size, 2);
  // Settings and secrets of the service stay with the service.
  assert.ok(!first.environment.includes("PATH") && first.environment.includes("LANG"));
});

test("a job that never returns ends at its time limit, and at its cancellation, with its process", async () => {
  await using pool = processes();
  await assert.rejects(run(pool, { kind: "spin" }, 500), limited("time"));
  assert.deepEqual(pool.pids, []);

  const control = new AbortController();
  const started = Promise.withResolvers<void>();
  const spinning = pool.run(
    { input: { kind: "spin" }, timeoutMs: LONG_MS, onMessage: () => started.resolve() },
    control.signal,
  );
  await started.promise;
  const [pid = 0] = pool.pids;
  assert.ok(lives(pid));
  control.abort(new Error("cancelled"));
  await assert.rejects(spinning, { message: "cancelled" });
  assert.ok(!lives(pid));
});

test("a message of the job can change its time limit", async () => {
  await using pool = processes();
  const job = { input: { kind: "spin" }, timeoutMs: LONG_MS };
  const spinning = pool.run({ ...job, onMessage: (_message, allowMs) => allowMs(1) }, endless);
  await assert.rejects(spinning, limited("time"));
});

test("the memory limit holds for array buffers and WebAssembly, which no limit of the engine bounds", async () => {
  await using pool = processes(400 * MIB);
  for (const medium of ["array buffers", "WebAssembly"] as const) {
    await assert.rejects(run(pool, { kind: "fill", medium, bytes: 4096 * MIB }), limited("memory"), medium);
  }
  assert.equal(await run(pool, { kind: "fill", medium: "array buffers", bytes: 64 * MIB }), null);
});

test("a crash of native code is told apart from a process that somebody else has ended", async () => {
  await using pool = processes();
  await assert.rejects(run(pool, { kind: "abort" }), limited("crash"));
  const killed = pool.run(
    { input: { kind: "spin" }, timeoutMs: LONG_MS, onMessage: () => process.kill(pool.pids[0] ?? 0, "SIGKILL") },
    endless,
  );
  await assert.rejects(killed, (error: unknown) => !(error instanceof JobLimitError) && /SIGKILL/.test(String(error)));
});

test("a disposed pool leaves no process behind", async () => {
  const pool = processes();
  const { pid } = await run(pool, { kind: "echo", value: 1 });
  await pool[Symbol.asyncDispose]();
  assert.ok(!lives(pid));
});
