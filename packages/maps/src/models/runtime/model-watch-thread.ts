import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** Start data of the thread. */
export interface ModelWatchData {
  /** Most resident memory of the process. */
  readonly maxRssBytes: number;
  readonly parentPid: number;
}

/** Message on standard error before the process ends for want of memory. */
export const OUT_OF_MEMORY = "swath: the model is out of memory";

/** Memory is filled at a few GB/s: a model gets a hundred MB or so beyond its limit. */
const PERIOD_MS = 25;

function isData(data: unknown): data is ModelWatchData {
  return typeof data === "object" && data !== null && "maxRssBytes" in data && "parentPid" in data;
}

/** Runs beside a thread that is busy in the runtime for as long as a tile takes, and can be stopped by nothing else. */
function check({ maxRssBytes, parentPid }: ModelWatchData): void {
  const isTooLarge = process.memoryUsage.rss() > maxRssBytes;
  if (isTooLarge) writeSync(2, `${OUT_OF_MEMORY}\n`);
  if (isTooLarge || process.ppid !== parentPid) process.kill(process.pid, "SIGKILL");
}

// Only the thread has data; an import of the text starts nothing.
if (isData(workerData)) setInterval(check, PERIOD_MS, workerData);
