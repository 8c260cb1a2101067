import type { SigningKeys } from "../../platform/signed-text.ts";
import { ErrorWithHeaders } from "../../error-with-headers.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db, FileRequest } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import type { DiskSpace } from "../../platform/storage/disk-space.ts";
import { UploadLengthError } from "../../platform/uploads/upload-folder.ts";
import type { UploadFolder } from "../../platform/uploads/upload-folder.ts";
import { parseContentRange } from "./content-range.ts";
import type { ContentRange } from "./content-range.ts";
import { blobKeyOf, filepathOf } from "./upload-path.ts";
import { isUploadSignature } from "./upload-token.ts";
import * as store from "./store.ts";

export interface ReceiveDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly uploads: UploadFolder;
  readonly disk: Pick<DiskSpace, "promise">;
  readonly signingKeys: SigningKeys;
  /** Uploads that a request of this process is writing. */
  readonly receiving: Set<string>;
  /** Until when a complete upload is kept. */
  readonly keepUntil: () => Date;
}

type PutRequest = FileRequest<{ readonly uploadId: string }, { readonly expires: number; readonly signature: string }>;

/** Answers one PUT of upload bytes, as the contract describes. */
export async function receiveUpload(deps: ReceiveDeps, request: PutRequest, signal: AbortSignal): Promise<FileAnswer> {
  const { uploadId } = request.params;
  const { expires, signature } = request.query;
  if (!isUploadSignature(deps.signingKeys, uploadId, expires, signature)) {
    throw new ServiceError("NOT-AUTHORIZED", "the signature of the upload address is wrong");
  }
  if (expires * 1000 <= deps.clock.now().getTime()) {
    throw new ServiceError("NOT-AUTHORIZED", "the upload address has expired, request a new one");
  }
  const upload = await store.findUpload(deps.db, uploadId);
  if (upload === null || upload.status === "used" || upload.status === "gone") {
    throw new ServiceError("NON-EXISTENT-UPLOAD", "there is no such upload; it may have been ingested or have expired");
  }
  const range = checkedRange(request, upload.sizeBytes);
  if (upload.status === "complete") return completeAnswer(upload);
  if (deps.receiving.has(uploadId)) {
    throw new ServiceError("CONFLICT", "another request is sending this file");
  }
  deps.receiving.add(uploadId);
  try {
    const received = await deps.uploads.receivedBytes(uploadId);
    if (range.kind === "query")
      return received === upload.sizeBytes ? await finish(deps, upload) : partialAnswer(received);
    const start = range.kind === "part" ? range.start : 0;
    const end = range.kind === "part" ? range.end : upload.sizeBytes;
    if (start > received) {
      throw new ErrorWithHeaders(
        "CONFLICT",
        `the part begins at byte ${start} and only ${received} bytes have arrived`,
        { ...rangeHeader(received) },
      );
    }
    if (request.body === null) throw new ServiceError("BAD-REQUEST", "the request has no body");
    using space = await deps.disk.promise(end - start);
    const total = await deps.uploads.receive(uploadId, request.body, {
      start,
      lengthBytes: end - start,
      whole: range.kind === "whole",
      space,
      signal,
    });
    return total === upload.sizeBytes ? await finish(deps, upload) : partialAnswer(total);
  } catch (error) {
    if (error instanceof UploadLengthError) throw new ServiceError("BAD-REQUEST", error.message, { cause: error });
    throw error;
  } finally {
    deps.receiving.delete(uploadId);
  }
}

function checkedRange(request: PutRequest, sizeBytes: number): ContentRange {
  const header = request.headers["content-range"];
  const range = parseContentRange(header);
  if (range === null) {
    throw new ServiceError(
      "BAD-REQUEST",
      `Content-Range is "${header}", expected "bytes first-last/size" or "bytes */size"`,
    );
  }
  if (range.kind !== "whole" && range.total !== sizeBytes) {
    throw new ServiceError(
      "BAD-REQUEST",
      `Content-Range states a size of ${range.total} bytes, ${sizeBytes} were announced`,
    );
  }
  const expected = range.kind === "whole" ? sizeBytes : range.kind === "part" ? range.end - range.start : 0;
  const stated = request.headers["content-length"];
  // Said early, before a body of the wrong length is sent; chunked bodies are counted as they come.
  if (stated !== undefined && Number(stated) !== expected) {
    throw new ServiceError("BAD-REQUEST", `the body has ${stated} bytes, expected ${expected}`);
  }
  return range;
}

/** Makes the file a blob, which any worker can read. */
async function finish(deps: ReceiveDeps, upload: store.Upload): Promise<FileAnswer> {
  const path = await deps.uploads.finish(upload.uploadId);
  await deps.blobs.putFile(blobKeyOf(upload), path);
  await store.completeUpload(deps.db, upload.uploadId, deps.keepUntil());
  return completeAnswer(upload);
}

function completeAnswer(upload: store.Upload): FileAnswer {
  const body = new TextEncoder().encode(JSON.stringify({ filepath: filepathOf(upload), size: upload.sizeBytes }));
  return { status: 200, mediaType: "application/json", body };
}

function partialAnswer(received: number): FileAnswer {
  return { status: 308, body: null, headers: rangeHeader(received) };
}

/** No header when nothing has arrived: there is no last byte to name. */
function rangeHeader(received: number): Record<string, string> {
  return received === 0 ? {} : { Range: `bytes=0-${received - 1}` };
}
