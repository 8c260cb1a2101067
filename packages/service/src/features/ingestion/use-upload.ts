import { statusOf } from "../../error-status.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Db, PipelineJob } from "../../platform/context.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
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
    const isAtFault = error instanceof ServiceError && statusOf(error) < 500 && !job.signal.aborted;
    if (isAtFault) await store.useUpload(db, upload.uploadId, null);
    throw error;
  } finally {
    await folders.remove(folder);
  }
}
