import { SkiError } from "./ski-error.ts";

/** A file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;
const TYPE_AT = 156;
const MAGIC_AT = 257;
const PREFIX_AT = 345;

/**
 * A POSIX tar of the files in the given order, with times 0 and mode 0644: the same files give the same bytes.
 *
 * @throws {RangeError} if a name is not 1 to 100 ASCII characters
 */
export function encodeTar(entries: readonly TarEntry[]): Uint8Array {
  const size = entries.reduce((sum, { data }) => sum + BLOCK_BYTES + padded(data.length), 2 * BLOCK_BYTES);
  const archive = new Uint8Array(size);
  let at = 0;
  for (const entry of entries) {
    archive.set(header(entry), at);
    archive.set(entry.data, at + BLOCK_BYTES);
    at += BLOCK_BYTES + padded(entry.data.length);
  }
  return archive;
}

function padded(length: number): number {
  return Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
}

function header({ name, data }: TarEntry): Uint8Array {
  if (name.length > MAX_NAME_BYTES || !/^[\u0021-\u007E]+$/.test(name)) {
    throw new RangeError(`"${name}" cannot be a tar entry: expected 1 to ${MAX_NAME_BYTES} ASCII characters`);
  }
  const block = new Uint8Array(BLOCK_BYTES);
  const write = (text: string, offset: number): void => {
    for (let i = 0; i < text.length; i += 1) block[offset + i] = text.charCodeAt(i);
  };
  write(name, 0);
  write(octal(0o644, 7), 100);
  write(octal(0, 7), 108);
  write(octal(0, 7), 116);
  write(octal(data.length, 11), SIZE_AT);
  write(octal(0, 11), 136);
  write("        0", CHECKSUM_AT);
  write("ustar\u000000", MAGIC_AT);
  write(`${checksum(block).toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT);
  return block;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, "0")}\0`;
}

/** Sum of the header's bytes with the checksum itself taken as spaces. */
function checksum(block: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < BLOCK_BYTES; i += 1) {
    sum += i >= CHECKSUM_AT && i < CHECKSUM_AT + 8 ? 0x20 : (block[i] ?? 0);
  }
  return sum;
}

/**
 * The plain files of a tar, by reference into `archive`: nothing is copied. Folders, links and extended headers are
 * passed over; a leading `./` of a name is dropped. Ends at the first block of zeros or at the end of the bytes.
 *
 * @throws {SkiError} when a header is damaged, an entry reaches beyond the archive, or there are too many
 */
export function decodeTar(archive: Uint8Array, maxEntries: number): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  let headers = 0;
  for (let at = 0; at + BLOCK_BYTES <= archive.length; headers += 1) {
    const block = archive.subarray(at, at + BLOCK_BYTES);
    if (block.every((byte) => byte === 0)) break;
    if (headers >= maxEntries) throw new SkiError(`the tar has more than ${maxEntries} entries`);
    if (readOctal(block, CHECKSUM_AT, 8) !== checksum(block)) {
      throw new SkiError(`the tar header at byte ${at} has a wrong checksum`);
    }
    const size = readOctal(block, SIZE_AT, 12);
    const start = at + BLOCK_BYTES;
    if (start + size > archive.length) {
      throw new SkiError(
        `a tar entry of ${size} bytes at byte ${start} reaches beyond the archive of ${archive.length}`,
      );
    }
    const type = block[TYPE_AT];
    if (type === 0x30 || type === 0) {
      entries.push({ name: nameOf(block), data: archive.subarray(start, start + size) });
    }
    at = start + padded(size);
  }
  return entries;
}

function readOctal(block: Uint8Array, offset: number, length: number): number {
  const text = readText(block, offset, length).trim();
  if (!/^[0-7]+$/.test(text)) throw new SkiError(`a tar header has "${text}" where an octal number is expected`);
  return Number.parseInt(text, 8);
}

function readText(block: Uint8Array, offset: number, length: number): string {
  let text = "";
  for (let i = offset; i < offset + length; i += 1) {
    const byte = block[i] ?? 0;
    if (byte === 0) break;
    text += String.fromCharCode(byte);
  }
  return text;
}

function nameOf(block: Uint8Array): string {
  const isUstar = readText(block, MAGIC_AT, 5) === "ustar";
  const prefix = isUstar ? readText(block, PREFIX_AT, 155) : "";
  const name = readText(block, 0, MAX_NAME_BYTES);
  return (prefix === "" ? name : `${prefix}/${name}`).replace(/^\.\//, "");
}
