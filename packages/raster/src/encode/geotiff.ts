import { escapeMarkup } from "@swath/kernel/text/escape-markup";
import { WEB_MERCATOR_PROJ_STRING } from "@swath/kernel/crs/web-mercator";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import type { MercatorGrid } from "@swath/kernel/raster-mathematics/rasterize";
import type { PixelArray, SourceCrs } from "../source-raster.ts";
import { geoKeyTags } from "../store/geo-keys.ts";
import { compressAll, predicted } from "./strip-compression.ts";
import { ASCII, DOUBLE, LONG, SHORT, TiffWriter, type Strip, type Tag } from "./tiff-writer.ts";

export interface GeoTiffBand {
  readonly description: string;
  /** Row-major; all bands of a file have the same type. */
  readonly pixels: PixelArray;
}

/** Where the pixels of a file are: a north-up grid of a coordinate reference system. */
export interface GeoTiffGrid {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Not rotated; rows run southwards. */
  readonly geotransform: Affine;
  readonly crs: SourceCrs;
}

export interface GeoTiffFile {
  readonly grid: GeoTiffGrid;
  readonly bands: readonly GeoTiffBand[];
  /** Value that means "no data", or null when `valid` says which pixels count. */
  readonly nodata: number | null;
  /** One byte per pixel, 0 where invalid; written as an internal mask when given. */
  readonly valid: Uint8Array | null;
  /** Four uint8 bands as red, green, blue and straight alpha. */
  readonly isRgba: boolean;
  /** Rows that are compressed together; 128 unless given. */
  readonly stripRows?: number;
}

const STRIP_ROWS = 128;
/** Differences that wait to be compressed. */
const MAX_BYTES_IN_WORK = 16 * 2 ** 20;
const GEO_KEY_DIRECTORY = 34_735;

const WEB_MERCATOR: SourceCrs = {
  epsg: 3857,
  proj4: WEB_MERCATOR_PROJ_STRING,
  name: "WGS 84 / Pseudo-Mercator",
  datumShiftKnown: true,
};

export function mercatorGeoTiffGrid({ originXM, originYM, pixelSizeM, widthPx, heightPx }: MercatorGrid): GeoTiffGrid {
  return {
    widthPx,
    heightPx,
    geotransform: [pixelSizeM, 0, originXM, 0, -pixelSizeM, originYM],
    crs: WEB_MERCATOR,
  };
}

/**
 * A GeoTIFF: DEFLATE strips, bands one after the other, compressed beside the calling thread. The same input gives the
 * same bytes. The pixels are read until the promise is settled.
 */
export async function encodeGeoTiff(file: GeoTiffFile): Promise<Uint8Array> {
  const { grid, bands, valid, stripRows = STRIP_ROWS } = file;
  const { widthPx, heightPx } = grid;
  const predictor = predictorOf(file);
  const parts = stripsOf(heightPx, stripRows);
  const strips = bands.flatMap(({ pixels }) =>
    parts.map(
      ([top, rows]) =>
        (): Uint8Array =>
          predicted(pixels.subarray(top * widthPx, (top + rows) * widthPx), widthPx, predictor),
    ),
  );
  const masks =
    valid === null
      ? []
      : parts.map(
          ([top, rows]) =>
            () =>
              maskBits(valid, widthPx, top, rows),
        );
  const stripBytes = Math.min(stripRows, heightPx) * widthPx * bands[0]!.pixels.BYTES_PER_ELEMENT;
  const compressed = await compressAll([...strips, ...masks], Math.ceil(MAX_BYTES_IN_WORK / stripBytes));
  const writer = new TiffWriter();
  const placed = compressed.map((strip) => writer.data(strip));
  const directories = [imageDirectory(file, placed.slice(0, strips.length))];
  if (valid !== null) directories.push(maskDirectory(grid, stripRows, placed.slice(strips.length)));
  return writer.finish(directories);
}

function predictorOf({ bands }: GeoTiffFile): 2 | 3 {
  const [first] = bands;
  if (first === undefined) throw new RangeError("a GeoTIFF needs at least one band");
  return sampleFormat(first.pixels) === 3 ? 3 : 2;
}

