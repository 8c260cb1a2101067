import { Worker } from "node:worker_threads";
import type { ReportContent } from "./report-content.ts";
import type { WrittenReport } from "./report-worker.ts";

/**
 * Writes a report in a thread of its own: pictures are decoded and compressed again.
 *
 * @throws the signal's reason when it aborts, which ends the thread
 */
export async function writeReportInWorker(content: ReportContent, signal: AbortSignal): Promise<WrittenReport> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("report-worker.ts", import.meta.url), { workerData: content });
  const { promise, resolve, reject } = Promise.withResolvers<WrittenReport>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.on("message", resolve);
  worker.on("error", reject);
  worker.on("exit", (code) => reject(new Error(`the thread that writes reports ended with code ${code}`)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}
