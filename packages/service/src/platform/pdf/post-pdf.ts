import { parentPort } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { WrittenPdf } from "./run-pdf-worker.ts";

/** Writes a PDF and posts it to the thread that asked. @throws {Error} outside a worker thread */
export async function postPdf(write: () => Promise<WrittenPdf>): Promise<void> {
  if (parentPort === null) throw new Error("PDFs are written in a worker thread only");
  workInBackground();
  const { body, pages } = await write();
  // Memory of buffers may be shared with others; a copy can change threads.
  const copy = new Uint8Array(body);
  parentPort.postMessage({ body: copy, pages } satisfies WrittenPdf, [copy.buffer]);
}
