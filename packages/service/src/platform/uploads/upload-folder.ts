import { constants } from "node:fs";
import { mkdir, open, readdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { storeFaultOf } from "@swath/base/blobs/store-fault";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PromisedSpace } from "../storage/disk-space.ts";

/** How a body ended that did not bring what it promised. */
export class UploadLengthError extends Error {
  override readonly name = "UploadLengthError";
  readonly reason: "too long" | "too short";
  constructor(reason: "too long" | "too short", expectedBytes: number) {
    super(`the body is ${reason}, expected ${expectedBytes} bytes`);
    this.reason = reason;
  }
}

interface ReceiveOptions {
  /** Where the body belongs; at most what has been received so far. */
  readonly start: number;
  /** Exactly the bytes of the body. */
  readonly lengthBytes: number;
  /** Whether the body replaces all that was received: then a body of the wrong length leaves nothing. */
  readonly whole: boolean;
  /** Room for the body. */
  readonly space: Pick<PromisedSpace, "arrive">;
  readonly signal: AbortSignal;
}

/** Partial uploads as files of one folder, named by upload. */
export interface UploadFolder {
  /** Bytes received so far, 0 when there are none. */
  receivedBytes(uploadId: string): Promise<number>;
  /**
   * Writes a body, keeping what arrived when the connection breaks. Answers the bytes received so far.
   *
   * @throws {UploadLengthError} when the body ends early or late; what it brought is taken back
   * @throws {ServiceError} INSUFFICIENT-STORAGE, and faults of the disk: what it brought is taken back as well
   */
  receive(uploadId: string, body: Readable, options: ReceiveOptions): Promise<number>;
  /** Makes the bytes durable and answers the path of the file. */
  finish(uploadId: string): Promise<string>;
  discard(uploadId: string): Promise<void>;
  /** Uploads with a partial file that nobody has written to since the moment given. */
  idleSince(epochMs: number): Promise<readonly string[]>;
}

const SUFFIX = ".part";

/** Opens, and makes, the folder. */
export async function openUploadFolder(folder: string): Promise<UploadFolder> {
  await mkdir(folder, { recursive: true });
  const pathOf = (uploadId: string): string => {
    if (!/^[0-9A-Za-z]{1,64}$/.test(uploadId)) throw new RangeError(`"${uploadId}" is not an upload id`);
    return join(folder, uploadId + SUFFIX);
  };
  return {
    receivedBytes: async (uploadId) => sizeOf(pathOf(uploadId)),

    async receive(uploadId, body, { start, lengthBytes, whole, space, signal }) {
      const path = pathOf(uploadId);
      const before = whole ? 0 : await sizeOf(path);
      const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      let written = 0;
      let fault: Error | null = null;
      try {
        if (whole) await file.truncate(0);
        for await (const chunk of body) {
          signal.throwIfAborted();
          if (!(chunk instanceof Uint8Array)) throw new TypeError("the body of an upload is not bytes");
          if (written + chunk.length > lengthBytes) {
            fault = new UploadLengthError("too long", lengthBytes);
            break;
          }
          await space.arrive(chunk.length);
          await writeAll(file, chunk, start + written);
          written += chunk.length;
        }
        if (fault === null && written < lengthBytes) fault = new UploadLengthError("too short", lengthBytes);
      } catch (error) {
        // A full disk is not made fuller by what may never follow. Bytes before a broken connection are kept.
        if (!(error instanceof ServiceError) && storeFaultOf(error) === null) throw error;
        fault = error instanceof Error ? error : new Error(String(error));
      } finally {
        await file.close();
      }
      if (fault !== null) {
        if (whole || before === 0) await rm(path, { force: true });
        else await truncate(path, before);
        throw fault;
      }
      return Math.max(before, start + written);
    },

    async finish(uploadId) {
      const path = pathOf(uploadId);
      const file = await open(path, "r+");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      return path;
    },

    discard: async (uploadId) => rm(pathOf(uploadId), { force: true }),

    async idleSince(epochMs) {
      const idle: string[] = [];
      for (const name of await readdir(folder)) {
        if (!name.endsWith(SUFFIX)) continue;
        const info = await stat(join(folder, name)).catch(() => null);
        if (info !== null && info.mtimeMs < epochMs) idle.push(name.slice(0, -SUFFIX.length));
      }
      return idle;
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
