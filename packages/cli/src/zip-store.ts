import { crc32 } from "node:zlib";

export interface ZipMember {
  readonly name: string;
  /** May be a file that is larger than memory. */
  readonly content: Blob;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** The name is UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980, the first date a zip can tell: equal members give equal bytes. */
const DATE = 0x0021;

/**
 * A zip archive of members stored without compression: GeoTIFFs are compressed already. The archive refers to its
 * members' contents, which are read once for their checksums and again when the archive is read.
 *
 * @throws {RangeError} if the archive would pass the 4 GiB or 65535 members of a plain zip
 */
export async function zipStore(members: readonly ZipMember[]): Promise<Blob> {
  if (members.length > 0xffff) throw new RangeError(`a zip holds at most 65535 members, got ${members.length}`);
  const parts: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, content } of members) {
    const encoded = new TextEncoder().encode(name);
    const at = offset;
    const size = content.size;
    offset += 30 + encoded.length + size;
    if (offset > 0xffff_ffff - 0x10_0000) throw new RangeError(`a plain zip holds at most 4 GiB, ${name} passes that`);
    const checksum = await checksumOf(content);
    const local = record(30, encoded, (view) => {
      view.setUint32(0, LOCAL, true);
      view.setUint16(4, 20, true);
      view.setUint16(6, FLAGS, true);
      view.setUint16(12, DATE, true);
      view.setUint32(14, checksum, true);
      view.setUint32(18, size, true);
      view.setUint32(22, size, true);
      view.setUint16(26, encoded.length, true);
    });
    directory.push(
      record(46, encoded, (view) => {
        view.setUint32(0, CENTRAL, true);
        view.setUint16(4, 20, true);
        view.setUint16(6, 20, true);
        view.setUint16(8, FLAGS, true);
        view.setUint16(14, DATE, true);
        view.setUint32(16, checksum, true);
        view.setUint32(20, size, true);
        view.setUint32(24, size, true);
        view.setUint16(28, encoded.length, true);
        view.setUint32(42, at, true);
      }),
    );
    parts.push(local, content);
  }
  const directoryBytes = directory.reduce((sum, chunk) => sum + chunk.length, 0);
  const end = record(22, new Uint8Array(0), (view) => {
    view.setUint32(0, END, true);
    view.setUint16(8, members.length, true);
    view.setUint16(10, members.length, true);
    view.setUint32(12, directoryBytes, true);
    view.setUint32(16, offset, true);
  });
  return new Blob([...parts, ...directory, end]);
}

async function checksumOf(content: Blob): Promise<number> {
  let checksum = 0;
  for await (const chunk of content.stream()) checksum = crc32(chunk, checksum);
  return checksum;
}

function record(size: number, name: Uint8Array, write: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size + name.length);
  write(new DataView(bytes.buffer));
  bytes.set(name, size);
  return bytes;
}
