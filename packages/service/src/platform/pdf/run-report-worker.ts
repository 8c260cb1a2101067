import type { ReportContent } from "./report-content.ts";
import { runPdfWorker, type WrittenPdf } from "./run-pdf-worker.ts";

/** Writes a report in a thread. @throws the signal's reason when it aborts, which ends the thread */
export function writeReportInWorker(content: ReportContent, signal: AbortSignal): Promise<WrittenPdf> {
  return runPdfWorker(new URL("report-worker.ts", import.meta.url), content, signal);
}
