import { readlinkSync } from "node:fs";
import { constants, platform, setPriority } from "node:os";
import { basename } from "node:path";

/**
 * Lowers the priority of the calling thread, and of threads that it starts: work that takes seconds leaves the cores to
 * the thread that answers. Linux schedules threads by themselves; elsewhere a priority belongs to the whole process, and
 * nothing changes.
 */
export function workInBackground(): void {
  if (platform() !== "linux") return;
  try {
    const threadId = Number(basename(readlinkSync("/proc/thread-self")));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where a sandbox forbids it, the thread works as others do.
  }
}
