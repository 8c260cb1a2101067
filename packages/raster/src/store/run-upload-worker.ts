import { Worker } from "node:worker_threads";
import { RasterError } from "../raster-error.ts";
import type { UploadJob } from "./read-upload.ts";
import type { SceneDraft } from "./scene-draft.ts";
import type { UploadWorkerAnswer, UploadWorkerRequest } from "./upload-worker.ts";

/**
 * Runs `readUpload` in a worker thread, which keeps the event loop of the caller free of pixel work.
 *
 * When the signal aborts, the thread stops and closes its files. The promise then rejects with the reason of the signal.
 */
export async function readUploadInWorker(
  job: UploadJob,
  signal: AbortSignal,
  onProgress?: (share: number) => void,
): Promise<SceneDraft> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("upload-worker.ts", import.meta.url));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  const tell = (request: UploadWorkerRequest): void => worker.postMessage(request);
  const abort = (): void => tell({ kind: "abort" });
  signal.addEventListener("abort", abort, { once: true });
  try {
    const answer = await new Promise<Exclude<UploadWorkerAnswer, { kind: "progress" }>>((resolve, reject) => {
      worker.on("message", (message: UploadWorkerAnswer) => {
        if (message.kind === "progress") onProgress?.(message.share);
        else resolve(message);
      });
      worker.on("error", reject);
      worker.on("exit", (code) => reject(new Error(`the thread that reads uploads ended with code ${code}`)));
      tell({ kind: "read", job });
    });
    signal.throwIfAborted();
    if (answer.kind === "draft") return answer.draft;
    if (answer.kind === "refused") {
      throw new RasterError(
        answer.reason,
        answer.message,
        answer.details.length > 0 ? { details: answer.details } : {},
      );
    }
    throw new Error(`reading the upload failed: ${answer.message}`, { cause: answer.stack });
  } finally {
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}
