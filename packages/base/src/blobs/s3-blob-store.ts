import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  type CompletedPart,
} from "@aws-sdk/client-s3";
import { checkBlobKey, checkBlobPrefix } from "./blob-key.ts";
import { BlobNotFoundError, type BlobInfo, type BlobStore } from "./blob-store.ts";

export interface S3BlobStoreOptions {
  readonly bucket: string;
  /** Put before every key, without slashes at the ends; empty for none. */
  readonly keyPrefix: string;
  readonly region: string;
  /** Address of an S3-compatible server; null for Amazon's own. */
  readonly endpoint: string | null;
  /** Whether the bucket is a part of the path instead of the host name. */
  readonly pathStyle: boolean;
  /** Null: the usual chain of the SDK (environment, profile, role of the machine). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

const MIB = 1024 * 1024;
/** S3 takes parts of 5 MiB to 5 GiB, at most 10,000 of them: 4,000 of 8 MiB and then larger ones reach 400 GiB. */
const FIRST_PART_BYTES = 8 * MIB;
const LATER_PART_BYTES = 64 * MIB;
const FIRST_PARTS = 4_000;
/** Parts on their way at once; with the one being filled this bounds the memory of an upload to 32 MiB. */
const PARTS_IN_FLIGHT = 3;

type Options = { readonly signal?: AbortSignal } | undefined;

/** Blobs as objects of an S3 bucket. */
export function openS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const Bucket = options.bucket;
  const lead = options.keyPrefix === "" ? "" : `${options.keyPrefix}/`;
  const client = new S3Client({
    region: options.region,
    forcePathStyle: options.pathStyle,
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === null ? {} : { credentials: options.credentials }),
    // The newer default adds trailing checksums that many compatible servers do not know.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const nameOf = (key: string): string => {
    checkBlobKey(key);
    return lead + key;
  };

  const putBytes = async (key: string, Body: Uint8Array, given: Options): Promise<BlobInfo> => {
    await client.send(
      new PutObjectCommand({ Bucket, Key: nameOf(key), Body, ContentLength: Body.byteLength }),
      abortable(given),
    );
    return { key, sizeBytes: Body.byteLength };
  };

  const putStream = async (key: string, body: Readable, given: Options): Promise<BlobInfo> => {
    const Key = nameOf(key);
    const parts = partsOf(body, given?.signal);
    const first = await parts.next();
    if (first.done === true) return putBytes(key, new Uint8Array(), given);
    const second = await parts.next();
    if (second.done === true) return putBytes(key, first.value, given);
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }), abortable(given));
    try {
      const completed: CompletedPart[] = [];
      const inFlight = new Set<Promise<void>>();
      let sizeBytes = 0;
      let PartNumber = 0;
      const upload = async (Body: Uint8Array): Promise<void> => {
        PartNumber += 1;
        const number = PartNumber;
        sizeBytes += Body.byteLength;
        const { ETag } = await client.send(
          new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: number, Body, ContentLength: Body.byteLength }),
          abortable(given),
        );
        if (ETag === undefined) throw new Error(`the S3 server answered part ${number} of ${Key} without an ETag`);
        completed.push({ ETag, PartNumber: number });
      };
      const start = async (part: Uint8Array): Promise<void> => {
        const task = upload(part);
        const tracked = task.finally(() => inFlight.delete(tracked));
        // The failure surfaces in the race or in the final wait; without this it would also count as unhandled.
        tracked.catch(() => {});
        inFlight.add(tracked);
        if (inFlight.size >= PARTS_IN_FLIGHT) await Promise.race(inFlight);
      };
      const failed: unknown[] = [];
      try {
        await start(first.value);
        await start(second.value);
        for await (const part of parts) await start(part);
      } catch (error) {
        failed.push(error);
      }
      for (const result of await Promise.allSettled(inFlight)) {
        if (result.status === "rejected") failed.push(result.reason);
      }
      if (failed.length > 0) throw failed[0];
      if (completed.length !== PartNumber) throw new Error(`a part of ${Key} was lost on its way`);
      const Parts = completed.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
      await client.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
        abortable(given),
      );
      return { key, sizeBytes };
    } catch (error) {
      // Parts of an upload that is neither completed nor aborted are paid for until the bucket expires them.
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
      throw error;
    }
  };

  const get = async (key: string, Range: string | undefined, given: Options): Promise<Readable> => {
    try {
      const command = new GetObjectCommand({ Bucket, Key: nameOf(key), ...(Range === undefined ? {} : { Range }) });
      const { Body } = await client.send(command, abortable(given));
      if (Body instanceof Readable) return Body;
      throw new Error(`the S3 server answered ${key} without a body`);
    } catch (error) {
      if (isAbsent(error)) throw new BlobNotFoundError(key);
      throw error;
    }
  };

  const head = async (key: string): Promise<BlobInfo | null> => {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) }));
      return { key, sizeBytes: ContentLength ?? 0 };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  };

  return {
    put: (key, body, given) => (body instanceof Uint8Array ? putBytes(key, body, given) : putStream(key, body, given)),

    async putFile(key, path, given) {
      checkBlobKey(key);
      await stat(path);
      const info = await putStream(key, createReadStream(path, { highWaterMark: MIB }), given);
      await rm(path, { force: true });
      return info;
    },

    head,

    async read(key, offset, length, given) {
      if (length <= 0) {
        if ((await head(key)) === null) throw new BlobNotFoundError(key);
        return new Uint8Array();
      }
      try {
        const body = await get(key, `bytes=${offset}-${offset + length - 1}`, given);
        return await collect(body);
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) return new Uint8Array();
        throw error;
      }
    },

    stream: (key, given) => get(key, undefined, given),

    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) }));
    },

    async *list(prefix) {
      checkBlobPrefix(prefix);
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: lead + prefix,
            ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
          }),
        );
        for (const { Key, Size } of page.Contents ?? []) {
          if (Key !== undefined) yield { key: Key.slice(lead.length), sizeBytes: Size ?? 0 };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    localPath(key) {
      checkBlobKey(key);
      return null;
    },

    async [Symbol.asyncDispose]() {
      client.destroy();
    },
  };
}

function abortable(given: Options): { abortSignal?: AbortSignal } {
  return given?.signal === undefined ? {} : { abortSignal: given.signal };
}

/** The bytes of a stream in parts of the size S3 asks for; the last may be smaller. */
async function* partsOf(body: Readable, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  let pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  let count = 0;
  for await (const piece of body) {
    signal?.throwIfAborted();
    let rest: Uint8Array = piece instanceof Uint8Array ? piece : Buffer.from(String(piece));
    for (;;) {
      const wantedBytes = count < FIRST_PARTS ? FIRST_PART_BYTES : LATER_PART_BYTES;
      if (sizeBytes + rest.byteLength < wantedBytes) break;
      const cut = wantedBytes - sizeBytes;
      yield Buffer.concat([...pieces, rest.subarray(0, cut)]);
      count += 1;
      pieces = [];
      sizeBytes = 0;
      rest = rest.subarray(cut);
    }
    if (rest.byteLength > 0) {
      pieces.push(rest);
      sizeBytes += rest.byteLength;
    }
  }
  if (sizeBytes > 0) yield Buffer.concat(pieces);
}

async function collect(body: Readable): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece instanceof Uint8Array ? piece : Buffer.from(String(piece)));
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

function isAbsent(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== "NoSuchBucket";
}
