import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { constants, platform, setPriority } from "node:os";
import { basename } from "node:path";

/**
 * The lowest priority of a thread. Two threads that only counted kept both cores busy, beside one that works for a quarter
 * of its time. It waited for more than 4 ms 5 to 7 times a second where their priority was 10, once where it was 19.
 */
const BACKGROUND = constants.priority.PRIORITY_LOW;

/**
 * The program that changes the policy of a thread, which Node cannot. Whoever wakes up takes the processor at once from a
 * thread of `SCHED_IDLE`, but after 4 ms from one of the lowest priority. The 99th percentile of a tile beside two threads
 * that clip star polygons is 1.3 to 2.0 ms, and 3.1 ms by priority alone.
 */
const CHRT = "chrt";
const LONGEST_MS = 2_000;

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
    for (const threadId of threadIds()) {
      setPriority(Number(threadId), BACKGROUND);
      // Short options: the program of BusyBox has no long ones. Without the program the priority alone stays.
      spawnSync(CHRT, ["-i", "-p", "0", threadId], { stdio: "ignore", timeout: LONGEST_MS });
    }
  } catch {
    // Without /proc, or where a sandbox forbids it, threads work as others do.
  }
}
