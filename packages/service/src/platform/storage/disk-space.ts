import { statfs } from "node:fs/promises";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Room for a file, given back when disposed. */
export interface PromisedSpace extends Disposable {
  /**
   * Tells that bytes of the file are about to be written.
   *
   * @throws {ServiceError} INSUFFICIENT-STORAGE when others have taken the room meanwhile
   */
  arrive(sizeBytes: number): Promise<void>;
}

export interface DiskSpaceOptions {
  /** Folders on the disks in question; several may be on one disk. */
  readonly folders: readonly string[];
  /** Free bytes that the service leaves on each of the disks. */
  readonly reserveBytes: number;
}

/** A look at the disks is that old at most. */
const LOOK_EVERY_MS = 1_000;
/** Bytes of a file between two looks. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;
const RETRY_AFTER_S = 60;

/** Free space of the disks that the service writes to. */
export class DiskSpace {
  readonly #options: DiskSpaceOptions;
  /** Promised bytes that have not been written. */
  #promisedBytes = 0;
  #look: { readonly atMs: number; readonly freeBytes: Promise<number> } | null = null;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
  }

  /** Whether a disk has less free space than the reserve. */
  async isShort(): Promise<boolean> {
    return (await this.#freeBytes(LOOK_EVERY_MS)) < this.#options.reserveBytes;
  }

  /** @throws {ServiceError} INSUFFICIENT-STORAGE when a file of the size would not leave the reserve */
  async require(sizeBytes: number): Promise<void> {
    const { reserveBytes } = this.#options;
    const roomBytes = (await this.#freeBytes(0)) - this.#promisedBytes - reserveBytes;
    if (sizeBytes <= roomBytes) return;
    throw new ServiceError(
      "INSUFFICIENT-STORAGE",
      `the service has room for ${Math.max(0, roomBytes)} bytes, got ${sizeBytes}; try again later`,
      { retryAfterS: RETRY_AFTER_S },
    );
  }

  /** Keeps room for a file of the size. @throws as `require` */
  async promise(sizeBytes: number): Promise<PromisedSpace> {
    await this.require(sizeBytes);
    let awaitedBytes = sizeBytes;
    let unseenBytes = 0;
    this.#promisedBytes += sizeBytes;
    const settle = (bytes: number): void => {
      const settledBytes = Math.min(bytes, awaitedBytes);
      awaitedBytes -= settledBytes;
      this.#promisedBytes -= settledBytes;
    };
    return {
      arrive: async (bytes) => {
        settle(bytes);
        unseenBytes += bytes;
        if (unseenBytes < LOOK_EVERY_BYTES) return;
        unseenBytes = 0;
        await this.require(0);
      },
      [Symbol.dispose]: () => settle(awaitedBytes),
    };
  }

  /** Of the disk with the least. */
  #freeBytes(maxAgeMs: number): Promise<number> {
    const nowMs = performance.now();
    if (this.#look !== null && nowMs - this.#look.atMs < maxAgeMs) return this.#look.freeBytes;
    const freeBytes = Promise.all(this.#options.folders.map(freeBytesOf)).then((all) => Math.min(...all));
    this.#look = { atMs: nowMs, freeBytes };
    return freeBytes;
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
