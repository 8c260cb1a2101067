import { promisify } from "node:util";
import { constants, deflate } from "node:zlib";
import type { PixelArray } from "../source-raster.ts";

const compress = promisify(deflate);

const SPARE_BYTES = 4_096;
/**
 * Differences of pixels seldom repeat but in runs: looking for longer repetitions takes up to 2.5 times as long, for a
 * few percent fewer or more bytes.
 */
const DEFLATE_OPTIONS = { level: 1, strategy: constants.Z_RLE, memLevel: 9 };

/** Makes and compresses strips, so many at a time. */
export async function compressAll(
  strips: readonly (() => Uint8Array)[],
  atOnce: number,
): Promise<readonly Uint8Array[]> {
  const compressed: Uint8Array[] = [];
  const rest = strips.entries();
  const run = async (): Promise<void> => {
    for (const [index, strip] of rest) {
      const bytes = strip();
      // Room for all of it: the result comes in one piece, without a switch of threads for each 16 kB.
      compressed[index] = await compress(bytes, { ...DEFLATE_OPTIONS, chunkSize: bytes.length + SPARE_BYTES });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, strips.length) }, run));
  return compressed;
}

/** Rows as differences to the pixel before (predictor 2), or as byte planes and their differences (predictor 3). */
export function predicted(pixels: PixelArray, widthPx: number, predictor: 2 | 3): Uint8Array {
  const { buffer, byteOffset, byteLength, length, BYTES_PER_ELEMENT: size } = pixels;
  if (predictor === 3) return floatPlanes(new Uint8Array(buffer, byteOffset, byteLength), widthPx, size);
  // One loop for each size: over arrays of several types they are several times as slow. Signs do not matter.
  if (size === 1) return differences8(new Uint8Array(buffer, byteOffset, length), widthPx);
  if (size === 2) return differences16(new Uint16Array(buffer, byteOffset, length), widthPx);
  return differences32(new Uint32Array(buffer, byteOffset, length), widthPx);
}

function differences8(pixels: Uint8Array, widthPx: number): Uint8Array {
  const differences = new Uint8Array(pixels.length);
  for (let row = 0; row < pixels.length; row += widthPx) {
    differences[row] = pixels[row]!;
    for (let i = row + 1; i < row + widthPx; i++) differences[i] = pixels[i]! - pixels[i - 1]!;
  }
  return differences;
}

function differences16(pixels: Uint16Array, widthPx: number): Uint8Array {
  const differences = new Uint16Array(pixels.length);
  for (let row = 0; row < pixels.length; row += widthPx) {
    differences[row] = pixels[row]!;
    for (let i = row + 1; i < row + widthPx; i++) differences[i] = pixels[i]! - pixels[i - 1]!;
  }
  return new Uint8Array(differences.buffer);
}

function differences32(pixels: Uint32Array, widthPx: number): Uint8Array {
  const differences = new Uint32Array(pixels.length);
  for (let row = 0; row < pixels.length; row += widthPx) {
    differences[row] = pixels[row]!;
    for (let i = row + 1; i < row + widthPx; i++) differences[i] = pixels[i]! - pixels[i - 1]!;
  }
  return new Uint8Array(differences.buffer);
}

function floatPlanes(bytes: Uint8Array, widthPx: number, size: number): Uint8Array {
  const rowBytes = widthPx * size;
  const planes = new Uint8Array(bytes.length);
  for (let row = 0; row < bytes.length; row += rowBytes) {
    let last = 0;
    let at = row;
    for (let byte = size - 1; byte >= 0; byte--) {
      for (let from = row + byte; from < row + rowBytes; from += size) {
        const value = bytes[from]!;
        planes[at++] = value - last;
        last = value;
      }
    }
  }
  return planes;
}
