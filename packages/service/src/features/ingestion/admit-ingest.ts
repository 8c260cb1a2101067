import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { IngestRequest } from "@swath/contract/features/ingestion/contract";
import type { Clock } from "@swath/base/clock";
import type { Caller, Trx } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { ingestTarget } from "./ingest-target.ts";
import * as store from "./store.ts";
import { filepathOf, uploadIdOf } from "./upload-path.ts";

export interface AdmitIngestDeps {
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, "findDataset" | "findProvider">;
}

/** Bytes that a queued ingest needs stay at least this long. */
const QUEUED_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Checks an ingest request in the transaction that accepts it.
 *
 * @throws {ServiceError} BAD-REQUEST; VALIDATION-ERROR; NON-EXISTENT-UPLOAD; CONFLICT while bytes are missing
 */
export async function admitIngest(
  { clock, catalog }: AdmitIngestDeps,
  request: Static<typeof IngestRequest>,
  caller: Caller,
  transaction: Trx,
): Promise<void> {
  ingestTarget(request, catalog);
  if (request.visibility === "organization" && (caller.organizationId ?? null) === null) {
    const message = "must be group or public: the group of the caller is of no organization";
    throw new ServiceError("VALIDATION-ERROR", `/visibility ${message}`, {
      details: [{ path: "/visibility", message }],
    });
  }
  await admitUpload({ clock }, transaction, request.filepath, caller);
}

/**
 * Checks that an upload of the caller is complete, and keeps it for the pipeline.
 *
 * @throws {ServiceError} NON-EXISTENT-UPLOAD; CONFLICT while bytes are missing
 */
export async function admitUpload(
  { clock }: Pick<AdmitIngestDeps, "clock">,
  transaction: Trx,
  filepath: string,
  caller: Caller,
): Promise<void> {
  const uploadId = uploadIdOf(filepath);
  const upload = uploadId === null ? null : await store.findUpload(transaction, uploadId);
  if (upload === null || !isOwn(upload, caller) || filepathOf(upload) !== filepath || isRefused(upload)) {
    throw new ServiceError(
      "NON-EXISTENT-UPLOAD",
      `there is no upload ${filepath}; it may have been ingested or have expired`,
    );
  }
  if (upload.status === "open") {
    throw new ServiceError(
      "CONFLICT",
      `the bytes of ${filepath} have not all arrived: ${upload.sizeBytes} are expected`,
    );
  }
  await store.prolongUpload(transaction, upload.uploadId, new Date(clock.now().getTime() + QUEUED_LIFETIME_MS));
}

function isOwn(upload: store.Upload, caller: Caller): boolean {
  return upload.userId === caller.userId || (upload.groupId !== "" && upload.groupId === caller.groupId);
}

/** Whether the bytes were found to be at fault. */
function isRefused(upload: store.Upload): boolean {
  return (upload.status === "used" || upload.status === "gone") && upload.sceneId === null;
}
