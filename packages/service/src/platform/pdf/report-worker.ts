import { parentPort, workerData } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { ReportContent } from "./report-content.ts";
import { writeReport } from "./write-report.ts";

workInBackground();

/** What the thread tells when it is done. */
export interface WrittenReport {
  readonly body: Uint8Array;
  readonly pages: number;
}

if (parentPort === null) throw new Error("report-worker.ts runs in a worker thread only");
const { body, pages } = await writeReport(workerData as ReportContent);
// Memory of buffers may be shared with others; a copy can change threads.
const copy = new Uint8Array(body);
parentPort.postMessage({ body: copy, pages } satisfies WrittenReport, [copy.buffer]);
