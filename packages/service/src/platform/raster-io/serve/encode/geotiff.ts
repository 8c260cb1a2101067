import { promisify } from "node:util";
import { constants, deflate } from "node:zlib";
import { WEB_MERCATOR_PROJ_STRING } from "@swath/kernel/crs/web-mercator";
import type { Affine } from "@swath/kernel/raster/affine";
import type { MercatorGrid } from "@swath/kernel/raster/rasterize";
import type { PixelArray, SourceCrs } from "../../source-raster.ts";
import { geoKeyTags } from "../../store/geo-keys.ts";

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

const compress = promisify(deflate);

const STRIP_ROWS = 128;
const SPARE_BYTES = 4_096;
/** Differences that wait to be compressed. */
const MAX_BYTES_IN_WORK = 16 * 2 ** 20;
/**
 * Differences of pixels seldom repeat but in runs: looking for longer repetitions takes up to 2.5 times as long, for a
 * few percent fewer or more bytes.
 */
const DEFLATE_OPTIONS = { level: 1, strategy: constants.Z_RLE, memLevel: 9 };

const SHORT = 3;
const LONG = 4;
const DOUBLE = 12;
const ASCII = 2;
const GEO_KEY_DIRECTORY = 34_735;

interface Tag {
  readonly tag: number;
  readonly type: typeof SHORT | typeof LONG | typeof DOUBLE | typeof ASCII;
  readonly values: readonly number[] | string;
}

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

/** Makes and compresses strips, so many at a time. */
async function compressAll(strips: readonly (() => Uint8Array)[], atOnce: number): Promise<readonly Uint8Array[]> {
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

interface Strip {
  readonly offset: number;
  readonly length: number;
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
        `<Item name="DESCRIPTION" sample="${index}" role="description">${escapeXml(description)}</Item>`,
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

/** Rows as differences to the pixel before (predictor 2), or as byte planes and their differences (predictor 3). */
function predicted(pixels: PixelArray, widthPx: number, predictor: 2 | 3): Uint8Array {
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

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Collects pixel data behind an 8-byte header and puts the directories at the end. */
class TiffWriter {
  readonly #parts: Uint8Array[] = [];
  #size = 8;

  data(bytes: Uint8Array): Strip {
    const offset = this.#size;
    this.#parts.push(bytes);
    this.#size += bytes.length;
    if (this.#size % 2 === 1) {
      this.#parts.push(new Uint8Array(1));
      this.#size++;
    }
    return { offset, length: bytes.length };
  }

  finish(directories: readonly (readonly Tag[])[]): Uint8Array {
    const encoded = directories.map((tags) => this.#directory(tags));
    const header = new DataView(new ArrayBuffer(8));
    header.setUint16(0, 0x4949, true);
    header.setUint16(2, 42, true);
    const positions = encoded.map((bytes) => this.data(bytes).offset);
    header.setUint32(4, positions[0]!, true);
    for (const [index, bytes] of encoded.entries()) {
      new DataView(bytes.buffer).setUint32(bytes.length - 4, positions[index + 1] ?? 0, true);
    }
    const result = new Uint8Array(this.#size);
    result.set(new Uint8Array(header.buffer));
    let at = 8;
    for (const part of this.#parts) {
      result.set(part, at);
      at += part.length;
    }
    return result;
  }

  #directory(tags: readonly Tag[]): Uint8Array {
    const bytes = new Uint8Array(2 + tags.length * 12 + 4);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, tags.length, true);
    for (const [index, { tag, type, values }] of tags.entries()) {
      const payload = encodeValues(type, values);
      const at = 2 + index * 12;
      view.setUint16(at, tag, true);
      view.setUint16(at + 2, type, true);
      view.setUint32(at + 4, typeof values === "string" ? payload.length : values.length, true);
      if (payload.length <= 4) bytes.set(payload, at + 8);
      else view.setUint32(at + 8, this.data(payload).offset, true);
    }
    return bytes;
  }
}

function encodeValues(type: Tag["type"], values: Tag["values"]): Uint8Array {
  if (typeof values === "string") return new TextEncoder().encode(`${values}\0`);
  const size = type === SHORT ? 2 : type === LONG ? 4 : 8;
  const view = new DataView(new ArrayBuffer(values.length * size));
  for (const [index, value] of values.entries()) {
    if (type === SHORT) view.setUint16(index * 2, value, true);
    else if (type === LONG) view.setUint32(index * 4, value, true);
    else view.setFloat64(index * 8, value, true);
  }
  return new Uint8Array(view.buffer);
}
