import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { constants, getPriority, platform, setPriority } from "node:os";
import { execPath, pid } from "node:process";

/** Priority of the engine's threads below the main thread's. */
const ENGINE_STEP = 10;

/**
 * Name of a thread that works on files, compression and hashes of passwords. It keeps its priority: a sign-in is mostly such
 * a hash, and does not come after the statements of other callers.
 */
const LIBUV = "libuv-worker";

/**
 * A thread of `SCHED_BATCH` does not take the processor from another one when it wakes up. The short option is the one
 * that the program of BusyBox has too.
 */
const SCHEDULE_AS_BATCH = 'for thread; do chrt -b -p 0 "$thread"; done';

/**
 * Makes the threads that help the main thread give way to it: the engine's (collector, compiler) and libuv's (files,
 * compression, hashes of passwords). The caller has started no other threads yet. Linux schedules threads by themselves;
 * elsewhere nothing changes. Without `chrt` only the engine's priority is lower. Never rejects.
 *
 * Beside areas of 9,000 vertices the main thread waited 74 times in 10 s for more than a millisecond. With the policy for
 * both it was 33 times, and 13 times with a `nice` of 10 for both.
 *
 * @returns when the threads are scheduled so
 */
export async function putMainThreadFirst(): Promise<void> {
  if (platform() !== "linux") return;
  try {
    // The first operation on a file starts the threads of libuv.
    await stat(execPath);
    const helpers = readdirSync("/proc/self/task").filter((threadId) => threadId !== String(pid));
    const priority = Math.min(constants.priority.PRIORITY_LOW, getPriority() + ENGINE_STEP);
    for (const threadId of helpers) if (!isOfLibuv(threadId)) setPriority(Number(threadId), priority);
    await ended(spawn("sh", ["-c", SCHEDULE_AS_BATCH, "sh", ...helpers], { stdio: "ignore" }));
  } catch {
    // Without /proc, or where a sandbox forbids it, threads help as before.
  }
}

function isOfLibuv(threadId: string): boolean {
  return readFileSync(`/proc/self/task/${threadId}/comm`, "utf8").trim() === LIBUV;
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("error", () => resolve()).once("exit", () => resolve());
  await promise;
}
