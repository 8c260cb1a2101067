import { readdirSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { constants, getPriority, platform, setPriority } from "node:os";
import { execPath, pid } from "node:process";
import { setPolicy } from "./policy-of-threads.ts";

/** Priority of the engine's threads below the main thread's. */
const ENGINE_STEP = 10;

/**
 * Name of a thread that works on files, compression and hashes of passwords. It keeps its priority: a sign-in is mostly such
 * a hash, and does not come after the statements of other callers.
 */
const LIBUV = "libuv-worker";

/**
 * Makes the threads that help the main thread give way to it: the engine's (collector, compiler) and libuv's (files,
 * compression, hashes of passwords). The caller has started no other threads yet. Linux schedules threads by themselves;
 * elsewhere nothing changes. Without `chrt` only the engine's priority is lower. Never rejects.
 *
 * Beside areas of 9,000 vertices the main thread waited 74 times in 10 s for more than a millisecond. With `batch` for both
 * it was 33 times, and 13 times with the lower priority too. By `idle` the engine's threads starve: while a collection waits
 * for them, each thread that answers turns its loop without a pause. Two of them held both processors for minutes.
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
    for (const threadId of helpers) {
      if (!isOfLibuv(threadId)) setPriority(Number(threadId), priority);
    }
    await setPolicy("batch", helpers);
  } catch {
    // Without /proc, or where a sandbox forbids it, threads help as before.
  }
}

function isOfLibuv(threadId: string): boolean {
  return readFileSync(`/proc/self/task/${threadId}/comm`, "utf8").trim() === LIBUV;
}
