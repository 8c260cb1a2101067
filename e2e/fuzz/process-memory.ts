import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Resident memory of a process and of all its descendants, MiB. */
async function residentMib(pid: number): Promise<number> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,rss="]);
  const processes = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([id = 0, parent = 0, kib = 0]) => ({ id, parent, kib }));
  const family = new Set([pid]);
  for (let before = 0; before !== family.size;) {
    before = family.size;
    for (const { id, parent } of processes) if (family.has(parent)) family.add(id);
  }
  return processes.filter(({ id }) => family.has(id)).reduce((sum, { kib }) => sum + kib, 0) / 1024;
}

/** The largest memory of a process family, looked at now and then. */
export interface MemoryWatch extends AsyncDisposable {
  readonly peakMib: number;
}

export function watchMemory(pid: number, everyMs: number): MemoryWatch {
  let peakMib = 0;
  let running: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    // A process that has just ended has no memory.
    peakMib = Math.max(peakMib, await residentMib(pid).catch(() => 0));
    running = null;
  };
  const timer = setInterval(() => {
    running ??= look();
  }, everyMs);
  return {
    get peakMib() {
      return peakMib;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}
