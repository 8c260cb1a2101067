import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { MISSING_PIXELS } from "@swath/base/blobs/blob-store";
import { RasterError } from "../raster-error.ts";
import type { LocalBlob } from "./byte-supply.ts";

const MAX_OPEN_FILES = 128;

/** Local files kept open between renders; a file replaced under the same path is opened anew. */
export class LocalBlobs implements Disposable {
  readonly #files: LRUCache<string, LocalFile>;

  /** @param maxOpenFiles further ones take the place of those not read for longest, which open again when they are */
  constructor(maxOpenFiles: number = MAX_OPEN_FILES) {
    this.#files = new LRUCache({ max: maxOpenFiles, dispose: (file) => file.close() });
  }

  /** @throws {RasterError} missing when there is no such file */
  open(path: string): LocalBlob {
    const known = this.#files.get(path);
    if (known !== undefined && known.identity === identityOf(path)) return known;
    const file = new LocalFile(path, (reopened) => this.#files.set(path, reopened));
    this.#files.set(path, file);
    return file;
  }

  [Symbol.dispose](): void {
    this.#files.clear();
  }
}

function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : identity(path, stat);
}

function identity(
  path: string,
  stat: { readonly ino: number; readonly mtimeMs: number; readonly size: number },
): string {
  return `${path}:${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}

/**
 * A file that may be closed at any time and opens itself again: a render holds as many files as its scene has bands,
 * and a number kept from before would by then name another file.
 */
class LocalFile implements LocalBlob {
  readonly identity: string;
  readonly #path: string;
  readonly #sizeBytes: number;
  readonly #onReopened: (file: LocalFile) => void;
  #fd: number | null;

  constructor(path: string, onReopened: (file: LocalFile) => void) {
    this.#path = path;
    this.#onReopened = onReopened;
    this.#fd = openForReading(path);
    const stat = fstatSync(this.#fd);
    this.identity = identity(path, stat);
    this.#sizeBytes = stat.size;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  read(offset: number, length: number): Uint8Array {
    const fd = this.#fd ?? this.#reopen();
    const wanted = Math.max(0, Math.min(length, this.#sizeBytes - offset));
    const buffer = Buffer.allocUnsafeSlow(wanted);
    let done = 0;
    while (done < wanted) {
      const count = readSync(fd, buffer, done, wanted - done, offset + done);
      if (count === 0) return buffer.subarray(0, done);
      done += count;
    }
    return buffer;
  }

  #reopen(): number {
    const fd = openForReading(this.#path);
    if (identity(this.#path, fstatSync(fd)) !== this.identity) {
      closeSync(fd);
      throw new RasterError("missing", MISSING_PIXELS);
    }
    this.#fd = fd;
    this.#onReopened(this);
    return fd;
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    throw new RasterError("missing", MISSING_PIXELS, { cause });
  }
}
