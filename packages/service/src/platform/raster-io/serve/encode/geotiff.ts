import { deflateSync } from "node:zlib";
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
  /** Rows that are compressed together; 64 unless given. */
  readonly stripRows?: number;
}

const STRIP_ROWS = 64;
/** One more percent of bytes than level 6 for half the time. */
const DEFLATE_LEVEL = 1;

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

/** A GeoTIFF: DEFLATE strips, bands one after the other. The same input gives the same bytes. */
export function encodeGeoTiff(file: GeoTiffFile): Uint8Array {
  const writer = new TiffWriter();
  const image = imageDirectory(file, writer);
  const directories = [image];
  if (file.valid !== null) {
    directories.push(maskDirectory(file.valid, file.grid, file.stripRows ?? STRIP_ROWS, writer));
  }
  return writer.finish(directories);
}

function imageDirectory(
  { grid, bands, nodata, isRgba, stripRows = STRIP_ROWS }: GeoTiffFile,
  writer: TiffWriter,
): readonly Tag[] {
  const first = bands[0];
  if (first === undefined) throw new RangeError("a GeoTIFF needs at least one band");
  const { widthPx, heightPx } = grid;
  const [pixelSizeX, , originX, , pixelSizeY, originY] = grid.geotransform;
  const bytesPerSample = first.pixels.BYTES_PER_ELEMENT;
  const format = sampleFormat(first.pixels);
  const predictor = format === 3 ? 3 : 2;
  const strips = bands.flatMap(({ pixels }) =>
    stripsOf(heightPx, stripRows).map(([top, rows]) => {
      const part = pixels.subarray(top * widthPx, (top + rows) * widthPx);
      return writer.data(deflateSync(predicted(part, widthPx, predictor), { level: DEFLATE_LEVEL }));
    }),
  );
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

function maskDirectory(
  valid: Uint8Array,
  { widthPx, heightPx }: GeoTiffGrid,
  stripRows: number,
  writer: TiffWriter,
): readonly Tag[] {
  const rowBytes = Math.ceil(widthPx / 8);
  const strips = stripsOf(heightPx, stripRows).map(([top, rows]) => {
    const bits = new Uint8Array(rowBytes * rows);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < widthPx; column++) {
        if (valid[(top + row) * widthPx + column] !== 0) bits[row * rowBytes + (column >> 3)]! |= 0x80 >> (column & 7);
      }
    }
    return writer.data(deflateSync(bits, { level: DEFLATE_LEVEL }));
  });
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
  if (predictor === 2) {
    const differences = pixels.slice();
    for (let row = 0; row < pixels.length; row += widthPx) {
      for (let i = row + widthPx - 1; i > row; i--) differences[i] = pixels[i]! - pixels[i - 1]!;
    }
    return new Uint8Array(differences.buffer);
  }
  const size = pixels.BYTES_PER_ELEMENT;
  const rowBytes = widthPx * size;
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const result = new Uint8Array(bytes.length);
  for (let row = 0; row < bytes.length; row += rowBytes) {
    for (let i = 0; i < widthPx; i++) {
      for (let byte = 0; byte < size; byte++)
        result[row + (size - 1 - byte) * widthPx + i] = bytes[row + i * size + byte]!;
    }
    for (let i = row + rowBytes - 1; i > row; i--) result[i]! -= result[i - 1]!;
  }
  return result;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Collects pixel data behind an 8-byte header and puts the directories at the end. */
class TiffWriter {
  readonly #parts: Uint8Array[] = [];
  #size = 8;

  data(bytes: Uint8Array): { readonly offset: number; readonly length: number } {
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
