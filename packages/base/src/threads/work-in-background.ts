import { readdirSync, readlinkSync } from "node:fs";
import { constants, platform, setPriority } from "node:os";
import { basename } from "node:path";

/**
 * The lowest priority of a thread. Two threads that only counted kept both cores busy, beside one that works for a quarter
 * of its time. It waited for more than 4 ms 5 to 7 times a second where their priority was 10, once where it was 19.
 */
const BACKGROUND = constants.priority.PRIORITY_LOW;

/**
 * Lowers the priority of the calling thread, and of threads that it starts: work that takes seconds leaves the cores to
 * the thread that answers. Linux schedules threads by themselves; elsewhere a priority belongs to the whole process, and
 * nothing changes.
 */
export function workInBackground(): void {
  lower(() => [basename(readlinkSync("/proc/thread-self"))]);
}

/** The same for all threads of this process: the engine starts some before the first line runs. */
export function runInBackground(): void {
  lower(() => readdirSync("/proc/self/task"));
}

function lower(threadIds: () => readonly string[]): void {
  if (platform() !== "linux") return;
  try {
    for (const threadId of threadIds()) setPriority(Number(threadId), BACKGROUND);
  } catch {
    // Without /proc, or where a sandbox forbids it, threads work as others do.
  }
}
