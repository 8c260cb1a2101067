import type { ByteSource } from "../byte-source.ts";
import { FIELD_TYPE_BYTES, KNOWN_TAGS, TAG_TYPES } from "./tags.ts";
import { type TiffLimits, unreadable } from "./limits.ts";

/** The values of one image file directory. Numeric tags are arrays; ASCII and UNDEFINED tags are bytes. */
export interface TiffDirectory {
  readonly littleEndian: boolean;
  /** All values of a numeric tag, null when the tag is absent. */
  numbers(tag: number): readonly number[] | Float64Array | null;
  /** The first value of a numeric tag. */
  number(tag: number): number | null;
  bytes(tag: number): Uint8Array | null;
  /** Text up to the first NUL, null when absent. */
  text(tag: number): string | null;
}

interface Field {
  readonly type: number;
  readonly count: number;
  readonly data: Uint8Array;
}

/** Bytes read at once where the length of a directory is not yet known. */
const PROBE_BYTES = 64 * 1024;

/** The directories of most images are longer. */
const MIN_PROBE_BYTES = 512;

/** Entries of one directory: real files have under 100. */
const MAX_ENTRIES = 4096;

/**
 * Every directory of the chain that starts in the header, first the full-resolution image.
 *
 * @throws {RasterError} unreadable
 */
export async function readDirectories(source: ByteSource, limits: TiffLimits): Promise<readonly TiffDirectory[]> {
  const header = await source.fetch(0, 16);
  if (header.length < 8)
    throw unreadable(source.name, `is ${source.sizeBytes} bytes long, expected a TIFF header of at least 8 bytes`);
  const order = String.fromCharCode(header[0] ?? 0, header[1] ?? 0);
  if (order !== "II" && order !== "MM") {
    throw unreadable(
      source.name,
      `starts with bytes ${hex(header.subarray(0, 4))}, expected a TIFF header "II" or "MM"`,
    );
  }
  const littleEndian = order === "II";
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const version = view.getUint16(2, littleEndian);
  if (version !== 42 && version !== 43)
    throw unreadable(source.name, `has TIFF version ${version}, expected 42 or 43 (BigTIFF)`);
  const big = version === 43;
  if (big && (header.length < 16 || view.getUint16(4, littleEndian) !== 8)) {
    throw unreadable(source.name, "has a BigTIFF header without 8-byte offsets");
  }
  let offset = big ? safeNumber(view.getBigUint64(8, littleEndian)) : view.getUint32(4, littleEndian);
  const visited = new Set<number>();
  const directories: TiffDirectory[] = [];
  /** Directories may point to the same values again and again. */
  let spentBytes = 0;
  while (offset !== 0) {
    if (visited.has(offset)) throw unreadable(source.name, `has a loop in its directories at offset ${offset}`);
    // The image and its mask come first; overviews or further pages follow.
    if (directories.length >= limits.maxDirectories) break;
    visited.add(offset);
    const { directory, next, tagBytes } = await readDirectory(source, offset, littleEndian, big, limits, spentBytes);
    directories.push(directory);
    spentBytes += tagBytes;
    offset = next;
  }
  if (directories.length === 0) throw unreadable(source.name, "has no image directory");
  return directories;
}

async function readDirectory(
  source: ByteSource,
  offset: number,
  littleEndian: boolean,
  big: boolean,
  limits: TiffLimits,
  spentBytes: number,
) {
  const countBytes = big ? 8 : 2;
  const entryBytes = big ? 20 : 12;
  const pointerBytes = big ? 8 : 4;
  // The available bytes may hold the whole directory: reading more of a remote source would cost a request.
  const available = (await source.available?.(offset)) ?? 0;
  const probe = Math.min(
    available >= MIN_PROBE_BYTES ? Math.min(available, PROBE_BYTES) : PROBE_BYTES,
    source.sizeBytes - offset,
  );
  let chunk = await fetchExactly(source, offset, probe, "a directory");
  let view = viewOf(chunk);
  if (chunk.length < countBytes) throw unreadable(source.name, `has a directory at offset ${offset} beyond its end`);
  const entries = big ? safeNumber(view.getBigUint64(0, littleEndian)) : view.getUint16(0, littleEndian);
  if (entries < 1 || entries > MAX_ENTRIES) {
    throw unreadable(
      source.name,
      `has a directory of ${entries} entries at offset ${offset}, expected 1 to ${MAX_ENTRIES}`,
    );
  }
  const length = countBytes + entries * entryBytes + pointerBytes;
  if (chunk.length < length) {
    chunk = await fetchExactly(source, offset, length, "a directory");
    view = viewOf(chunk);
  }
  const fields = new Map<number, Field>();
  let tagBytes = 0;
  const maxBytes = Math.min(source.sizeBytes, limits.maxTagBytes, limits.maxFileTagBytes - spentBytes);
  for (let i = 0; i < entries; i++) {
    const at = countBytes + i * entryBytes;
    const tag = view.getUint16(at, littleEndian);
    if (!KNOWN_TAGS.has(tag) || fields.has(tag)) continue;
    const type = view.getUint16(at + 2, littleEndian);
    const size = FIELD_TYPE_BYTES[type];
    const count = big ? safeNumber(view.getBigUint64(at + 4, littleEndian)) : view.getUint32(at + 4, littleEndian);
    requireType(source.name, tag, type);
    if (size === undefined || count === 0) continue;
    const bytes = size * count;
    tagBytes += bytes;
    if (bytes > source.sizeBytes || tagBytes > maxBytes) {
      throw unreadable(source.name, `has ${bytes} bytes of values in tag ${tag}, expected at most ${maxBytes}`);
    }
    const valueAt = at + (big ? 12 : 8);
    if (bytes <= pointerBytes) {
      fields.set(tag, { type, count, data: chunk.slice(valueAt, valueAt + bytes) });
      continue;
    }
    const start = big ? safeNumber(view.getBigUint64(valueAt, littleEndian)) : view.getUint32(valueAt, littleEndian);
    const near = start - offset;
    const data =
      near >= 0 && near + bytes <= chunk.length
        ? chunk.slice(near, near + bytes)
        : await fetchExactly(source, start, bytes, `tag ${tag}`);
    fields.set(tag, { type, count, data });
  }
  const nextAt = length - pointerBytes;
  const next = big ? safeNumber(view.getBigUint64(nextAt, littleEndian)) : view.getUint32(nextAt, littleEndian);
  return { directory: directoryOf(fields, littleEndian), next, tagBytes };
}

