import { Worker } from "node:worker_threads";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { blobKeys } from "../render/render-engine.ts";
import { failureError } from "@swath/base/threads/thread-failure";
import { answerFetch } from "../threads/relayed-fetch.ts";
import { runInWorker } from "@swath/base/threads/run-in-worker";
import type { ExportedImage, ExportJob } from "./export-job.ts";
import type { FromExportWorker, ToExportWorker } from "./export-worker.ts";

/**
 * Makes the files of an image in a separate thread: it reads, draws and compresses millions of pixels.
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
  const receive = (
    message: FromExportWorker,
    finished: PromiseWithResolvers<ExportedImage>,
    reading: AbortSignal,
  ): void => {
    switch (message.kind) {
      case "fetch":
        void answerFetch(blobs, message, reading).then(tell);
        break;
      case "exported":
        finished.resolve(message.image);
        break;
      case "failed":
        finished.reject(failureError(message.failure));
        break;
      default:
        message satisfies never;
    }
  };
  const start = (): void => {
    const keys = blobKeys(job.raster);
    tell({ kind: "export", job, paths: Object.fromEntries(keys.map((key) => [key, blobs.localPath(key)])) });
  };
  return await runInWorker({ worker, does: "exports images", start, receive }, signal);
}
