import type { ByteSource } from "../byte-source.ts";
import type { Georeference, PixelArray, SourceCrs, SourceRaster } from "../source-raster.ts";
import type { TiffLayout } from "./layout.ts";
import type { TiffLimits } from "./limits.ts";
import { alignedWindow, blockRanges, type PixelWindow, windowGeoreference, windowLayout } from "./pixel-window.ts";
import { levelPixels, readPixels, readValidity } from "./pixels.ts";
import { fullLevel, overviewLayouts, overviewLevel, readTiffFile, type TiffFile, type TiffLevel } from "./tiff-file.ts";

/** Size and place of an image before any of its pixels are read. */
export interface PlacedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly georeference: Georeference;
  readonly crs: SourceCrs | null;
}

export interface OpenTiffOptions {
  /** The part that is wanted, null for all. The raster is the smallest one of whole blocks around it. */
  readonly window?: (image: PlacedImage) => PixelWindow | null;
  /** Takes the byte ranges of all pixels of the raster, once, before any of them are read. */
  readonly onBlocks?: (ranges: readonly { readonly start: number; readonly end: number }[]) => void;
  readonly limits?: Partial<TiffLimits>;
  /** Read the smallest overview whose longer side has at least so many pixels, if there is one. */
  readonly coarseSidePx?: number;
  /** Released when the raster is disposed: the open file behind the source, a temporary folder. */
  readonly onDispose?: () => Promise<void>;
}

/** Consumers read rows in units of at least this many, so that single-row strips do not cost a call each. */
const PREFERRED_ROWS = 64;
const PREFERRED_BYTES = 32 * 1024 * 1024;

/**
 * The full-resolution image of a GeoTIFF of any layout, or one of its overviews where `coarseSidePx` asks for it.
 * Further images are ignored.
 * Reads directories only; pixels are read by `readRows`.
 *
 * @throws {RasterError} unreadable when the file is damaged or contradicts itself.
 * Unsupported when it is sound but of a kind that is not read, such as complex samples
 */
export async function openTiff(source: ByteSource, options: OpenTiffOptions = {}): Promise<SourceRaster> {
  return tiffRaster(await readTiffFile(source, options.limits), options);
}

/** Rows of the image, of a part of it or of an overview. */
export function tiffRaster(file: TiffFile, options: Omit<OpenTiffOptions, "limits"> = {}): SourceRaster {
  const level = partOf(chooseLevel(file, options.coarseSidePx ?? null), file.crs, options.window);
  const { layout, mask } = level;
  options.onBlocks?.([layout, mask].flatMap((one) => (one === null ? [] : blockRanges(one))));
  const pixels = levelPixels(file, level);
  let remembered: { readonly firstRow: number; readonly rowCount: number; readonly alpha: PixelArray } | null = null;
  const rowWindow = (row: number, heightPx: number): PixelWindow => ({
    column: 0,
    row,
    widthPx: layout.widthPx,
    heightPx,
  });
  return {
    widthPx: layout.widthPx,
    heightPx: layout.heightPx,
    bands: file.roles.bands,
    georeference: level.georeference,
    crs: file.crs,
    palette: file.palette,
    hasMask: mask !== null || file.roles.alphaSample !== null,
    metadata: file.metadata,
    blockHeightPx: readUnit(layout),
    readRows: async (firstRow, rowCount, signal) => {
      const { bands, alpha } = await readPixels(pixels, rowWindow(firstRow, rowCount), pixels.dataSamples, signal);
      // Keeping alpha saves decoding its blocks again for readMask.
      if (alpha !== null) remembered = { firstRow, rowCount, alpha };
      return bands;
    },
    readMask: (firstRow, rowCount, signal) => {
      const known = remembered?.firstRow === firstRow && remembered.rowCount === rowCount ? remembered.alpha : null;
      return readValidity(pixels, rowWindow(firstRow, rowCount), known, signal);
    },
    [Symbol.asyncDispose]: async () => {
      await options.onDispose?.();
    },
  };
}

/** The image, or the smallest overview that is large enough. */
function chooseLevel(file: TiffFile, coarseSidePx: number | null): TiffLevel {
  if (coarseSidePx === null) return fullLevel(file);
  const enough = overviewLayouts(file).findLast((one) => Math.max(one.widthPx, one.heightPx) >= coarseSidePx);
  return enough === undefined ? fullLevel(file) : overviewLevel(file, enough);
}

/** The smallest part of whole blocks around the wanted window. */
function partOf(level: TiffLevel, crs: SourceCrs | null, window: OpenTiffOptions["window"]): TiffLevel {
  const { layout, mask, georeference } = level;
  const wanted = window?.({ widthPx: layout.widthPx, heightPx: layout.heightPx, georeference, crs }) ?? null;
  if (wanted === null) return level;
  const part = alignedWindow(wanted, mask === null ? [layout] : [layout, mask]);
  return {
    layout: windowLayout(layout, part),
    mask: mask === null ? null : windowLayout(mask, part),
    georeference: windowGeoreference(georeference, part),
  };
}

function readUnit(layout: TiffLayout): number {
  const rowBytes = layout.widthPx * layout.samples * Math.max(1, layout.format.bits / 8);
  const wanted = Math.max(1, Math.min(PREFERRED_ROWS, Math.floor(PREFERRED_BYTES / rowBytes)));
  const blocks = Math.max(1, Math.floor(wanted / layout.blockHeightPx));
  return Math.min(layout.heightPx, blocks * layout.blockHeightPx);
}
