import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { readSync } from "node:fs";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray, SourceRaster } from "../source-raster.ts";
import { BYTES_PER_PIXEL, newPixels } from "./pixel-type.ts";

/** Rows written at once. */
const WRITE_BYTES = 16 * 1024 * 1024;

/** A rectangle of pixels; columns and rows may reach beyond the raster only where the caller allows for it. */
export interface PixelWindow {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * All pixels of a raster in a plain temporary file, row by row and band by band within a row, the mask last:
 * windows can be read in any order, which compressed strips do not allow.
 */
export class PixelSpool implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #types: readonly DataType[];
  readonly #starts: readonly number[];
  readonly #maskStart: number;
  readonly #rowBytes: number;

  private constructor(file: FileHandle, raster: SourceRaster) {
    this.#file = file;
    this.#types = raster.bands.map(({ dataType }) => dataType);
    const starts: number[] = [];
    let at = 0;
    for (const dataType of this.#types) {
      starts.push(at);
      at += raster.widthPx * BYTES_PER_PIXEL[dataType];
    }
    this.#starts = starts;
    this.#maskStart = at;
    this.#rowBytes = at + (raster.hasMask ? raster.widthPx : 0);
  }

  /** Reads the raster once from top to bottom. */
  static async create(path: string, raster: SourceRaster, signal: AbortSignal): Promise<PixelSpool> {
    const file = await open(path, "wx+");
    const spool = new PixelSpool(file, raster);
    try {
      const affordable = Math.max(Math.floor(WRITE_BYTES / spool.#rowBytes), 1);
      const blocks = Math.max(Math.floor(affordable / raster.blockHeightPx), 1);
      const rowsPerRead = blocks * raster.blockHeightPx <= affordable ? blocks * raster.blockHeightPx : affordable;
      for (let row = 0; row < raster.heightPx; row += rowsPerRead) {
        const count = Math.min(rowsPerRead, raster.heightPx - row);
        signal.throwIfAborted();
        const bytes = spool.#join(
          raster,
          count,
          await raster.readRows(row, count, signal),
          await raster.readMask(row, count, signal),
        );
        await file.write(bytes, 0, bytes.length, row * spool.#rowBytes);
      }
      return spool;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  #join(raster: SourceRaster, count: number, bands: readonly PixelArray[], mask: Uint8Array | null): Uint8Array {
    const out = new Uint8Array(count * this.#rowBytes);
    bands.forEach((pixels, band) => {
      const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
      const length = raster.widthPx * pixels.BYTES_PER_ELEMENT;
      for (let y = 0; y < count; y++) {
        out.set(bytes.subarray(y * length, (y + 1) * length), y * this.#rowBytes + (this.#starts[band] ?? 0));
      }
    });
    if (mask !== null) {
      for (let y = 0; y < count; y++) {
        out.set(mask.subarray(y * raster.widthPx, (y + 1) * raster.widthPx), y * this.#rowBytes + this.#maskStart);
      }
    }
    return out;
  }

  /** Pixels of one band in a window inside the raster. */
  readBand(band: number, window: PixelWindow): PixelArray {
    const dataType = this.#types[band] ?? "uint8";
    const pixels = newPixels(dataType, window.widthPx * window.heightPx);
    this.#readRows(new Uint8Array(pixels.buffer), BYTES_PER_PIXEL[dataType], this.#starts[band] ?? 0, window);
    return pixels;
  }

  readMask(window: PixelWindow): Uint8Array {
    const mask = new Uint8Array(window.widthPx * window.heightPx);
    this.#readRows(mask, 1, this.#maskStart, window);
    return mask;
  }

  /** Synchronous: a window is a few hundred short reads from the page cache, where promises would cost more than reading. */
  #readRows(target: Uint8Array, pixelBytes: number, start: number, window: PixelWindow): void {
    const length = window.widthPx * pixelBytes;
    for (let y = 0; y < window.heightPx; y++) {
      const position = (window.row + y) * this.#rowBytes + start + window.column * pixelBytes;
      const bytesRead = readSync(this.#file.fd, target, y * length, length, position);
      if (bytesRead !== length) throw new Error(`pixel spool ends at byte ${position + bytesRead}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
