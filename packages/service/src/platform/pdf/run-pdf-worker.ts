import { Worker } from "node:worker_threads";

/** A written file. */
export interface WrittenPdf {
  readonly body: Uint8Array;
  readonly pages: number;
}

/**
 * Writes a PDF in a separate thread: fonts and pictures are decoded and compressed again.
 *
 * @param script posts one `WrittenPdf` for the content in its `workerData`
 * @throws the signal's reason when it aborts, which ends the thread
 */
export async function runPdfWorker(script: URL, content: unknown, signal: AbortSignal): Promise<WrittenPdf> {
  signal.throwIfAborted();
  const worker = new Worker(script, { workerData: content });
  const { promise, resolve, reject } = Promise.withResolvers<WrittenPdf>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.on("message", resolve);
  worker.on("error", reject);
  worker.on("exit", (code) => reject(new Error(`the thread that writes PDFs ended with code ${code}`)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}
