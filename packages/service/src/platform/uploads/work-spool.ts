import { open } from "node:fs/promises";
import { join } from "node:path";

/** A file of a temporary folder that grows at its end and is read anywhere. */
export interface WorkSpool extends AsyncDisposable {
  sizeBytes(): number;
  /** Appends bytes; the position of the first of them. */
  append(bytes: Uint8Array): Promise<number>;
  /** @throws {RangeError} beyond the end of the file */
  read(start: number, target: Uint8Array): Promise<void>;
}

/** @param folder an existing folder without a spool of that name */
export async function openWorkSpool(folder: string, name = "spool"): Promise<WorkSpool> {
  const file = await open(join(folder, name), "wx+");
  let end = 0;
  return {
    sizeBytes: () => end,
    async append(bytes) {
      const start = end;
      end += bytes.byteLength;
      for (let done = 0; done < bytes.byteLength;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, start + done);
        done += bytesWritten;
      }
      return start;
    },
    async read(start, target) {
      const { bytesRead } = await file.read(target, 0, target.byteLength, start);
      if (bytesRead < target.byteLength) {
        throw new RangeError(`the spool ends at ${end}, expected ${target.byteLength} bytes from ${start}`);
      }
    },
    [Symbol.asyncDispose]: async () => file.close(),
  };
}
