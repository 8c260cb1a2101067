import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { TiffDirectory } from "./directory.ts";
import { type TiffLimits, unreadable, unsupported } from "./limits.ts";
import { dataTypeOf, rowByteLength, type SampleFormat } from "./samples.ts";
import { TAG } from "./tags.ts";
import { codecOf, type Codec } from "./codecs/codec.ts";

export const PHOTOMETRIC = { rgb: 2, palette: 3, mask: 4, cmyk: 5, ycbcr: 6 } as const;

/**
 * Where the pixels of one directory are: a grid of blocks (tiles or strips), one grid per sample when `planar`.
 * Everything here has been checked against the limits and the size of the file.
 */
export interface TiffLayout {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly samples: number;
  readonly planar: boolean;
  readonly blockWidthPx: number;
  readonly blockHeightPx: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** `blocksAcross * blocksDown` entries, times `samples` when planar; offset 0 or count 0 is an absent block. */
  readonly offsets: Float64Array;
  readonly byteCounts: Float64Array;
  readonly format: SampleFormat;
  readonly dataType: DataType;
  readonly codec: Codec;
  readonly predictor: 1 | 2 | 3;
  readonly photometric: number;
  readonly littleEndian: boolean;
  readonly jpegTables: Uint8Array | null;
  /** Second value of the LercParameters tag. */
  readonly lercWrapping: number;
}

/** Uncompressed strips larger than this are read in pieces. */
const PIECE_BYTES = 1024 * 1024;

/** Tiles wider than this do not occur; the bound keeps products of dimensions exact. */
const MAX_SIDE_PX = 2 ** 31 - 1;

/** @throws {RasterError} unreadable when the directory contradicts itself, unsupported when it cannot be read */
export function readLayout(directory: TiffDirectory, name: string, sizeBytes: number, limits: TiffLimits): TiffLayout {
  const widthPx = side(directory.number(TAG.imageWidth), "ImageWidth", name);
  const heightPx = side(directory.number(TAG.imageLength), "ImageLength", name);
  if (widthPx * heightPx > limits.maxPixels) {
    throw unreadable(name, `is ${widthPx} x ${heightPx} pixels, expected at most ${limits.maxPixels} pixels`);
  }
  const samples = directory.number(TAG.samplesPerPixel) ?? 1;
  if (!Number.isInteger(samples) || samples < 1 || samples > limits.maxBands) {
    throw unreadable(name, `has ${samples} samples per pixel, expected 1 to ${limits.maxBands}`);
  }
  const planarConfiguration = directory.number(TAG.planarConfiguration) ?? 1;
  if (planarConfiguration !== 1 && planarConfiguration !== 2) {
    throw unreadable(name, `has planar configuration ${planarConfiguration}, expected 1 or 2`);
  }
  const planar = planarConfiguration === 2 && samples > 1;
  const photometric = directory.number(TAG.photometric) ?? 1;
  const format = sampleFormat(directory, samples, name);
  const dataType = dataTypeOf(format);
  if (dataType === null)
    throw unsupported(name, `has ${format.bits}-bit ${format.kind} samples, which are not supported`);
  const codec = codecOf(directory.number(TAG.compression) ?? 1, name);
  checkCodec(codec, format, photometric, planar ? 1 : samples, directory, name);
  const predictor = readPredictor(directory, codec, format, name);
  const stored: Stored = { widthPx, heightPx, samples: samples | 0, planar, format, codec, predictor };
  const grid = blockGrid(directory, stored, name, sizeBytes, limits);
  return {
    ...stored,
    ...grid,
    dataType,
    photometric,
    littleEndian: directory.littleEndian,
    jpegTables: directory.bytes(TAG.jpegTables),
    lercWrapping: directory.numbers(TAG.lercParameters)?.[1] ?? 0,
  };
}

type Stored = Pick<TiffLayout, "widthPx" | "heightPx" | "samples" | "planar" | "format" | "codec" | "predictor">;
type BlockGrid = Pick<
  TiffLayout,
  "blockWidthPx" | "blockHeightPx" | "blocksAcross" | "blocksDown" | "offsets" | "byteCounts"
>;

