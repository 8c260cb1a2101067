import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { formatInstant } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db, FileRequest, PipelineJob } from "../context.ts";
import type { FileAnswer } from "../sent-file.ts";
import { isSignatureOf, signText, type SigningKeys } from "../signed-text.ts";
import { rangedAnswer } from "./ranged-file.ts";
import * as store from "./download-store.ts";

interface KeptDownload {
  readonly url: string;
  readonly size: number;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly expires: string;
}

interface NewDownload {
  /** Letters, digits, dots and dashes. */
  readonly fileName: string;
  readonly mediaType: string;
  readonly body: DownloadBody;
}

/** Bytes in memory, or bytes that are read as often as needed. */
export type DownloadBody =
  | Uint8Array
  | { readonly sizeBytes: number; readonly stream: () => AsyncIterable<Uint8Array> };

/** Files made for a caller, reachable for a day by a signed address. */
export interface Downloads {
  keep(job: Pick<PipelineJob, "pipelineId" | "baseUrl" | "signal">, file: NewDownload): Promise<KeptDownload>;
  file(
    request: FileRequest<
      { readonly pipelineId: string; readonly fileName: string },
      { readonly expires: number; readonly signature: string }
    >,
  ): Promise<FileAnswer>;
  /** Removes a batch of files whose addresses have ended; how many. */
  sweep(): Promise<number>;
}

export interface DownloadsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  /** Secret of the addresses, at least 32 bytes, the same in all processes. */
  readonly signingKeys: SigningKeys;
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;
const SWEEP_BATCH = 50;

function blobKey(pipelineId: string, fileName: string): string {
  return `downloads/${pipelineId}/${fileName}`;
}

/** SHA-256, base64url. */
async function hashOf(body: DownloadBody, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  if (body instanceof Uint8Array) return hash.update(body).digest("base64url");
  for await (const bytes of body.stream()) {
    signal.throwIfAborted();
    hash.update(bytes);
  }
  return hash.digest("base64url");
}

function textOf(pipelineId: string, fileName: string, expires: number): string {
  return `download|${pipelineId}|${fileName}|${expires}`;
}

function gone(): ServiceError {
  return new ServiceError("DATA-NOT-AVAILABLE", "the file is not kept any more: make it again");
}

export function createDownloads({ db, clock, blobs, signingKeys }: DownloadsDeps): Downloads {
  async function sweep(): Promise<number> {
    const now = clock.now();
    const expired = await store.findExpiredDownloads(db, now, SWEEP_BATCH);
    for (const file of expired) {
      await blobs.delete(blobKey(file.pipelineId, file.fileName));
      await store.deleteDownload(db, file, now);
    }
    return expired.length;
  }
  return {
    async keep({ pipelineId, baseUrl, signal }, { fileName, mediaType, body }) {
      const expires = Math.floor((clock.now().getTime() + LIFETIME_MS) / 1000);
      const sizeBytes = body instanceof Uint8Array ? body.byteLength : body.sizeBytes;
      const hash = await hashOf(body, signal);
      const expiresAt = new Date(expires * 1000);
      await store.insertDownload(db, { pipelineId, fileName, mediaType, sizeBytes, hash, expiresAt });
      const content = body instanceof Uint8Array ? body : Readable.from(body.stream(), { objectMode: false });
      await blobs.put(blobKey(pipelineId, fileName), content, { signal });
      const signature = signText(signingKeys, textOf(pipelineId, fileName, expires));
      return {
        url: `${baseUrl}/mapsvc/files/${pipelineId}/${fileName}?expires=${expires}&signature=${signature}`,
        size: sizeBytes,
        expires: formatInstant(expires * 1000),
      };
    },

    async file({ params: { pipelineId, fileName }, query: { expires, signature }, headers }) {
      const isOurs = isSignatureOf(signingKeys, textOf(pipelineId, fileName, expires), signature);
      if (!isOurs || expires * 1000 <= clock.now().getTime()) {
        throw new ServiceError("NOT-AUTHORIZED", "the address of the file is wrong or has expired");
      }
      const row = await store.readDownload(db, pipelineId, fileName);
      if (row === null) throw gone();
      const key = blobKey(pipelineId, fileName);
      if ((await blobs.head(key)) === null) throw gone();
      return rangedAnswer(
        {
          mediaType: row.mediaType,
          sizeBytes: row.sizeBytes,
          etag: `"${row.hash.slice(0, 27)}"`,
          headers: {
            "cache-control": "private, max-age=86400, immutable",
            "content-disposition": `attachment; filename="${fileName}"`,
          },
          read: (offset, length) => blobs.read(key, offset, length),
          stream: () => blobs.stream(key),
        },
        headers,
      );
    },

    sweep,
  };
}
