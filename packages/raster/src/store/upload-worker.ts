import { parentPort } from "node:worker_threads";
import { fileFault } from "../file-fault.ts";
import { RasterError, type RasterErrorReason } from "../raster-error.ts";
import type { ErrorDetail } from "@swath/kernel/errors/service-error";
import { readUpload, type UploadJob } from "./read-upload.ts";
import type { SceneDraft } from "./scene-draft.ts";

/** Messages to the thread. */
export type UploadWorkerRequest =
  | { readonly kind: "read"; readonly job: UploadJob }
  /** Stop as soon as possible; an answer follows all the same. */
  | { readonly kind: "abort" };

/** Messages of the thread. */
export type UploadWorkerAnswer =
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "draft"; readonly draft: SceneDraft }
  | {
      readonly kind: "refused";
      readonly reason: RasterErrorReason;
      readonly message: string;
      readonly details: readonly ErrorDetail[];
    }
  | { readonly kind: "failed"; readonly message: string; readonly stack: string };

/** Least step between reports of progress, as a share. */
const PROGRESS_STEP = 0.02;

const port = parentPort;
if (port === null) throw new Error("upload-worker.ts runs in a worker thread only");
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
const answer = (message: UploadWorkerAnswer): void => port.postMessage(message);
const aborting = new AbortController();

port.on("message", (request: UploadWorkerRequest) => {
  if (request.kind === "abort") {
    aborting.abort();
    return;
  }
  let told = 0;
  readUpload(request.job, aborting.signal, (share) => {
    if (share - told < PROGRESS_STEP) return;
    told = share;
    answer({ kind: "progress", share });
  })
    .then(
      (draft) => answer({ kind: "draft", draft }),
      (error: unknown) => {
        const fault = fileFault(request.job.name, error);
        if (fault instanceof RasterError) {
          answer({ kind: "refused", reason: fault.reason, message: fault.message, details: fault.details ?? [] });
        } else {
          const cause = error instanceof Error ? error : new Error(String(error));
          answer({ kind: "failed", message: cause.message, stack: cause.stack ?? "" });
        }
      },
    )
    .finally(() => port.close());
});
