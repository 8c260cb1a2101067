import type { ErrorDetail } from "@swath/kernel/errors/service-error";
import { serveJobs } from "@swath/base/processes/serve-jobs";
import { fileFault } from "../file-fault.ts";
import { RasterError, type RasterErrorReason } from "../raster-error.ts";
import { readUpload, type UploadJob } from "./read-upload.ts";
import type { SceneDraft } from "./scene-draft.ts";

/** Messages of the process while it reads an upload. */
export type UploadMessage =
  /** The headers are read: the pixels take so many bytes. */
  { readonly kind: "opened"; readonly pixelBytes: number } | { readonly kind: "progress"; readonly share: number };

export type UploadOutcome =
  | { readonly kind: "draft"; readonly draft: SceneDraft }
  | {
      readonly kind: "refused";
      readonly reason: RasterErrorReason;
      readonly message: string;
      readonly details: readonly ErrorDetail[];
    };

/** Least step between reports of progress, as a share. */
const PROGRESS_STEP = 0.02;
/** The parent ends the process instead. */
const unending = new AbortController().signal;

serveJobs(async (input, send): Promise<UploadOutcome> => {
  const job = input as UploadJob;
  const tell = (message: UploadMessage): void => send(message);
  let told = 0;
  try {
    const draft = await readUpload(job, unending, {
      onOpened: (pixelBytes) => tell({ kind: "opened", pixelBytes }),
      onProgress: (share) => {
        if (share - told < PROGRESS_STEP) return;
        told = share;
        tell({ kind: "progress", share });
      },
    });
    return { kind: "draft", draft };
  } catch (error) {
    const fault = fileFault(job.name, error);
    if (!(fault instanceof RasterError)) throw error;
    return { kind: "refused", reason: fault.reason, message: fault.message, details: fault.details ?? [] };
  }
});
