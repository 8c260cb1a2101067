import { Worker } from "node:worker_threads";

/** Start data of the watching thread. */
export interface MemoryWatchData {
  /** Most resident memory of the process. */
  readonly maxRssBytes: number;
  readonly parentPid: number;
}

/** Message on standard error before a process ends for want of memory. */
export const OUT_OF_MEMORY = "swath: the process is out of memory";

/**
 * Ends this process when it takes more memory than the limit or outlives its parent. A separate thread watches, so
 * that work that never returns ends as well. Resident memory counts array buffers, WebAssembly and native code, which
 * no limit of the engine bounds.
 */
export function watchMemory(maxRssBytes: number): void {
  const workerData: MemoryWatchData = { maxRssBytes, parentPid: process.ppid };
  new Worker(new URL("memory-watch-thread.ts", import.meta.url), { workerData }).unref();
}
