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
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { checkBlobKey, checkBlobPrefix } from "./blob-key.ts";
import { checkProbe, PROBE_BYTES } from "./probe-bytes.ts";
import { s3Fault } from "./s3-fault.ts";
import { BlobNotFoundError, type BlobInfo, type BlobStore, type ListedBlob } from "./blob-store.ts";

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
/** Overwritten by each probe of each process. */
const PROBE_KEY = "probe";
/** S3 takes parts of 5 MiB to 5 GiB, at most 10,000 of them: 4,000 of 8 MiB and then larger ones reach 400 GiB. */
const FIRST_PART_BYTES = 8 * MIB;
const LATER_PART_BYTES = 64 * MIB;
const FIRST_PARTS = 4_000;
/** Parts on their way at once; with the one being filled this bounds the memory of an upload to 32 MiB. */
const PARTS_IN_FLIGHT = 3;

type Options = { readonly signal?: AbortSignal } | undefined;

/** A bucket with the beginning of its keys. */
interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly lead: string;
}

/** Blobs as objects of an S3 bucket. */
export function openS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const bucket: Bucket = {
    client: createClient(options),
    name: options.bucket,
    lead: options.keyPrefix === "" ? "" : `${options.keyPrefix}/`,
  };
  return {
    put: (key, body, given) =>
      body instanceof Uint8Array ? putBytes(bucket, key, body, given) : putStream(bucket, key, body, given),
    putFile: (key, path, given) => putFile(bucket, key, path, given),
    head: (key) => head(bucket, key),
    read: (key, offset, length, given) => read(bucket, key, offset, length, given),
    stream: (key, given) => get(bucket, key, undefined, given),
    list: (prefix) => list(bucket, prefix),
    async delete(key) {
      await bucket.client.send(new DeleteObjectCommand(objectOf(bucket, key)));
    },
    async probe(given) {
      await putBytes(bucket, PROBE_KEY, PROBE_BYTES, given);
      checkProbe(await read(bucket, PROBE_KEY, 0, PROBE_BYTES.byteLength, given));
    },
    removeUnfinished: (beforeEpochMs) => removeUnfinished(bucket, beforeEpochMs),
    localPath(key) {
      checkBlobKey(key);
      return null;
    },
    async [Symbol.asyncDispose]() {
      bucket.client.destroy();
    },
  };
}

function createClient(options: S3BlobStoreOptions): S3Client {
  const client = new S3Client({
    region: options.region,
    forcePathStyle: options.pathStyle,
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    ...(options.credentials === null ? {} : { credentials: options.credentials }),
    // The newer default adds trailing checksums that many compatible servers do not know.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const host = options.endpoint === null ? `S3 in ${options.region}` : new URL(options.endpoint).host;
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw s3Fault(error, host);
      }
    },
    { step: "initialize", name: "storeFaults" },
  );
  return client;
}

function objectOf(bucket: Bucket, key: string): { readonly Bucket: string; readonly Key: string } {
  checkBlobKey(key);
  return { Bucket: bucket.name, Key: bucket.lead + key };
}

async function putBytes(bucket: Bucket, key: string, Body: Uint8Array, given: Options): Promise<BlobInfo> {
  const command = new PutObjectCommand({ ...objectOf(bucket, key), Body, ContentLength: Body.byteLength });
  await bucket.client.send(command, abortable(given));
  return { key, sizeBytes: Body.byteLength };
}

/** One request for a body of one part; else a multipart upload. */
async function putStream(bucket: Bucket, key: string, body: Readable, given: Options): Promise<BlobInfo> {
  const parts = partsOf(body, given?.signal);
  const first = await parts.next();
  if (first.done === true) return putBytes(bucket, key, new Uint8Array(), given);
  const second = await parts.next();
  if (second.done === true) return putBytes(bucket, key, first.value, given);
  const object = objectOf(bucket, key);
  const { UploadId } = await bucket.client.send(new CreateMultipartUploadCommand(object), abortable(given));
  const upload: Upload = { ...object, UploadId, client: bucket.client, given };
  try {
    const completed = await uploadParts(upload, [first.value, second.value], parts);
    const Parts = completed.map(({ ETag, PartNumber }) => ({ ETag, PartNumber }));
    await bucket.client.send(
      new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }),
      abortable(given),
    );
    return { key, sizeBytes: completed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  } catch (error) {
    // Parts of an upload that is neither completed nor aborted are paid for until the bucket expires them.
    await bucket.client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => {});
    throw error;
  }
}

interface Upload {
  readonly client: S3Client;
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
  readonly given: Options;
}

interface UploadedPart {
  readonly ETag: string;
  readonly PartNumber: number;
  readonly sizeBytes: number;
}

