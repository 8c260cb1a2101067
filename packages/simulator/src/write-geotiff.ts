import { escapeMarkup } from "@swath/kernel/text/escape-markup";

/** A striped, pixel-interleaved GeoTIFF of uint16 bands in a UTM zone, such as operators upload. */
export interface GeoTiffOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly resolutionM: number;
  readonly epsg: number;
  readonly originX: number;
  readonly originY: number;
  /** One description per band, written to the tag that GDAL reads them from. */
  readonly bandNames: readonly string[];
  /** zlib compression of a strip; without it the strips are stored as they are. */
  readonly deflate?: (strip: Uint8Array) => Uint8Array;
}

/** Fills one row of every band; `bands[i]` holds `widthPx` values. */
export type RowReader = (row: number, bands: readonly Uint16Array[]) => void;

const STRIP_BYTES = 256 * 1024;
const SHORT = 3;
const LONG = 4;
const DOUBLE = 12;
const ASCII = 2;

interface Tag {
  readonly id: number;
  readonly type: number;
  readonly values: readonly number[] | string;
}

/**
 * The file as consecutive chunks, to be written one after the other.
 *
 * @throws {RangeError} if the file would pass the 4 GiB that a classic TIFF can address
 */
export function writeGeoTiff(options: GeoTiffOptions, readRow: RowReader): readonly Uint8Array[] {
  const { widthPx, heightPx, bandNames } = options;
  const count = bandNames.length;
  const rowBytes = widthPx * count * 2;
  const rowsPerStrip = Math.max(1, Math.min(heightPx, Math.floor(STRIP_BYTES / rowBytes)));
  const bands = bandNames.map(() => new Uint16Array(widthPx));
  const header = new Uint8Array(8);
  const chunks: Uint8Array[] = [header];
  const offsets: number[] = [];
  const lengths: number[] = [];
  let position = header.length;

  for (let top = 0; top < heightPx; top += rowsPerStrip) {
    const rows = Math.min(rowsPerStrip, heightPx - top);
    const strip = new Uint8Array(rows * rowBytes);
    const view = new DataView(strip.buffer);
    for (let row = 0; row < rows; row += 1) {
      readRow(top + row, bands);
      let at = row * rowBytes;
      for (let column = 0; column < widthPx; column += 1) {
        for (const band of bands) {
          view.setUint16(at, band[column]!, true);
          at += 2;
        }
      }
    }
    const stored = options.deflate === undefined ? strip : options.deflate(strip);
    offsets.push(position);
    lengths.push(stored.length);
    chunks.push(stored);
    position += stored.length;
  }

  if (position % 2 === 1) {
    chunks.push(new Uint8Array(1));
    position += 1;
  }
  const directory = encodeDirectory(tagsOf(options, rowsPerStrip, offsets, lengths), position);
  chunks.push(directory);
  if (position + directory.length > 0xffff_ffff) {
    throw new RangeError(`a classic TIFF holds at most 4 GiB, this one needs ${position + directory.length} bytes`);
  }
  const head = new DataView(header.buffer);
  head.setUint16(0, 0x4949, true);
  head.setUint16(2, 42, true);
  head.setUint32(4, position, true);
  return chunks;
}

function tagsOf(
  options: GeoTiffOptions,
  rowsPerStrip: number,
  offsets: readonly number[],
  lengths: readonly number[],
): readonly Tag[] {
  const { bandNames, resolutionM, originX, originY, epsg } = options;
  const count = bandNames.length;
  const descriptions = bandNames.map(
    (name, index) => `  <Item name="DESCRIPTION" sample="${index}" role="description">${escapeMarkup(name)}</Item>\n`,
  );
  return [
    { id: 256, type: LONG, values: [options.widthPx] },
    { id: 257, type: LONG, values: [options.heightPx] },
    { id: 258, type: SHORT, values: bandNames.map(() => 16) },
    { id: 259, type: SHORT, values: [options.deflate === undefined ? 1 : 8] },
    { id: 262, type: SHORT, values: [1] },
    { id: 273, type: LONG, values: offsets },
    { id: 277, type: SHORT, values: [count] },
    { id: 278, type: LONG, values: [rowsPerStrip] },
    { id: 279, type: LONG, values: lengths },
    { id: 284, type: SHORT, values: [1] },
    ...(count > 1 ? [{ id: 338, type: SHORT, values: bandNames.slice(1).map(() => 0) }] : []),
    { id: 339, type: SHORT, values: bandNames.map(() => 1) },
    { id: 33550, type: DOUBLE, values: [resolutionM, resolutionM, 0] },
    { id: 33922, type: DOUBLE, values: [0, 0, 0, originX, originY, 0] },
    // Version 1.1.0, three keys: projected model, pixel is area, EPSG code of the projected CRS.
    { id: 34735, type: SHORT, values: [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, epsg] },
    { id: 42112, type: ASCII, values: `<GDALMetadata>\n${descriptions.join("")}</GDALMetadata>\n` },
  ];
}

/** An image file directory at `start`, followed by the values that do not fit into its entries. */
function encodeDirectory(tags: readonly Tag[], start: number): Uint8Array {
  const payloads = tags.map(encodeValues);
  const tableBytes = 2 + tags.length * 12 + 4;
  const extraBytes = payloads.reduce(
    (sum, bytes) => sum + (bytes.length > 4 ? bytes.length + (bytes.length % 2) : 0),
    0,
  );
  const directory = new Uint8Array(tableBytes + extraBytes);
  const view = new DataView(directory.buffer);
  view.setUint16(0, tags.length, true);
  let extra = tableBytes;
  for (const [index, tag] of tags.entries()) {
    const bytes = payloads[index]!;
    const entry = 2 + index * 12;
    view.setUint16(entry, tag.id, true);
    view.setUint16(entry + 2, tag.type, true);
    view.setUint32(entry + 4, tag.type === ASCII ? bytes.length : tag.values.length, true);
    if (bytes.length <= 4) directory.set(bytes, entry + 8);
    else {
      view.setUint32(entry + 8, start + extra, true);
      directory.set(bytes, extra);
      extra += bytes.length + (bytes.length % 2);
    }
  }
  return directory;
}

function encodeValues(tag: Tag): Uint8Array {
  if (typeof tag.values === "string") return new TextEncoder().encode(`${tag.values}\0`);
  const size = tag.type === SHORT ? 2 : tag.type === LONG ? 4 : 8;
  const bytes = new Uint8Array(tag.values.length * size);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of tag.values.entries()) {
    if (tag.type === SHORT) view.setUint16(index * size, value, true);
    else if (tag.type === LONG) view.setUint32(index * size, value, true);
    else view.setFloat64(index * size, value, true);
  }
  return bytes;
}
