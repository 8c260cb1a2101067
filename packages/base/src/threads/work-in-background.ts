import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { constants, platform, setPriority } from "node:os";
import { basename } from "node:path";
import { isIdle, policyCommand } from "./policy-of-threads.ts";

/**
 * The lowest priority of a thread. Two threads that only counted kept both cores busy, beside one that works for a quarter
 * of its time. It waited for more than 4 ms 5 to 7 times a second where their priority was 10, once where it was 19.
 */
const BACKGROUND = constants.priority.PRIORITY_LOW;

/** Longest wait for the program that changes the policy, ms. It took 1.5 s by the lowest priority beside three threads that only counted, 0.05 s by the usual one. */
const LONGEST_MS = 20_000;

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

/**
 * Whoever wakes up takes the processor at once from a thread of the policy `idle`, but after 4 ms from one of the lowest
 * priority. The 99th percentile of a tile beside two threads that clip star polygons is 1.3 to 2.0 ms, and 3.1 ms by
 * priority alone. Without the program the priority alone stays.
 */
function lower(threadIds: () => readonly string[]): void {
  if (platform() !== "linux") return;
  try {
    const lowered = threadIds();
    const others = lowered.filter((threadId) => !isIdle(threadId));
    // The program inherits the priority of this thread: it comes first.
    if (others.length > 0) spawnSync(...policyCommand("idle", others), { stdio: "ignore", timeout: LONGEST_MS });
    for (const threadId of lowered) setPriority(Number(threadId), BACKGROUND);
  } catch {
    // Without /proc, or where a sandbox forbids it, threads work as others do.
  }
}
