import type { SigningKeys } from "../../platform/signed-text.ts";
import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { UploadAnswer, UploadRequest } from "@swath/contract/features/ingestion/contract";
import type { Clock } from "@swath/base/clock";
import type { Db, RequestContext } from "../../platform/context.ts";
import type { DiskSpace } from "../../platform/storage/disk-space.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import * as store from "./store.ts";
import { filepathOf, newUploadId } from "./upload-path.ts";
import { signUpload } from "./upload-token.ts";

export interface RequestUploadDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Secret of the upload addresses, at least 32 bytes, the same in all processes. */
  readonly signingKeys: SigningKeys;
  readonly maxUploadBytes: number;
  readonly quotas: UploadQuotas;
  readonly disk: Pick<DiskSpace, "require">;
}

/** Most bytes of the uploads that wait for their bytes or their ingest. */
export interface UploadQuotas {
  readonly totalBytes: number;
  readonly groupBytes: number;
}

/** An upload address is good for an hour. */
const ADDRESS_LIFETIME_MS = 60 * 60 * 1000;
const MAX_OPEN_UPLOADS = 100;

/** Promises a place for a file. @throws {ServiceError} PAYLOAD-TOO-LARGE, TOO-MANY-REQUESTS, INSUFFICIENT-STORAGE */
export async function requestUpload(
  { db, clock, disk, signingKeys, maxUploadBytes, quotas }: RequestUploadDeps,
  { uploadSuffix, size, filename }: Static<typeof UploadRequest>,
  { caller, baseUrl }: RequestContext,
): Promise<Static<typeof UploadAnswer>> {
  if (size > maxUploadBytes) {
    throw new ServiceError("PAYLOAD-TOO-LARGE", `the file has ${size} bytes, expected at most ${maxUploadBytes}`);
  }
  if ((await store.countOpenUploads(db, caller.userId, clock.now())) >= MAX_OPEN_UPLOADS) {
    const message = `${MAX_OPEN_UPLOADS} uploads of yours are open, finish them first`;
    throw new ServiceError("TOO-MANY-REQUESTS", message, { retryAfterS: 60 });
  }
  await disk.require(size);
  const expiresAt = new Date(clock.now().getTime() + ADDRESS_LIFETIME_MS);
  const upload: store.Upload = {
    uploadId: newUploadId(),
    userId: caller.userId,
    groupId: caller.groupId,
    filename,
    suffix: uploadSuffix,
    sizeBytes: size,
    status: "open",
    sceneId: null,
    expiresAt,
  };
  await inTransaction(db, async (trx) => {
    requireQuota(await store.lockedUploadBytes(trx, caller.groupId), size, quotas);
    await store.insertUpload(trx, upload, clock.now());
  });
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = signUpload(signingKeys, upload.uploadId, expires);
  return {
    filepath: filepathOf(upload),
    url: `${baseUrl}/imagery/ingest-scene/upload/${upload.uploadId}?expires=${expires}&signature=${signature}`,
  };
}

/** @throws {ServiceError} INSUFFICIENT-STORAGE */
function requireQuota(kept: store.UploadBytes, sizeBytes: number, { groupBytes, totalBytes }: UploadQuotas): void {
  const mayHold = Math.min(groupBytes - kept.groupBytes, totalBytes - kept.totalBytes);
  if (sizeBytes <= mayHold) return;
  const whose = groupBytes - kept.groupBytes < totalBytes - kept.totalBytes ? "your group" : "all groups";
  throw new ServiceError(
    "INSUFFICIENT-STORAGE",
    `uploads of ${whose} may have ${Math.max(0, mayHold)} bytes more, got ${sizeBytes}; ingest some of them first`,
    { retryAfterS: 60 },
  );
}
