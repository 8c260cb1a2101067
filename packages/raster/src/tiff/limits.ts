import { RasterError } from "../raster-error.ts";

/** Limits of the reader. A file over a limit is refused before memory is spent on it. */
export interface TiffLimits {
  /** Pixels of the full-resolution image, all bands counted once. */
  readonly maxPixels: number;
  readonly maxBands: number;
  /** Bytes of all tag values of one directory, offset and byte-count arrays included. */
  readonly maxTagBytes: number;
  /** The same of all directories of a file. */
  readonly maxFileTagBytes: number;
  /** Directories looked at: image, masks and overviews; those after are ignored. */
  readonly maxDirectories: number;
  /** Decoded bytes of one strip or tile. */
  readonly maxBlockBytes: number;
  /** Decoded bytes of one row of blocks over all bands, which `readRows` holds at once. */
  readonly maxBlockRowBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_TIFF_LIMITS: TiffLimits = {
  // 200 000 x 200 000: larger than any single satellite scene.
  maxPixels: 40_000_000_000,
  maxBands: 512,
  // A 200 000 x 200 000 image in 256-pixel tiles has 611 524 tiles: 9.8 MB of 64-bit offsets and counts per band plane.
  maxTagBytes: 64 * MIB,
  maxFileTagBytes: 128 * MIB,
  maxDirectories: 64,
  maxBlockBytes: 384 * MIB,
  maxBlockRowBytes: 512 * MIB,
};

export function unreadable(name: string, message: string, cause?: unknown): RasterError {
  return new RasterError("unreadable", `${name}: ${message}`, cause === undefined ? {} : { cause });
}

export function unsupported(name: string, message: string): RasterError {
  return new RasterError("unsupported", `${name}: ${message}`);
}
