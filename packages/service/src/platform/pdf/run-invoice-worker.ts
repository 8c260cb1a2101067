import type { InvoiceContent } from "./invoice-content.ts";
import { runPdfWorker, type WrittenPdf } from "./run-pdf-worker.ts";

/** Writes an invoice in a thread. @throws the signal's reason when it aborts, which ends the thread */
export function writeInvoiceInWorker(content: InvoiceContent, signal: AbortSignal): Promise<WrittenPdf> {
  return runPdfWorker(new URL("invoice-worker.ts", import.meta.url), content, signal);
}
