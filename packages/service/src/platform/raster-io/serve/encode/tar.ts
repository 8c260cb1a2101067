/** A file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

const BLOCK_BYTES = 512;

/** A POSIX tar in the given order, with times 0 and mode 0644: the same files give the same bytes. */
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
  const block = new Uint8Array(BLOCK_BYTES);
  const write = (text: string, offset: number): void => {
    block.set(new TextEncoder().encode(text), offset);
  };
  if (name.length > 100) throw new RangeError(`tar entry name has ${name.length} characters, expected at most 100`);
  write(name, 0);
  write(octal(0o644, 7), 100);
  write(octal(0, 7), 108);
  write(octal(0, 7), 116);
  write(octal(data.length, 11), 124);
  write(octal(0, 11), 136);
  write("        0", 148);
  write("ustar\u000000", 257);
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  write(`${checksum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, "0")}\0`;
}
