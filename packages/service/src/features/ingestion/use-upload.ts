import { statusOf } from "../../error-status.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Db, PipelineJob } from "../../platform/context.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import { FailedRunError } from "../../platform/queue/failed-run-error.ts";
import * as store from "./store.ts";
import { blobKeyOf, uploadIdOf } from "./upload-path.ts";

export interface UseUploadDeps {
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly folders: WorkFolders;
}

/**
 * Reads the file of an upload that is no scene. An upload whose file is at fault is used up.
 *
 * @param use takes the path of the file, which is there until it ends
 * @throws {ServiceError} NON-EXISTENT-UPLOAD; whatever `use` throws
 */
export async function withUpload<Result>(
  { blobs, db, folders }: UseUploadDeps,
  filepath: string,
  job: Pick<PipelineJob, "attempt" | "pipelineId" | "signal">,
  use: (path: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const upload = await store.findUpload(db, uploadIdOf(filepath) ?? "");
  if (upload === null || upload.status !== "complete") {
    throw new ServiceError("NON-EXISTENT-UPLOAD", `the bytes of ${filepath} are not there any more`);
  }
  const folder = await folders.create(job.pipelineId, job.attempt);
  try {
    using guard = folders.guard(folder, job.signal);
    const path = await folders.localCopy(blobs, blobKeyOf(upload), folder, guard.signal);
    return await use(path, guard.signal);
  } catch (error) {
    throw failureOfUpload(upload.uploadId, error, job.signal);
  } finally {
    await folders.remove(folder);
  }
}

/**
 * The failure of a run that has read an upload. Where the file itself is at fault, another attempt with it would end the
 * same way: its upload is used up when the pipeline ends. Not so when the time of the image can be given.
 */
export function failureOfUpload(uploadId: string, error: unknown, signal: AbortSignal): unknown {
  if (!(error instanceof ServiceError) || statusOf(error) >= 500 || signal.aborted) return error;
  if (error.code === "ACQUISITION-TIME-UNKNOWN") return error;
  return new FailedRunError(error, (trx) => store.useUpload(trx, uploadId, null));
}
