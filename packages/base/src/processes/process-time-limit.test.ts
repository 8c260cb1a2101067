import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { platform } from "node:os";
import { test } from "node:test";
import { limitProcessTime } from "./process-time-limit.ts";
import { processorMs } from "./processor-time.ts";

const LIMIT_MS = 300;

/** A process that has begun to run `source`. */
async function begun(source: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", `console.log("begun"); ${source}`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  assert.ok(child.stdout !== null);
  await once(child.stdout, "data");
  return child;
}

/** The milliseconds after which the time of a process is over. */
async function overAfterMs(pid: number | undefined): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const startedMs = performance.now();
  using _ = limitProcessTime(pid, LIMIT_MS, () => resolve());
  await promise;
  return performance.now() - startedMs;
}

test("a process that works ends with its time, one that gets no processor has four times as much", async () => {
  const working = await begun("for (;;);");
  // A process without a processor and one that waits use as little of it.
  const waiting = await begun("setInterval(() => {}, 60_000);");
  try {
    const worked: number[] = [];
    // On a busy machine it may get no processor for as long.
    while (worked.length < 5 && !worked.some((ms) => ms < 4 * LIMIT_MS)) worked.push(await overAfterMs(working.pid));
    assert.ok(Math.min(...worked) >= LIMIT_MS && Math.min(...worked) < 4 * LIMIT_MS, worked.join());
    const waitedMs = await overAfterMs(waiting.pid);
    const factor = platform() === "linux" ? 4 : 1;
    assert.ok(waitedMs >= factor * LIMIT_MS, `${waitedMs} ms`);
  } finally {
    working.kill("SIGKILL");
    waiting.kill("SIGKILL");
  }
});

test("where nothing tells the processor time, the time is that of the clock", async () => {
  assert.equal(processorMs(undefined), null);
  const passedMs = await overAfterMs(undefined);
  assert.ok(passedMs >= LIMIT_MS, `${passedMs} ms`);
});

test("the time can change while it runs, and a limit that has ended tells nothing", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const over: number[] = [];
  const ended = limitProcessTime(undefined, 1, (timeoutMs) => over.push(timeoutMs));
  ended[Symbol.dispose]();
  using limit = limitProcessTime(undefined, 60_000, (timeoutMs) => over.push(timeoutMs));
  limit.allowMs(0);
  t.mock.timers.tick(1);
  assert.deepEqual(over, [0]);
});

test("the processor time of this process is told", { skip: platform() !== "linux" }, () => {
  const { system, user } = process.cpuUsage();
  const toldMs = processorMs(process.pid) ?? 0;
  assert.ok(Math.abs(toldMs - (system + user) / 1_000) < 100, `${toldMs} ms`);
});
