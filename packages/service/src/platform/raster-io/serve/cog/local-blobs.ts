import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { ServiceError } from "../../../../errors.ts";
import type { LocalBlob } from "./byte-supply.ts";

const MAX_OPEN_FILES = 128;

export const MISSING_PIXELS = "the pixels of this scene are not in the store any more";

interface OpenFile extends LocalBlob {
  readonly fd: number;
}

/** Local files kept open between renders; a file replaced under the same path is opened anew. */
export class LocalBlobs implements Disposable {
  readonly #files = new LRUCache<string, OpenFile>({
    max: MAX_OPEN_FILES,
    dispose: (file) => {
      closeSync(file.fd);
    },
  });

  /** @throws {ServiceError} DATA-NOT-AVAILABLE when there is no such file */
  open(path: string): LocalBlob {
    const known = this.#files.get(path);
    if (known !== undefined && known.identity === identityOf(path)) return known;
    const file = openFile(path);
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

function openFile(path: string): OpenFile {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (cause) {
    throw new ServiceError("DATA-NOT-AVAILABLE", MISSING_PIXELS, { cause });
  }
  const stat = fstatSync(fd);
  return {
    fd,
    identity: identity(path, stat),
    read: (offset, length) => {
      const wanted = Math.max(0, Math.min(length, stat.size - offset));
      const buffer = Buffer.allocUnsafeSlow(wanted);
      let done = 0;
      while (done < wanted) {
        const count = readSync(fd, buffer, done, wanted - done, offset + done);
        if (count === 0) return buffer.subarray(0, done);
        done += count;
      }
      return buffer;
    },
  };
}