/** Text or a fraction where an offset belongs would be read as some other place of the file. */
function requireType(name: string, tag: number, type: number): void {
  const expected = TAG_TYPES.get(tag);
  if (expected === undefined || expected.includes(type)) return;
  throw unreadable(name, `has tag ${tag} of field type ${type}, expected ${expected.join(", ")}`);
}

function directoryOf(fields: ReadonlyMap<number, Field>, littleEndian: boolean): TiffDirectory {
  const bytes = (tag: number) => fields.get(tag)?.data ?? null;
  const numbers = (tag: number) => {
    const field = fields.get(tag);
    return field === undefined ? null : decodeNumbers(field, littleEndian);
  };
  return {
    littleEndian,
    bytes,
    numbers,
    number: (tag) => numbers(tag)?.[0] ?? null,
    text: (tag) => {
      const data = bytes(tag);
      if (data === null) return null;
      const end = data.indexOf(0);
      return new TextDecoder().decode(end < 0 ? data : data.subarray(0, end));
    },
  };
}

function decodeNumbers(field: Field, littleEndian: boolean): Float64Array {
  const values = new Float64Array(field.count);
  const view = viewOf(field.data);
  for (let i = 0; i < field.count; i++) values[i] = decodeNumber(view, field.type, i, littleEndian);
  return values;
}

function decodeNumber(view: DataView, type: number, index: number, littleEndian: boolean): number {
  switch (type) {
    case 3:
      return view.getUint16(index * 2, littleEndian);
    case 4:
    case 13:
      return view.getUint32(index * 4, littleEndian);
    case 5:
      return view.getUint32(index * 8, littleEndian) / view.getUint32(index * 8 + 4, littleEndian);
    case 6:
      return view.getInt8(index);
    case 8:
      return view.getInt16(index * 2, littleEndian);
    case 9:
      return view.getInt32(index * 4, littleEndian);
    case 10:
      return view.getInt32(index * 8, littleEndian) / view.getInt32(index * 8 + 4, littleEndian);
    case 11:
      return view.getFloat32(index * 4, littleEndian);
    case 12:
      return view.getFloat64(index * 8, littleEndian);
    case 16:
    case 18:
      return safeNumber(view.getBigUint64(index * 8, littleEndian));
    case 17:
      return Number(view.getBigInt64(index * 8, littleEndian));
    default:
      return view.getUint8(index);
  }
}

/**
 * Exactly the bytes asked for.
 *
 * @throws {RasterError} unreadable when the source ends before
 */
export async function fetchExactly(
  source: ByteSource,
  offset: number,
  length: number,
  what: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (!(offset >= 0) || !(length >= 0) || offset + length > source.sizeBytes) {
    throw unreadable(
      source.name,
      `has ${what} at bytes ${offset} to ${offset + length}, expected within the file of ${source.sizeBytes} bytes; it is truncated or damaged`,
    );
  }
  const bytes = await source.fetch(offset, length, signal === undefined ? {} : { signal });
  if (bytes.length !== length)
    throw unreadable(source.name, `gave ${bytes.length} bytes of ${what}, expected ${length}`);
  return bytes;
}

/** Offsets above 2^53 cannot lie inside any file: infinity fails every range check that follows. */
function safeNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
