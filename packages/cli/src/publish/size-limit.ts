import { UsageError } from "../exit-code.ts";

/** The bytes that a folder may have, and has. */
export interface SizeLimit {
  readonly takenBytes: number;
  /** Counts a file before its download. @throws {UsageError} beyond the limit */
  take(bytes: number): void;
}

export function sizeLimit(megabytes: number): SizeLimit {
  let takenBytes = 0;
  return {
    get takenBytes() {
      return takenBytes;
    },
    take(bytes) {
      takenBytes += bytes;
      if (takenBytes <= megabytes * 1e6) return;
      const got = Math.ceil(takenBytes / 1e6);
      throw new UsageError(`the maps take ${got} MB and more, expected at most ${megabytes}: raise --most-megabytes`);
    },
  };
}
