import type { Raster } from "./open.ts";
import type { Georeference, PixelArray } from "./source-raster.ts";
import { blockRanges, type PixelWindow, windowGeoreference, windowLayout, alignedWindow } from "./tiff/pixel-window.ts";
import { levelPixels, readPixels, readValidity } from "./tiff/pixels.ts";
import { fullLevel, overviewLayouts, overviewLevel, type TiffFile, type TiffLevel } from "./tiff/tiff-file.ts";

export interface ReadWindowOptions {
  /** Positions in `raster.bands`; all bands unless given. */
  readonly bands?: readonly number[];
  /** Position in `raster.overviews`; the full resolution unless given. */
  readonly overview?: number;
  readonly signal?: AbortSignal;
}

/** Pixels of a window, row-major, one array for each band. */
export interface RasterWindow {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bands: readonly PixelArray[];
  /** 0 where the mask or the alpha band leaves a pixel out, else 255; null when the file has neither. */
  readonly mask: Uint8Array | null;
  readonly georeference: Georeference;
}

/**
 * A window of an image or of one of its overviews, in pixels of that level. Decodes the blocks of the window only;
 * windows may be read at the same time.
 *
 * @throws {RangeError} when the window does not lie inside the image, or a band or overview does not exist
 * @throws {RasterError} unreadable when a block is damaged
 */
export async function readWindow(
  raster: Raster,
  window: PixelWindow,
  options: ReadWindowOptions = {},
): Promise<RasterWindow> {
  const { file } = raster;
  const signal = options.signal ?? new AbortController().signal;
  const level = levelOf(file, options.overview);
  const samples = options.bands?.map((band) => sampleOf(file, band)) ?? file.roles.dataSamples;
  announce(file, level, window);
  const pixels = levelPixels(file, level);
  const { bands, alpha } = await readPixels(pixels, window, samples, signal);
  return {
    widthPx: window.widthPx,
    heightPx: window.heightPx,
    bands,
    mask: await readValidity(pixels, window, alpha, signal),
    georeference: windowGeoreference(level.georeference, window),
  };
}

function levelOf(file: TiffFile, overview: number | undefined): TiffLevel {
  if (overview === undefined) return fullLevel(file);
  const layouts = overviewLayouts(file);
  const layout = layouts[overview];
  if (layout === undefined) {
    throw new RangeError(`got overview ${overview}, expected one of ${layouts.length} of ${file.source.name}`);
  }
  return overviewLevel(file, layout);
}

function sampleOf(file: TiffFile, band: number): number {
  const sample = file.roles.dataSamples[band];
  if (sample === undefined) {
    throw new RangeError(`got band ${band}, expected one of ${file.roles.dataSamples.length} of ${file.source.name}`);
  }
  return sample;
}

/** Remote sources join the ranges of the blocks, so that a window takes few requests. */
function announce({ source }: TiffFile, { layout, mask }: TiffLevel, window: PixelWindow): void {
  if (source.plan === undefined) return;
  const images = mask === null ? [layout] : [layout, mask];
  const part = alignedWindow(window, images);
  source.plan(images.flatMap((image) => blockRanges(windowLayout(image, part))));
}
