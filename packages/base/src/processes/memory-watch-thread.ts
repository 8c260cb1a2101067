import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { OUT_OF_MEMORY, type MemoryWatchData } from "./memory-watch.ts";

/** Memory is filled at a few GB/s: a process gets a hundred MB or so beyond its limit. */
const PERIOD_MS = 25;

function check({ maxRssBytes, parentPid }: MemoryWatchData): void {
  const isTooLarge = process.memoryUsage.rss() > maxRssBytes;
  if (isTooLarge) writeSync(2, `${OUT_OF_MEMORY}\n`);
  if (isTooLarge || process.ppid !== parentPid) process.kill(process.pid, "SIGKILL");
}

setInterval(check, PERIOD_MS, workerData as MemoryWatchData);