function blockGrid(
  directory: TiffDirectory,
  stored: Stored,
  name: string,
  sizeBytes: number,
  limits: TiffLimits,
): BlockGrid {
  const { widthPx, heightPx } = stored;
  const tileOffsets = directory.numbers(TAG.tileOffsets);
  const tiled = tileOffsets !== null;
  const offsets = tileOffsets ?? directory.numbers(TAG.stripOffsets);
  if (offsets === null) throw unreadable(name, "has neither TileOffsets nor StripOffsets");
  const rowsPerStrip = directory.number(TAG.rowsPerStrip) ?? heightPx;
  const blockWidthPx = tiled ? side(directory.number(TAG.tileWidth), "TileWidth", name) : widthPx;
  const blockHeightPx = tiled
    ? side(directory.number(TAG.tileLength), "TileLength", name)
    : side(Math.min(rowsPerStrip, heightPx), "RowsPerStrip", name);
  const blocksAcross = Math.ceil(widthPx / blockWidthPx);
  const blocksDown = Math.ceil(heightPx / blockHeightPx);
  const planes = stored.planar ? stored.samples : 1;
  const count = blocksAcross * blocksDown * planes;
  const kind = tiled ? "tiles" : "strips";
  if (offsets.length < count) throw unreadable(name, `has offsets of ${offsets.length} ${kind}, expected ${count}`);
  const rowBytes = rowByteLength(stored.format, blockWidthPx * (stored.planar ? 1 : stored.samples));
  const grid = { blockWidthPx, blockHeightPx, blocksAcross, blocksDown };
  const byteCounts = readByteCounts(directory, tiled, grid, heightPx, rowBytes, count, stored.codec, name);
  for (let i = 0; i < count; i++) {
    const offset = offsets[i] ?? 0;
    const bytes = byteCounts[i] ?? 0;
    if (offset > 0 && bytes > 0 && offset + bytes > sizeBytes) {
      throw unreadable(
        name,
        `has ${kind} up to byte ${offset + bytes}, but is only ${sizeBytes} bytes long; it is truncated or damaged`,
      );
    }
  }
  const complete: BlockGrid = { ...grid, offsets: Float64Array.from(offsets), byteCounts };
  const pieces =
    tiled || stored.codec.name !== "none" || stored.predictor !== 1 ? complete : inPieces(complete, stored, rowBytes);
  const blockBytes = rowBytes * pieces.blockHeightPx;
  if (blockBytes > limits.maxBlockBytes) {
    throw unreadable(
      name,
      `has ${kind} of ${blockBytes} bytes, expected at most ${limits.maxBlockBytes}; write it with smaller tiles or strips`,
    );
  }
  if (blockBytes * blocksAcross * planes > limits.maxBlockRowBytes) {
    throw unreadable(
      name,
      `needs ${blockBytes * blocksAcross * planes} bytes for one row of ${kind}, expected at most ${limits.maxBlockRowBytes}; write it with smaller tiles or strips`,
    );
  }
  return pieces;
}

function readByteCounts(
  directory: TiffDirectory,
  tiled: boolean,
  grid: Pick<BlockGrid, "blockHeightPx" | "blocksAcross" | "blocksDown">,
  heightPx: number,
  rowBytes: number,
  count: number,
  codec: Codec,
  name: string,
): Float64Array {
  const given = directory.numbers(tiled ? TAG.tileByteCounts : TAG.stripByteCounts);
  if (given !== null && given.length >= count) return Float64Array.from(given);
  if (codec.name !== "none") {
    throw unreadable(name, `has ${given?.length ?? 0} byte counts of ${tiled ? "tiles" : "strips"}, expected ${count}`);
  }
  // Old writers leave the counts out of uncompressed files.
  return Float64Array.from({ length: count }, (_, i) => {
    const row = Math.floor((i % (grid.blocksAcross * grid.blocksDown)) / grid.blocksAcross);
    const rows = tiled ? grid.blockHeightPx : Math.min(grid.blockHeightPx, heightPx - row * grid.blockHeightPx);
    return rows * rowBytes;
  });
}