/** Uploads parts in their order, a few at once. Waits for all of them before a failure is thrown. */
async function uploadParts(
  upload: Upload,
  firstParts: readonly Uint8Array[],
  furtherParts: AsyncIterable<Uint8Array>,
): Promise<readonly UploadedPart[]> {
  const started: Promise<UploadedPart>[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const start = async (part: Uint8Array): Promise<void> => {
    const task = uploadPart(upload, started.length + 1, part);
    started.push(task);
    const tracked = task.finally(() => inFlight.delete(tracked));
    // The failure surfaces in the race or in the final wait; without this it would also count as unhandled.
    tracked.catch(() => {});
    inFlight.add(tracked);
    if (inFlight.size >= PARTS_IN_FLIGHT) await Promise.race(inFlight);
  };
  try {
    for (const part of firstParts) await start(part);
    for await (const part of furtherParts) await start(part);
  } catch (error) {
    await Promise.allSettled(started);
    throw error;
  }
  await Promise.allSettled(started);
  return Promise.all(started);
}

async function uploadPart(upload: Upload, PartNumber: number, Body: Uint8Array): Promise<UploadedPart> {
  const { client, Bucket: bucket, Key, UploadId, given } = upload;
  const { ETag } = await client.send(
    new UploadPartCommand({ Bucket: bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.byteLength }),
    abortable(given),
  );
  if (ETag === undefined) throw new Error(`the S3 server answered part ${PartNumber} of ${Key} without an ETag`);
  return { ETag, PartNumber, sizeBytes: Body.byteLength };
}

async function putFile(bucket: Bucket, key: string, path: string, given: Options): Promise<BlobInfo> {
  checkBlobKey(key);
  await stat(path);
  const info = await putStream(bucket, key, createReadStream(path, { highWaterMark: MIB }), given);
  await rm(path, { force: true });
  return info;
}

async function get(bucket: Bucket, key: string, Range: string | undefined, given: Options): Promise<Readable> {
  try {
    const command = new GetObjectCommand({ ...objectOf(bucket, key), ...(Range === undefined ? {} : { Range }) });
    const { Body } = await bucket.client.send(command, abortable(given));
    if (Body instanceof Readable) return Body;
    throw new Error(`the S3 server answered ${key} without a body`);
  } catch (error) {
    if (isAbsent(error)) throw new BlobNotFoundError(key);
    throw error;
  }
}

async function head(bucket: Bucket, key: string): Promise<BlobInfo | null> {
  try {
    const { ContentLength } = await bucket.client.send(new HeadObjectCommand(objectOf(bucket, key)));
    return { key, sizeBytes: ContentLength ?? 0 };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function read(bucket: Bucket, key: string, offset: number, length: number, given: Options): Promise<Uint8Array> {
  if (length <= 0) {
    if ((await head(bucket, key)) === null) throw new BlobNotFoundError(key);
    return new Uint8Array();
  }
  try {
    return await collect(await get(bucket, key, `bytes=${offset}-${offset + length - 1}`, given));
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) return new Uint8Array();
    throw error;
  }
}

async function* list(bucket: Bucket, prefix: string): AsyncGenerator<ListedBlob> {
  checkBlobPrefix(prefix);
  let ContinuationToken: string | undefined;
  do {
    const page = await bucket.client.send(
      new ListObjectsV2Command({
        Bucket: bucket.name,
        Prefix: bucket.lead + prefix,
        ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
      }),
    );
    for (const { Key, LastModified, Size } of page.Contents ?? []) {
      if (Key === undefined) continue;
      // Without a time it counts as new.
      const modifiedAtMs = LastModified?.getTime() ?? Infinity;
      yield { key: Key.slice(bucket.lead.length), sizeBytes: Size ?? 0, modifiedAtMs };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

/** Aborts multipart uploads of killed processes: their parts are paid for and no list shows them. */
async function removeUnfinished({ client, lead, name }: Bucket, beforeEpochMs: number): Promise<number> {
  const begun: { readonly Key: string; readonly UploadId: string }[] = [];
  let marker: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | null = {};
  while (marker !== null) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: name, Prefix: lead, ...marker }),
    );
    for (const { Initiated, Key, UploadId } of page.Uploads ?? []) {
      const isOld = Initiated !== undefined && Initiated.getTime() < beforeEpochMs;
      if (isOld && Key !== undefined && UploadId !== undefined) begun.push({ Key, UploadId });
    }
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    const hasNext = IsTruncated === true && KeyMarker !== undefined && UploadIdMarker !== undefined;
    marker = hasNext ? { KeyMarker, UploadIdMarker } : null;
  }
  for (const upload of begun) await client.send(new AbortMultipartUploadCommand({ Bucket: name, ...upload }));
  return begun.length;
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