function imageDirectory(
  { grid, bands, nodata, isRgba, stripRows = STRIP_ROWS }: GeoTiffFile,
  strips: readonly Strip[],
): readonly Tag[] {
  const { pixels } = bands[0]!;
  const { widthPx, heightPx } = grid;
  const [pixelSizeX, , originX, , pixelSizeY, originY] = grid.geotransform;
  const bytesPerSample = pixels.BYTES_PER_ELEMENT;
  const format = sampleFormat(pixels);
  const predictor = format === 3 ? 3 : 2;
  const repeat = (value: number): readonly number[] => bands.map(() => value);
  const metadata = bands
    .map(
      ({ description }, index) =>
        `<Item name="DESCRIPTION" sample="${index}" role="description">${escapeMarkup(description)}</Item>`,
    )
    .join("");
  return [
    { tag: 256, type: LONG, values: [widthPx] },
    { tag: 257, type: LONG, values: [heightPx] },
    { tag: 258, type: SHORT, values: repeat(bytesPerSample * 8) },
    { tag: 259, type: SHORT, values: [8] },
    { tag: 262, type: SHORT, values: [isRgba ? 2 : 1] },
    { tag: 273, type: LONG, values: strips.map((strip) => strip.offset) },
    { tag: 277, type: SHORT, values: [bands.length] },
    { tag: 278, type: LONG, values: [stripRows] },
    { tag: 279, type: LONG, values: strips.map((strip) => strip.length) },
    { tag: 284, type: SHORT, values: [2] },
    { tag: 317, type: SHORT, values: [predictor] },
    ...(isRgba || bands.length > 1
      ? [{ tag: 338, type: SHORT, values: isRgba ? [2] : bands.slice(1).map(() => 0) } as const]
      : []),
    { tag: 339, type: SHORT, values: repeat(format) },
    { tag: 33_550, type: DOUBLE, values: [pixelSizeX, -pixelSizeY, 0] },
    { tag: 33_922, type: DOUBLE, values: [0, 0, 0, originX, originY, 0] },
    ...geoTags(grid.crs),
    ...(isRgba ? [] : [{ tag: 42_112, type: ASCII, values: `<GDALMetadata>${metadata}</GDALMetadata>` } as const]),
    ...(nodata === null
      ? []
      : [{ tag: 42_113, type: ASCII, values: Number.isNaN(nodata) ? "nan" : String(nodata) } as const]),
  ];
}

function geoTags(crs: SourceCrs): readonly Tag[] {
  return geoKeyTags(crs).map(({ tag, value }): Tag => {
    if (tag === GEO_KEY_DIRECTORY) return { tag, type: SHORT, values: numbersOf(value) };
    return typeof value === "string"
      ? { tag, type: ASCII, values: value }
      : { tag, type: DOUBLE, values: numbersOf(value) };
  });
}

function numbersOf(value: ReturnType<typeof geoKeyTags>[number]["value"]): readonly number[] {
  if (typeof value === "string") throw new RangeError(`a geographic tag holds "${value}", expected numbers`);
  return Array.from(value, Number);
}

function maskBits(valid: Uint8Array, widthPx: number, top: number, rows: number): Uint8Array {
  const rowBytes = Math.ceil(widthPx / 8);
  const bits = new Uint8Array(rowBytes * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < widthPx; column++) {
      if (valid[(top + row) * widthPx + column] !== 0) bits[row * rowBytes + (column >> 3)]! |= 0x80 >> (column & 7);
    }
  }
  return bits;
}

function maskDirectory(
  { widthPx, heightPx }: GeoTiffGrid,
  stripRows: number,
  strips: readonly Strip[],
): readonly Tag[] {
  return [
    { tag: 254, type: LONG, values: [4] },
    { tag: 256, type: LONG, values: [widthPx] },
    { tag: 257, type: LONG, values: [heightPx] },
    { tag: 258, type: SHORT, values: [1] },
    { tag: 259, type: SHORT, values: [8] },
    { tag: 262, type: SHORT, values: [4] },
    { tag: 273, type: LONG, values: strips.map((strip) => strip.offset) },
    { tag: 277, type: SHORT, values: [1] },
    { tag: 278, type: LONG, values: [stripRows] },
    { tag: 279, type: LONG, values: strips.map((strip) => strip.length) },
  ];
}

function stripsOf(heightPx: number, stripRows: number): readonly (readonly [top: number, rows: number])[] {
  return Array.from({ length: Math.ceil(heightPx / stripRows) }, (_, strip) => [
    strip * stripRows,
    Math.min(stripRows, heightPx - strip * stripRows),
  ]);
}

function sampleFormat(pixels: PixelArray): 1 | 2 | 3 {
  if (pixels instanceof Float32Array || pixels instanceof Float64Array) return 3;
  return pixels instanceof Int8Array || pixels instanceof Int16Array || pixels instanceof Int32Array ? 2 : 1;
}
