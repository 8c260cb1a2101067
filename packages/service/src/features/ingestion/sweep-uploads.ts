import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import type { UploadFolder } from "../../platform/uploads/upload-folder.ts";
import * as store from "./store.ts";
import { blobKeyOf } from "./upload-path.ts";

export interface SweepUploadsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly uploads: UploadFolder;
  /** Uploads that a request of this process is writing. */
  readonly receiving: ReadonlySet<string>;
  /** A complete upload waits this long for its ingest. */
  readonly completeLifetimeMs: number;
}

const SWEEP_BATCH = 50;

/** Removes a batch of used and expired uploads with all their bytes; answers the number of expired ones. */
export async function sweepUploads(deps: SweepUploadsDeps): Promise<number> {
  const { db, clock, blobs, uploads, receiving } = deps;
  for (const upload of await store.findUsedUploads(db, SWEEP_BATCH)) {
    await blobs.delete(blobKeyOf(upload));
    await store.forgetBytes(db, upload.uploadId);
  }
  const expired = await store.findExpiredUploads(db, clock.now(), SWEEP_BATCH);
  for (const upload of expired) {
    if (receiving.has(upload.uploadId)) continue;
    await uploads.discard(upload.uploadId);
    await blobs.delete(blobKeyOf(upload));
    // Last, so that a crash before it repeats the rest.
    await store.deleteUpload(db, upload.uploadId);
  }
  // Partial files whose rows another process has swept.
  for (const uploadId of await uploads.idleSince(clock.now().getTime() - deps.completeLifetimeMs)) {
    if (!receiving.has(uploadId)) await uploads.discard(uploadId);
  }
  return expired.length;
}
