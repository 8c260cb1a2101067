import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PixelArray } from "@swath/raster/source-raster";
import type { LevelWindow } from "@swath/raster/cog/cog-reader";
import type { PixelAccess } from "@swath/raster/sample/scene-sampler";
import { pixelArray } from "./pixel-values.ts";

/** Pixels of a band as they are stored, and which of them count. */
export interface NativeWindow extends LevelWindow {
  /** Row-major, in the band's own type; nodata, or 0, where the window reaches beyond the band. */
  readonly pixels: PixelArray;
  /** Row-major, 0 where a pixel is invalid, else 255. */
  readonly valid: Uint8Array;
}

/**
 * Reads a window of a stored band at full resolution without changing a value.
 *
 * @throws {BytesNeeded} when bytes of a remote blob must be fetched first
 * @throws {ServiceError} SCENE-UNREADABLE, DATA-NOT-AVAILABLE
 */
export function readNativeWindow(access: PixelAccess, band: StoredBand, window: LevelWindow): NativeWindow {
  const { kernel, reader, supply } = access;
  const count = window.widthPx * window.heightPx;
  const nodata = band.nodata === "nan" ? Number.NaN : band.nodata;
  const cog = reader.open(supply, band.key);
  if (cog.header.dataType !== band.dataType) {
    throw new ServiceError(
      "SCENE-UNREADABLE",
      `stored raster "${band.key}" has ${cog.header.dataType} pixels, expected ${band.dataType}`,
    );
  }
  const pixels = pixelArray(band.dataType, count);
  if (nodata !== null) pixels.fill(nodata);
  reader.readNative(supply, kernel, cog, 0, window, pixels, nodata !== null);
  let mask: Uint8Array | null = null;
  if (band.maskKey !== null) {
    mask = new Uint8Array(count);
    reader.readNative(supply, kernel, reader.open(supply, band.maskKey), 0, window, mask, true);
  }
  supply.demand();
  return { ...window, pixels, valid: validity(band, window, pixels, mask, nodata) };
}

function validity(
  band: StoredBand,
  window: LevelWindow,
  pixels: PixelArray,
  mask: Uint8Array | null,
  nodata: number | null,
): Uint8Array {
  const valid = new Uint8Array(pixels.length);
  const firstRow = Math.max(0, -window.y);
  const lastRow = Math.min(window.heightPx, band.heightPx - window.y);
  const firstColumn = Math.max(0, -window.x);
  const lastColumn = Math.min(window.widthPx, band.widthPx - window.x);
  for (let row = firstRow; row < lastRow; row++) {
    for (let i = row * window.widthPx + firstColumn; i < row * window.widthPx + lastColumn; i++) {
      const value = pixels[i]!;
      if (value !== nodata && Number.isFinite(value) && (mask === null || mask[i] !== 0)) valid[i] = 255;
    }
  }
  return valid;
}