/** Splits large uncompressed strips into strips of about 1 MiB, which need no decoding as a whole. */
function inPieces(grid: BlockGrid, stored: Stored, rowBytes: number): BlockGrid {
  if (grid.blockHeightPx * rowBytes <= 4 * PIECE_BYTES) return grid;
  const target = Math.max(1, Math.floor(PIECE_BYTES / rowBytes));
  let rows = target;
  // Pieces must not straddle strips, unless there is only one.
  if (grid.blocksDown > 1) while (grid.blockHeightPx % rows !== 0) rows--;
  const piecesPerStrip = Math.ceil(grid.blockHeightPx / rows);
  const planes = stored.planar ? stored.samples : 1;
  const blocksDown = Math.ceil(stored.heightPx / rows);
  const offsets = new Float64Array(blocksDown * planes);
  const byteCounts = new Float64Array(blocksDown * planes);
  for (let plane = 0; plane < planes; plane++) {
    for (let i = 0; i < blocksDown; i++) {
      const strip = plane * grid.blocksDown + Math.floor(i / piecesPerStrip);
      const within = (i % piecesPerStrip) * rows * rowBytes;
      const offset = grid.offsets[strip] ?? 0;
      const absent = offset === 0 || grid.byteCounts[strip] === 0;
      const at = plane * blocksDown + i;
      offsets[at] = absent ? 0 : offset + within;
      byteCounts[at] = absent ? 0 : Math.max(0, Math.min(rows * rowBytes, (grid.byteCounts[strip] ?? 0) - within));
      // A strip that ends early is short, not absent.
      if (!absent && byteCounts[at] === 0) byteCounts[at] = 1;
    }
  }
  return { ...grid, blockHeightPx: rows, blocksDown, offsets, byteCounts };
}

function sampleFormat(directory: TiffDirectory, samples: number, name: string): SampleFormat {
  const bitsPerSample = directory.numbers(TAG.bitsPerSample) ?? [1];
  const formats = directory.numbers(TAG.sampleFormat) ?? [1];
  const bits = bitsPerSample[0] ?? 1;
  const format = formats[0] ?? 1;
  for (let i = 1; i < Math.min(samples, bitsPerSample.length); i++) {
    if (bitsPerSample[i] !== bits)
      throw unsupported(name, `has samples of ${bits} and ${bitsPerSample[i]} bits, expected one size for all`);
  }
  for (let i = 1; i < Math.min(samples, formats.length); i++) {
    if (formats[i] !== format) throw unsupported(name, "has samples of different formats, expected one for all");
  }
  if (format === 5 || format === 6) {
    throw unsupported(
      name,
      "has complex samples (single-look complex radar), expected real numbers such as detected intensity or amplitude",
    );
  }
  if (!Number.isInteger(bits) || bits < 1 || bits > 64)
    throw unreadable(name, `has ${bits} bits per sample, expected 1 to 64`);
  return { bits: bits | 0, kind: format === 2 ? "int" : format === 3 ? "float" : "uint" };
}

function checkCodec(
  codec: Codec,
  format: SampleFormat,
  photometric: number,
  samplesPerBlock: number,
  directory: TiffDirectory,
  name: string,
): void {
  if ((directory.number(TAG.fillOrder) ?? 1) !== 1)
    throw unsupported(name, "stores bits in reversed order (FillOrder 2)");
  if (photometric === PHOTOMETRIC.ycbcr && codec.name !== "JPEG" && codec.name !== "WebP") {
    throw unsupported(name, `has YCbCr pixels in ${codec.name} compression, expected JPEG or WebP`);
  }
  if (codec.name === "JPEG" && (format.bits !== 8 || format.kind !== "uint")) {
    throw unsupported(name, `has ${format.bits}-bit JPEG compression, expected 8 bits`);
  }
  if (codec.name === "WebP" && (format.bits !== 8 || (samplesPerBlock !== 3 && samplesPerBlock !== 4))) {
    throw unsupported(
      name,
      `has WebP compression of ${samplesPerBlock} samples of ${format.bits} bits, expected 3 or 4 of 8 bits`,
    );
  }
  if (codec.name === "LERC" && (format.bits % 8 !== 0 || (format.kind === "float" && format.bits === 16))) {
    throw unsupported(name, `has LERC compression of ${format.bits}-bit samples`);
  }
}

function readPredictor(directory: TiffDirectory, codec: Codec, format: SampleFormat, name: string): 1 | 2 | 3 {
  const predictor = codec.predicts ? (directory.number(TAG.predictor) ?? 1) : 1;
  if (predictor === 2 && format.bits >= 8 && format.bits % 8 === 0) return 2;
  if (predictor === 3 && format.kind === "float") return 3;
  if (predictor === 1) return 1;
  throw unsupported(name, `has predictor ${predictor} on ${format.bits}-bit ${format.kind} samples`);
}

function side(value: number | null, tag: string, name: string): number {
  if (value === null || !Number.isInteger(value) || value < 1 || value > MAX_SIDE_PX) {
    throw unreadable(name, `has ${tag} ${value ?? "missing"}, expected 1 to ${MAX_SIDE_PX}`);
  }
  // Tag values are doubles; as 32-bit integers they keep the index arithmetic of all pixel loops in integers.
  return value | 0;
}
