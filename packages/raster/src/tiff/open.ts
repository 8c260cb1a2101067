import type { ByteSource } from "../byte-source.ts";
import { crsFromGeoKeys } from "../crs/geo-keys-crs.ts";
import type { Georeference, PixelArray, SourceCrs, SourceRaster } from "../source-raster.ts";
import { readBands, readPalette } from "./bands.ts";
import { BlockReader } from "./block-reader.ts";
import { readDirectories, type TiffDirectory } from "./directory.ts";
import { parseGdalMetadata } from "./gdal-metadata.ts";
import { readGeoKeys } from "./geo-keys.ts";
import { readGeoreference } from "./georeference.ts";
import { readLayout, type TiffLayout } from "./layout.ts";
import { DEFAULT_TIFF_LIMITS, type TiffLimits, unreadable, unsupported } from "./limits.ts";
import { alignedWindow, blockRanges, type PixelWindow, windowGeoreference, windowLayout } from "./pixel-window.ts";
import { TAG } from "./tags.ts";

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
  /** Told the bytes of the file where all pixels of the raster are, once, before any of them are read. */
  readonly onBlocks?: (ranges: readonly { readonly start: number; readonly end: number }[]) => void;
  readonly limits?: Partial<TiffLimits>;
  /** Read the smallest overview whose longer side has at least so many pixels, if there is one. */
  readonly coarseSidePx?: number;
  /** Released when the raster is disposed: the open file behind the source, a temporary folder. */
  readonly onDispose?: () => Promise<void>;
}

const SUBFILE = { reduced: 1, mask: 4 } as const;
const RASTER_TYPE_KEY = 1025;
const RASTER_PIXEL_IS_POINT = 2;

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
  const limits = { ...DEFAULT_TIFF_LIMITS, ...options.limits };
  const directories = await readDirectories(source, limits);
  const image = directories.find((directory) => subfile(directory) === 0) ?? directories[0];
  if (image === undefined) throw unreadable(source.name, "has no image directory");
  const fullLayout = readLayout(image, source.name, source.sizeBytes, limits);
  const overview =
    options.coarseSidePx === undefined
      ? null
      : findOverview(directories, fullLayout, options.coarseSidePx, source, limits);
  const wholeLayout = overview ?? fullLayout;
  const wholeMask = findMask(directories, wholeLayout, overview !== null, source, limits);
  const gdal = parseGdalMetadata(image.text(TAG.gdalMetadata));
  const roles = readBands(image, wholeLayout, gdal);
  const geoKeys = readGeoKeys(image);
  const pixelIsPoint = geoKeys?.get(RASTER_TYPE_KEY) === RASTER_PIXEL_IS_POINT;
  const wholeGeoreference = coarser(readGeoreference(image, pixelIsPoint), fullLayout, wholeLayout);
  const crs = await crsFromGeoKeys(geoKeys, source.name);
  const { widthPx, heightPx } = wholeLayout;
  const wanted = options.window?.({ widthPx, heightPx, georeference: wholeGeoreference, crs }) ?? null;
  const grids = wholeMask === null ? [wholeLayout] : [wholeLayout, wholeMask];
  const window = wanted === null ? null : alignedWindow(wanted, grids);
  const layout = window === null ? wholeLayout : windowLayout(wholeLayout, window);
  const mask = window === null || wholeMask === null ? wholeMask : windowLayout(wholeMask, window);
  const georeference = window === null ? wholeGeoreference : windowGeoreference(wholeGeoreference, window);
  options.onBlocks?.([layout, mask].flatMap((one) => (one === null ? [] : blockRanges(one))));
  const pixels = new BlockReader(source, layout);
  const validity = validityReader(source, pixels, roles.alphaSample, layout, mask);
  const fill = roles.bands[0]?.nodata ?? 0;

  return {
    widthPx: layout.widthPx,
    heightPx: layout.heightPx,
    bands: roles.bands,
    georeference,
    crs,
    palette: readPalette(image, layout),
    hasMask: validity !== null,
    metadata: { ...tagMetadata(image, pixelIsPoint), ...gdal.items },
    blockHeightPx: readUnit(layout),
    readRows: async (firstRow, rowCount, signal) => {
      if (validity === null || roles.alphaSample === null || layout.planar) {
        return pixels.read(firstRow, rowCount, roles.dataSamples, fill, signal);
      }
      // Alpha lies in the same blocks: keeping its rows saves decoding them again for readMask.
      const samples = [...roles.dataSamples, roles.alphaSample];
      const rows = await pixels.read(firstRow, rowCount, samples, fill, signal);
      const alpha = rows.pop();
      if (alpha !== undefined) validity.remember(firstRow, rowCount, alpha);
      return rows;
    },
    readMask: async (firstRow, rowCount, signal) =>
      validity === null ? null : validity.read(firstRow, rowCount, signal),
    [Symbol.asyncDispose]: async () => {
      await options.onDispose?.();
    },
  };
}

function subfile(directory: TiffDirectory): number {
  return directory.number(TAG.newSubfileType) ?? 0;
}

