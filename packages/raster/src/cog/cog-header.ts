import type { DataType } from "@swath/kernel/scenes/stored-raster";
import { RasterError } from "../raster-error.ts";
import type { ByteSupply } from "./byte-supply.ts";

/** One resolution of a COG with one band. */
export interface CogLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly blockWidthPx: number;
  readonly blockHeightPx: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  readonly compression: "none" | "deflate" | "zstd";
  readonly predictor: 1 | 2 | 3;
  /** Row-major; a length of 0 is a block that was never written. */
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
}

/** Header of a COG for reading blocks: parsed once, then kept. */
export interface CogHeader {
  readonly dataType: DataType;
  /** Full resolution first, then overviews from fine to coarse. */
  readonly levels: readonly CogLevel[];
}

/** Directories and block tables of a COG come first in the file; this size suffices for a 10 000-pixel scene. */
const FIRST_READ_BYTES = 65_536;
const MAX_DIRECTORIES = 64;
const MAX_BLOCKS = 4_000_000;
const MAX_BLOCK_PIXELS = 4_194_304;

const SUBFILE_TYPE = 254;
const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const COMPRESSION = 259;
const SAMPLES_PER_PIXEL = 277;
const PREDICTOR = 317;
const BLOCK_WIDTH = 322;
const BLOCK_HEIGHT = 323;
const BLOCK_OFFSETS = 324;
const BLOCK_LENGTHS = 325;
const SAMPLE_FORMAT = 339;

const TAG_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  6: 1,
  8: 2,
  9: 4,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Where the values are, in the file. */
  readonly at: number;
}

/**
 * Reads the directories of a little-endian TIFF or BigTIFF in tiles with one band.
 *
 * @throws {RasterError} unreadable when the blob is not such a file
 * @throws {BytesNeeded} when a remote blob has to be fetched first
 */
export function readCogHeader(supply: ByteSupply, key: string): CogHeader {
  const file = new HeaderBytes(supply, key);
  const start = file.view(0, 16);
  const version = start.getUint16(2, true);
  if (start.getUint16(0, true) !== 0x4949 || (version !== 42 && version !== 43)) {
    throw unreadable(key, "it is not a little-endian TIFF");
  }
  const big = version === 43;
  let directory = big ? Number(start.getBigUint64(8, true)) : start.getUint32(4, true);
  let dataType: DataType | null = null;
  const levels: CogLevel[] = [];
  for (let count = 0; directory !== 0; count++) {
    if (count === MAX_DIRECTORIES) throw unreadable(key, `it has more than ${MAX_DIRECTORIES} directories`);
    const { entries, next } = readDirectory(file, directory, big);
    const subfile = entries.has(SUBFILE_TYPE) ? file.number(entries, SUBFILE_TYPE) : 0;
    // Bit 2 is a mask of the image; masks of the store are separate files.
    if ((subfile & 4) === 0) {
      dataType ??= readDataType(file, entries, key);
      levels.push(readLevel(file, entries, key));
    }
    directory = next;
  }
  if (dataType === null) throw unreadable(key, "it has no image");
  return { dataType, levels: levels.toSorted((a, b) => b.widthPx - a.widthPx) };
}

function unreadable(key: string, reason: string): RasterError {
  return new RasterError("unreadable", `stored raster "${key}" cannot be read: ${reason}`);
}

/** The front of a file, extended when something lies beyond it. */
class HeaderBytes {
  readonly #supply: ByteSupply;
  readonly key: string;
  #front: Uint8Array;

  constructor(supply: ByteSupply, key: string) {
    this.#supply = supply;
    this.key = key;
    this.#front = this.#read(0, FIRST_READ_BYTES);
  }

  #read(offset: number, length: number): Uint8Array {
    const bytes = this.#supply.read(this.key, offset, length);
    if (bytes === null) this.#supply.demand();
    return bytes ?? new Uint8Array();
  }

  view(offset: number, length: number): DataView {
    let bytes = this.#front.subarray(offset, offset + length);
    if (bytes.length < length) bytes = this.#read(offset, length);
    if (bytes.length < length) {
      throw unreadable(this.key, `it ends before byte ${offset + length}, which its directory points to`);
    }
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }

  numbers(entry: Entry): Float64Array {
    const size = TAG_BYTES[entry.type];
    if (size === undefined) throw unreadable(this.key, `its directory has a value of type ${entry.type}`);
    if (entry.count > MAX_BLOCKS) throw unreadable(this.key, `its directory lists ${entry.count} values`);
    const view = this.view(entry.at, entry.count * size);
    return Float64Array.from({ length: entry.count }, (_, i) => {
      if (size === 1) return view.getUint8(i);
      if (size === 2) return view.getUint16(2 * i, true);
      return size === 4 ? view.getUint32(4 * i, true) : Number(view.getBigUint64(8 * i, true));
    });
  }

  number(entries: ReadonlyMap<number, Entry>, tag: number, fallback?: number): number {
    const entry = entries.get(tag);
    const value = entry === undefined ? fallback : this.numbers({ ...entry, count: 1 })[0];
    if (value === undefined) throw unreadable(this.key, `its directory lacks tag ${tag}`);
    return value;
  }
}

