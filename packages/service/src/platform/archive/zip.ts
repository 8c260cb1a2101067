import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

/** One file of an archive. */
export interface ZipEntry {
  /** Path inside, `/` between folders. */
  readonly name: string;
  readonly body: Uint8Array;
}

const compress = promisify(deflateRaw);

/** 1980-01-01 00:00, the first time that the format knows. */
const DATE = 0x0021;
const TIME = 0;
/** Coordinates shrink to a third in half the time of level 6. */
const DEFLATE_LEVEL = 3;
const SPARE_BYTES = 4_096;
/** Compressed already: trying again costs time and gains nothing. */
const STORED = /\.(?:png|webp|jpeg|ski|geotiff|tif|shz|zip)$/u;
const METHOD_STORED = 0;
const METHOD_DEFLATED = 8;
/** Version 2.0 of the format: folders and DEFLATE. */
const VERSION_NEEDED = 20;
/** The same, made on Unix, which is where modes come from. */
const VERSION_MADE_BY = (3 << 8) | VERSION_NEEDED;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const FILE_MODE = 0o100_644;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffff_ffff;

interface PackedEntry {
  readonly name: Uint8Array;
  readonly method: number;
  readonly checksum: number;
  readonly size: number;
  readonly data: Uint8Array;
}

async function pack({ name, body }: ZipEntry): Promise<PackedEntry> {
  const isStored = body.length === 0 || STORED.test(name);
  return {
    name: new TextEncoder().encode(name),
    method: isStored ? METHOD_STORED : METHOD_DEFLATED,
    checksum: crc32(body),
    size: body.length,
    data: isStored ? body : await compress(body, { level: DEFLATE_LEVEL, chunkSize: body.length + SPARE_BYTES }),
  };
}

/** What the headers before the file and in the directory have in common, from the version on. */
function describe(view: DataView, at: number, { name, method, checksum, size, data }: PackedEntry): void {
  view.setUint16(at, VERSION_NEEDED, true);
  view.setUint16(at + 2, FLAGS, true);
  view.setUint16(at + 4, method, true);
  view.setUint16(at + 6, TIME, true);
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, checksum, true);
  view.setUint32(at + 14, data.length, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
}

/**
 * A ZIP archive (APPNOTE 6.3, without extensions). The same files in the same order give the same bytes.
 *
 * @throws {RangeError} beyond 65,535 files or 4 GiB
 */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  const packed = await Promise.all(entries.map(pack));
  const dataBytes = packed.reduce((sum, { name, data }) => sum + LOCAL_HEADER_BYTES + name.length + data.length, 0);
  const directoryBytes = packed.reduce((sum, { name }) => sum + CENTRAL_HEADER_BYTES + name.length, 0);
  const total = dataBytes + directoryBytes + END_BYTES;
  if (packed.length > MAX_ENTRIES || total > MAX_BYTES) {
    throw new RangeError(
      `an archive of ${packed.length} files and ${total} bytes, expected at most ${MAX_ENTRIES} and ${MAX_BYTES}`,
    );
  }
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  let at = 0;
  let directory = dataBytes;
  for (const entry of packed) {
    view.setUint32(directory, 0x0201_4b50, true);
    view.setUint16(directory + 4, VERSION_MADE_BY, true);
    describe(view, directory + 6, entry);
    view.setUint32(directory + 38, FILE_MODE * 0x1_0000, true);
    view.setUint32(directory + 42, at, true);
    bytes.set(entry.name, directory + CENTRAL_HEADER_BYTES);
    directory += CENTRAL_HEADER_BYTES + entry.name.length;
    view.setUint32(at, 0x0403_4b50, true);
    describe(view, at + 4, entry);
    bytes.set(entry.name, at + LOCAL_HEADER_BYTES);
    bytes.set(entry.data, at + LOCAL_HEADER_BYTES + entry.name.length);
    at += LOCAL_HEADER_BYTES + entry.name.length + entry.data.length;
  }
  view.setUint32(directory, 0x0605_4b50, true);
  view.setUint16(directory + 8, packed.length, true);
  view.setUint16(directory + 10, packed.length, true);
  view.setUint32(directory + 12, directoryBytes, true);
  view.setUint32(directory + 16, dataBytes, true);
  return bytes;
}