/** The smallest overview that is large enough; null when there is none. */
function findOverview(
  directories: readonly TiffDirectory[],
  full: TiffLayout,
  coarseSidePx: number,
  source: ByteSource,
  limits: TiffLimits,
): TiffLayout | null {
  let best: TiffLayout | null = null;
  for (const directory of directories) {
    if (subfile(directory) !== SUBFILE.reduced) continue;
    const layout = readLayout(directory, source.name, source.sizeBytes, limits);
    // Pictures of another form or kind are reduced images as well, but not of these pixels.
    const expectedHeightPx = (layout.widthPx * full.heightPx) / full.widthPx;
    const isAlike =
      layout.samples === full.samples &&
      layout.format.bits === full.format.bits &&
      Math.abs(layout.heightPx - expectedHeightPx) <= 1 + 0.01 * expectedHeightPx;
    if (!isAlike || Math.max(layout.widthPx, layout.heightPx) < coarseSidePx) continue;
    if (best === null || layout.widthPx < best.widthPx) best = layout;
  }
  return best;
}

/** The place of an image seen from one of its overviews. */
function coarser(georeference: Georeference, full: TiffLayout, layout: TiffLayout): Georeference {
  const [x, y] = [full.widthPx / layout.widthPx, full.heightPx / layout.heightPx];
  if (georeference.kind === "affine") {
    const [a, b, c, d, e, f] = georeference.transform;
    return { kind: "affine", transform: [a * x, b * y, c, d * x, e * y, f] };
  }
  if (georeference.kind === "none") return georeference;
  return {
    kind: "gcps",
    points: georeference.points.map((point) => ({ ...point, column: point.column / x, row: point.row / y })),
  };
}

/** The transparency mask of an image: a directory of one sample and the same size. */
function findMask(
  directories: readonly TiffDirectory[],
  image: TiffLayout,
  isOverview: boolean,
  source: ByteSource,
  limits: TiffLimits,
): TiffLayout | null {
  for (const directory of directories) {
    const kind = subfile(directory);
    if ((kind & SUBFILE.mask) === 0 || ((kind & SUBFILE.reduced) !== 0) !== isOverview) continue;
    const layout = readLayout(directory, source.name, source.sizeBytes, limits);
    if (layout.widthPx === image.widthPx && layout.heightPx === image.heightPx) {
      if (layout.samples !== 1) throw unsupported(source.name, `has a mask of ${layout.samples} samples, expected 1`);
      return layout;
    }
  }
  return null;
}

interface ValidityReader {
  read(firstRow: number, rowCount: number, signal: AbortSignal): Promise<Uint8Array>;
  remember(firstRow: number, rowCount: number, alpha: PixelArray): void;
}

function validityReader(
  source: ByteSource,
  pixels: BlockReader,
  alphaSample: number | null,
  layout: TiffLayout,
  mask: TiffLayout | null,
): ValidityReader | null {
  const alpha = alphaSample;
  if (mask === null && alpha === null) return null;
  const maskPixels = mask === null ? null : new BlockReader(source, mask);
  let remembered: { readonly firstRow: number; readonly rowCount: number; readonly alpha: PixelArray } | null = null;
  const readAlpha = async (firstRow: number, rowCount: number, signal: AbortSignal): Promise<PixelArray | null> => {
    if (alpha === null) return null;
    if (remembered?.firstRow === firstRow && remembered.rowCount === rowCount) return remembered.alpha;
    const [rows] = await pixels.read(firstRow, rowCount, [alpha], 0, signal);
    return rows ?? null;
  };
  return {
    remember: (firstRow, rowCount, rows) => {
      remembered = { firstRow, rowCount, alpha: rows };
    },
    read: async (firstRow, rowCount, signal) => {
      const valid = new Uint8Array(layout.widthPx * rowCount).fill(255);
      const sources = [
        await readAlpha(firstRow, rowCount, signal),
        maskPixels === null ? null : (await maskPixels.read(firstRow, rowCount, [0], 0, signal))[0],
      ];
      for (const values of sources) {
        if (values === null || values === undefined) continue;
        for (let i = 0; i < valid.length; i++) if (values[i] === 0) valid[i] = 0;
      }
      return valid;
    },
  };
}

function readUnit(layout: TiffLayout): number {
  const rowBytes = layout.widthPx * layout.samples * Math.max(1, layout.format.bits / 8);
  const wanted = Math.max(1, Math.min(PREFERRED_ROWS, Math.floor(PREFERRED_BYTES / rowBytes)));
  const blocks = Math.max(1, Math.floor(wanted / layout.blockHeightPx));
  return Math.min(layout.heightPx, blocks * layout.blockHeightPx);
}

const TEXT_TAGS: readonly (readonly [number, string])[] = [
  [TAG.documentName, "TIFFTAG_DOCUMENTNAME"],
  [TAG.imageDescription, "TIFFTAG_IMAGEDESCRIPTION"],
  [TAG.software, "TIFFTAG_SOFTWARE"],
  [TAG.dateTime, "TIFFTAG_DATETIME"],
  [TAG.artist, "TIFFTAG_ARTIST"],
  [TAG.hostComputer, "TIFFTAG_HOSTCOMPUTER"],
  [TAG.copyright, "TIFFTAG_COPYRIGHT"],
];

function tagMetadata(image: TiffDirectory, pixelIsPoint: boolean): Record<string, string> {
  const metadata: Record<string, string> = { AREA_OR_POINT: pixelIsPoint ? "Point" : "Area" };
  for (const [tag, name] of TEXT_TAGS) {
    const text = image.text(tag)?.trim();
    if (text) metadata[name] = text.slice(0, 65_536);
  }
  return metadata;
}