function readDirectory(
  file: HeaderBytes,
  offset: number,
  big: boolean,
): { readonly entries: ReadonlyMap<number, Entry>; readonly next: number } {
  const countBytes = big ? 8 : 2;
  const entryBytes = big ? 20 : 12;
  const inlineBytes = big ? 8 : 4;
  const head = file.view(offset, countBytes);
  const count = big ? Number(head.getBigUint64(0, true)) : head.getUint16(0, true);
  if (count > 1_000) throw unreadable(file.key, `a directory has ${count} entries`);
  const body = file.view(offset + countBytes, count * entryBytes + inlineBytes);
  const entries = new Map<number, Entry>();
  for (let i = 0; i < count; i++) {
    const at = i * entryBytes;
    const type = body.getUint16(at + 2, true);
    const values = big ? Number(body.getBigUint64(at + 4, true)) : body.getUint32(at + 4, true);
    const inline = (TAG_BYTES[type] ?? 1) * values <= inlineBytes;
    const pointer = big ? Number(body.getBigUint64(at + 12, true)) : body.getUint32(at + 8, true);
    const position = inline ? offset + countBytes + at + (big ? 12 : 8) : pointer;
    entries.set(body.getUint16(at, true), { type, count: values, at: position });
  }
  const end = count * entryBytes;
  return { entries, next: big ? Number(body.getBigUint64(end, true)) : body.getUint32(end, true) };
}

function readDataType(file: HeaderBytes, entries: ReadonlyMap<number, Entry>, key: string): DataType {
  const samples = file.number(entries, SAMPLES_PER_PIXEL, 1);
  if (samples !== 1) throw unreadable(key, `it has ${samples} bands, expected 1`);
  const bits = file.number(entries, BITS, 1);
  const format = file.number(entries, SAMPLE_FORMAT, 1);
  switch (`${format}:${bits}`) {
    case "1:8":
      return "uint8";
    case "2:8":
      return "int8";
    case "1:16":
      return "uint16";
    case "2:16":
      return "int16";
    case "1:32":
      return "uint32";
    case "2:32":
      return "int32";
    case "3:32":
      return "float32";
    case "3:64":
      return "float64";
    default:
      throw unreadable(key, `its samples have ${bits} bits in format ${format}`);
  }
}

function readLevel(file: HeaderBytes, entries: ReadonlyMap<number, Entry>, key: string): CogLevel {
  const widthPx = file.number(entries, WIDTH);
  const heightPx = file.number(entries, HEIGHT);
  const blockWidthPx = file.number(entries, BLOCK_WIDTH);
  const blockHeightPx = file.number(entries, BLOCK_HEIGHT);
  if (blockWidthPx % 16 !== 0 || blockHeightPx < 1 || blockWidthPx * blockHeightPx > MAX_BLOCK_PIXELS) {
    throw unreadable(key, `its blocks are ${blockWidthPx} x ${blockHeightPx} pixels`);
  }
  const offsets = entries.get(BLOCK_OFFSETS);
  const lengths = entries.get(BLOCK_LENGTHS);
  const blocksAcross = Math.ceil(widthPx / blockWidthPx);
  const blocksDown = Math.ceil(heightPx / blockHeightPx);
  const blocks = blocksAcross * blocksDown;
  if (offsets?.count !== blocks || lengths?.count !== blocks) {
    throw unreadable(key, `it lists ${offsets?.count ?? 0} blocks, expected ${blocks}`);
  }
  const predictor = file.number(entries, PREDICTOR, 1);
  if (predictor !== 1 && predictor !== 2 && predictor !== 3) throw unreadable(key, `its predictor is ${predictor}`);
  return {
    widthPx,
    heightPx,
    blockWidthPx,
    blockHeightPx,
    blocksAcross,
    blocksDown,
    compression: readCompression(file.number(entries, COMPRESSION, 1), key),
    predictor,
    offsets: file.numbers(offsets),
    lengths: file.numbers(lengths),
  };
}

function readCompression(code: number, key: string): CogLevel["compression"] {
  if (code === 1) return "none";
  if (code === 8 || code === 32_946) return "deflate";
  if (code === 50_000) return "zstd";
  throw unreadable(key, `its compression is ${code}, expected none, DEFLATE or ZSTD`);
}
