import type { SigningKeys } from "../../platform/signed-text.ts";
import { createHash } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { BlobNotFoundError, type BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import { IMAGE_FILES, type ImageFileName } from "@swath/contract/features/export/contract";
import type { ExportedImage } from "@swath/maps/export/export-job";
import type { Db, FileRequest } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import { matchesEtag } from "../../platform/etag.ts";
import { isFileSignature } from "./file-signature.ts";
import * as store from "./store.ts";

export interface ImageFileDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly signingKeys: SigningKeys;
}

/** A request for a file by its signed address. */
export type ImageFileRequest = FileRequest<
  { readonly pipelineId: string; readonly fileName: ImageFileName },
  { readonly expires: number; readonly signature: string }
>;

const SWEEP_BATCH = 50;
const MEDIA_TYPES: Readonly<Record<ImageFileName, string>> = {
  "image.ski": "application/gzip",
  "image.tif": "image/tiff",
  "image.png": "image/png",
};

function blobKey(pipelineId: string, fileName: ImageFileName): string {
  return `exports/${pipelineId}/${fileName}`;
}

/** Writes the files of an image into the blob store. */
export async function keepFiles(
  blobs: BlobStore,
  pipelineId: string,
  image: ExportedImage,
  signal: AbortSignal,
): Promise<readonly store.KeptFile[]> {
  const bodies = { "image.ski": image.ski, "image.tif": image.geotiff, "image.png": image.png };
  const files: store.KeptFile[] = [];
  for (const name of IMAGE_FILES) {
    const body = bodies[name];
    await blobs.put(blobKey(pipelineId, name), body, { signal });
    files.push({ name, sizeBytes: body.byteLength, hash: createHash("sha256").update(body).digest("base64url") });
  }
  return files;
}

/** @throws {ServiceError} NOT-AUTHORIZED for a wrong or expired address; DATA-NOT-AVAILABLE */
export async function imageFile(
  { db, clock, blobs, signingKeys }: ImageFileDeps,
  { params: { pipelineId, fileName }, query: { expires, signature }, headers }: ImageFileRequest,
): Promise<FileAnswer> {
  const isOurs = isFileSignature(signingKeys, { pipelineId, fileName, expires }, signature);
  if (!isOurs || expires * 1000 <= clock.now().getTime()) {
    throw new ServiceError("NOT-AUTHORIZED", "the address of the file is wrong or has expired");
  }
  const image = await store.readImage(db, pipelineId);
  const file = image?.files.find(({ name }) => name === fileName);
  if (image === null || file === undefined) throw gone();
  const etag = `"${file.hash.slice(0, 27)}"`;
  const shared = { etag, "cache-control": "private, max-age=86400, immutable" };
  if (matchesEtag(headers["if-none-match"], etag)) return { status: 304, body: null, headers: shared };
  const suffix = fileName.slice("image".length);
  return {
    status: 200,
    mediaType: MEDIA_TYPES[fileName],
    body: await blobs.stream(blobKey(pipelineId, fileName)).catch((cause: unknown) => {
      throw cause instanceof BlobNotFoundError ? gone() : cause;
    }),
    contentLength: file.sizeBytes,
    // Scene identifiers consist of letters, digits, dots and dashes.
    headers: { ...shared, "content-disposition": `attachment; filename="${image.sceneId}${suffix}"` },
  };
}

/** Removes a batch of images whose addresses have ended; answers how many. */
export async function sweepImages({ db, clock, blobs }: Omit<ImageFileDeps, "signingKeys">): Promise<number> {
  const now = clock.now();
  const expired = await store.findExpiredImages(db, now, SWEEP_BATCH);
  for (const pipelineId of expired) {
    for (const name of IMAGE_FILES) await blobs.delete(blobKey(pipelineId, name));
    // Last, so that a crash before it repeats the rest.
    await store.deleteImage(db, pipelineId, now);
  }
  return expired.length;
}

function gone(): ServiceError {
  return new ServiceError("DATA-NOT-AVAILABLE", "the file is not kept any more: export the image again");
}
