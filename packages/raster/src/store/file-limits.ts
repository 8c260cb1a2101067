/** Limits of reading one file. */
export interface FileLimits {
  /** Resident memory of the process that reads, Node included. */
  readonly memoryBytes: number;
  /** Time for any file, milliseconds. */
  readonly baseMs: number;
  /** Time for each GiB of the file and of its decoded pixels, milliseconds. */
  readonly msPerGib: number;
}

const GIB = 2 ** 30;

/** A granule of 0.9 GiB takes 10 s and 0.4 GiB on two processors: a hundredth of the time, a fifth of the memory. */
export const DEFAULT_FILE_LIMITS: FileLimits = { memoryBytes: 2 * GIB, baseMs: 60_000, msPerGib: 1_200_000 };

/** Decoded over stored bytes that count: a file of few bytes gets little time, whatever size it claims. */
const MAX_COUNTED_RATIO = 200;

/** Most time to read a file; `pixelBytes` is 0 until its headers are read. */
export function timeLimitMs({ baseMs, msPerGib }: FileLimits, fileBytes: number, pixelBytes: number): number {
  const counted = fileBytes + Math.min(pixelBytes, fileBytes * MAX_COUNTED_RATIO);
  return Math.ceil(baseMs + (counted / GIB) * msPerGib);
}
