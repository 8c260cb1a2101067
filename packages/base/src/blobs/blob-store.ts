import type { Readable } from "node:stream";

export interface BlobInfo {
  readonly key: string;
  readonly sizeBytes: number;
}

/** A blob of a list. */
export interface ListedBlob extends BlobInfo {
  /** When its bytes were written, milliseconds since 1970. */
  readonly modifiedAtMs: number;
}

/**
 * Named immutable byte strings. Keys are `/`-separated segments of `[A-Za-z0-9._=-]`, none of them `.` or `..`,
 * at most 512 characters; every implementation refuses others with a RangeError.
 *
 * A store that is full, read-only or out of reach rejects with an error of which `storeFaultOf` tells the fault.
 *
 * Implementations: `fs`, `s3`; all pass `blob-store.conformance.ts`.
 */
export interface BlobStore extends AsyncDisposable {
  /** Stores the whole of `body` under `key`, replacing what was there; readers see the old or the new bytes, never a mix. */
  put(key: string, body: Uint8Array | Readable, options?: { readonly signal?: AbortSignal }): Promise<BlobInfo>;
  /** Moves a finished local file into the store; the file is gone afterwards. */
  putFile(key: string, path: string, options?: { readonly signal?: AbortSignal }): Promise<BlobInfo>;
  /** Size, or null when there is no such blob. */
  head(key: string): Promise<BlobInfo | null>;
  /**
   * Bytes `[offset, offset + length)`, shorter at the end of the blob.
   *
   * @throws {BlobNotFoundError} when there is no such blob
   */
  read(key: string, offset: number, length: number, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array>;
  /** The whole blob as a stream. @throws {BlobNotFoundError} */
  stream(key: string, options?: { readonly signal?: AbortSignal }): Promise<Readable>;
  /** Forgets the blob; no error when there is none. */
  delete(key: string): Promise<void>;
  /** Every blob whose key starts with `prefix`, in key order. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** Removes the remains of writes that began before the moment and never ended; how many. */
  removeUnfinished(beforeEpochMs: number): Promise<number>;
  /**
   * Writes a block beside the blobs and reads it, to learn whether the store works.
   *
   * @throws as `put` and `read` would; {StoreFaultError} when other bytes are read than were written
   */
  probe(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Path of the blob on the local file system, when it has one: lets tile workers read it directly. */
  localPath(key: string): string | null;
}

/** Message about a blob that a scene needs and that is gone. */
export const MISSING_PIXELS = "the pixels of this scene are not in the store any more";

export class BlobNotFoundError extends Error {
  override readonly name = "BlobNotFoundError";
  constructor(key: string) {
    super(`no blob "${key}"`);
  }
}
