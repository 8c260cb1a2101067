import type { ByteSource } from "../byte-source.ts";
import { crsFromGeoKeys } from "../crs/geo-keys-crs.ts";
import type { Georeference, SourceCrs, SourceRaster } from "../source-raster.ts";
import { readBands, readPalette, type SampleRoles } from "./bands.ts";
import { readDirectories, type TiffDirectory } from "./directory.ts";
import { parseGdalMetadata } from "./gdal-metadata.ts";
import { readGeoKeys } from "./geo-keys.ts";
import { readGeoreference } from "./georeference.ts";
import { readLayout, type TiffLayout } from "./layout.ts";
import { DEFAULT_TIFF_LIMITS, type TiffLimits, unreadable, unsupported } from "./limits.ts";
import { TAG } from "./tags.ts";

/** A TIFF whose directories have been read; its pixels have not. */
export interface TiffFile {
  readonly source: ByteSource;
  readonly limits: TiffLimits;
  readonly directories: readonly TiffDirectory[];
  readonly full: TiffLayout;
  readonly roles: SampleRoles;
  /** Of the full-resolution image. */
  readonly georeference: Georeference;
  readonly crs: SourceCrs | null;
  readonly palette: SourceRaster["palette"];
  readonly metadata: Readonly<Record<string, string>>;
}

/** One resolution of the image. */
export interface TiffLevel {
  readonly layout: TiffLayout;
  /** Transparency mask of the same size; null when there is none. */
  readonly mask: TiffLayout | null;
  readonly georeference: Georeference;
}

const SUBFILE = { reduced: 1, mask: 4 } as const;
const RASTER_TYPE_KEY = 1025;
const RASTER_PIXEL_IS_POINT = 2;

/**
 * Reads the directories of a GeoTIFF of any layout. Pages after the first image are ignored.
 *
 * @throws {RasterError} unreadable when the file is damaged or contradicts itself.
 * Unsupported when it is sound but of a kind that is not read, such as complex samples
 */
export async function readTiffFile(source: ByteSource, limits: Partial<TiffLimits> = {}): Promise<TiffFile> {
  const all = { ...DEFAULT_TIFF_LIMITS, ...limits };
  const directories = await readDirectories(source, all);
  const image = directories.find((directory) => subfile(directory) === 0) ?? directories[0];
  if (image === undefined) throw unreadable(source.name, "has no image directory");
  const full = readLayout(image, source.name, source.sizeBytes, all);
  const gdal = parseGdalMetadata(image.text(TAG.gdalMetadata));
  const geoKeys = readGeoKeys(image);
  const pixelIsPoint = geoKeys?.get(RASTER_TYPE_KEY) === RASTER_PIXEL_IS_POINT;
  return {
    source,
    limits: all,
    directories,
    full,
    roles: readBands(image, full, gdal),
    georeference: readGeoreference(image, pixelIsPoint),
    crs: await crsFromGeoKeys(geoKeys, source.name),
    palette: readPalette(image, full),
    metadata: { ...tagMetadata(image, pixelIsPoint), ...gdal.items },
  };
}

/** The image itself. */
export function fullLevel(file: TiffFile): TiffLevel {
  return { layout: file.full, mask: findMask(file, file.full, false), georeference: file.georeference };
}

/** Overviews of the image, from fine to coarse. Reduced pictures of another form or kind are left out. */
export function overviewLayouts(file: TiffFile): readonly TiffLayout[] {
  const { directories, full, source, limits } = file;
  return directories
    .filter((directory) => subfile(directory) === SUBFILE.reduced)
    .map((directory) => readLayout(directory, source.name, source.sizeBytes, limits))
    .filter((layout) => isAlike(layout, full))
    .toSorted((a, b) => b.widthPx - a.widthPx);
}

export function overviewLevel(file: TiffFile, layout: TiffLayout): TiffLevel {
  const georeference = coarser(file.georeference, file.full, layout);
  return { layout, mask: findMask(file, layout, true), georeference };
}

function subfile(directory: TiffDirectory): number {
  return directory.number(TAG.newSubfileType) ?? 0;
}

function isAlike(layout: TiffLayout, full: TiffLayout): boolean {
  const expectedHeightPx = (layout.widthPx * full.heightPx) / full.widthPx;
  return (
    layout.samples === full.samples &&
    layout.format.bits === full.format.bits &&
    Math.abs(layout.heightPx - expectedHeightPx) <= 1 + 0.01 * expectedHeightPx
  );
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
  { directories, source, limits }: TiffFile,
  image: TiffLayout,
  isOverview: boolean,
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
