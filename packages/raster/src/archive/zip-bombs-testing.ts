import { crc32, deflateRawSync } from "node:zlib";

/** A file as a directory of a zip describes it. */
interface BombEntry {
  readonly name: string;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  readonly checksum: number;
  /** Position of its local header. */
  readonly at: number;
}

/** A zip whose directory names the same local entry `count` times. */
export function zipOfSharedEntry(count: number, content: Buffer): Uint8Array {
  const packed = deflateRawSync(content, { level: 9 });
  const one = { compressedBytes: packed.length, sizeBytes: content.length, checksum: crc32(content), at: 0 };
  const local = Buffer.concat([localHeader({ ...one, name: "0.tif" }), packed]);
  const entries = Array.from({ length: count }, (_, i): BombEntry => ({ ...one, name: `${i}.tif` }));
  return withDirectory(local, entries);
}

/**
 * A zip of entries of which each holds all that follow: its data quotes the next local header in a stored block of
 * DEFLATE and goes on with the data of that entry. Every header is sound by itself.
 *
 * @see Fifield, "A better zip bomb", WOOT 2019, section 4
 */
export function zipOfQuotedEntries(count: number, content: Buffer): Uint8Array {
  const packed = deflateRawSync(content, { level: 9 });
  let tail: Buffer = packed;
  let unpacked: Buffer = content;
  const described: Omit<BombEntry, "at">[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const entry = {
      name: `${i}.tif`,
      compressedBytes: tail.length,
      sizeBytes: unpacked.length,
      checksum: crc32(unpacked),
    };
    described.unshift(entry);
    const header = localHeader(entry);
    const quote = Buffer.alloc(5);
    quote.writeUInt16LE(header.length, 1);
    quote.writeUInt16LE(0xff_ff - header.length, 3);
    tail = Buffer.concat(i === 0 ? [header, tail] : [quote, header, tail]);
    unpacked = Buffer.concat([header, unpacked]);
  }
  let at = 0;
  const entries = described.map((entry): BombEntry => {
    const placed = { ...entry, at };
    // The next header follows this header and the five bytes that open the stored block.
    at += localHeader(entry).length + 5;
    return placed;
  });
  return withDirectory(tail, entries);
}

function localHeader({ name, ...entry }: Omit<BombEntry, "at">): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(entry.checksum, 14);
  header.writeUInt32LE(entry.compressedBytes, 18);
  header.writeUInt32LE(entry.sizeBytes, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function withDirectory(files: Buffer, entries: readonly BombEntry[]): Uint8Array {
  const directory = Buffer.concat(
    entries.map(({ name, at, ...entry }) => {
      const record = Buffer.alloc(46);
      record.writeUInt32LE(0x02_01_4b_50, 0);
      record.writeUInt16LE(20, 4);
      record.writeUInt16LE(20, 6);
      record.writeUInt16LE(8, 10);
      record.writeUInt32LE(entry.checksum, 16);
      record.writeUInt32LE(entry.compressedBytes, 20);
      record.writeUInt32LE(entry.sizeBytes, 24);
      record.writeUInt16LE(name.length, 28);
      record.writeUInt32LE(at, 42);
      return Buffer.concat([record, Buffer.from(name)]);
    }),
  );
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(files.length, 16);
  return new Uint8Array(Buffer.concat([files, directory, end]));
}
