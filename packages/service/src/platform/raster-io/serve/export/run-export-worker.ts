import { Worker } from "node:worker_threads";
import type { BlobStore } from "../../../blobs/blob-store.ts";
import { blobKeys } from "../render/render-engine.ts";
import { describeFailure, failureError } from "../threads/messages.ts";
import type { ExportedImage, ExportJob } from "./export-job.ts";
import type { FromExportWorker, ToExportWorker } from "./export-worker.ts";

/**
 * Makes the files of an image in a thread of its own: millions of pixels are read, drawn and compressed.
 *
 * @throws {ServiceError} SCENE-UNREADABLE, DATA-NOT-AVAILABLE; the signal's reason when it aborts, which ends the thread
 */
export async function exportInWorker(
  blobs: Pick<BlobStore, "localPath" | "read">,
  job: ExportJob,
  signal: AbortSignal,
): Promise<ExportedImage> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("export-worker.ts", import.meta.url));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  const tell = (message: ToExportWorker): void => worker.postMessage(message);
  const finished = Promise.withResolvers<ExportedImage>();
  const abort = (): void => finished.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.on("message", (message: FromExportWorker) => {
    switch (message.kind) {
      case "fetch": {
        const { id, range } = message;
        blobs.read(range.key, range.offset, range.length, { signal }).then(
          (bytes) => tell({ kind: "fetched", id, bytes }),
          (error: unknown) => tell({ kind: "fetch-failed", id, failure: describeFailure(error) }),
        );
        break;
      }
      case "exported":
        finished.resolve(message.image);
        break;
      case "failed":
        finished.reject(failureError(message.failure));
        break;
      default:
        message satisfies never;
    }
  });
  worker.on("error", finished.reject);
  worker.on("exit", (code) => finished.reject(new Error(`the thread that exports images ended with code ${code}`)));
  try {
    const keys = blobKeys(job.raster);
    tell({ kind: "export", job, paths: Object.fromEntries(keys.map((key) => [key, blobs.localPath(key)])) });
    return await finished.promise;
  } finally {
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}
