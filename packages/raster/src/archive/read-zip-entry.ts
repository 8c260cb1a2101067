import type { Entry } from "yauzl";
import {
  checkEntry,
  damagedZip,
  DEFAULT_ARCHIVE_LIMITS,
  maxUnpackedBytes,
  openZipDirectory,
  refusedZip,
  shownName,
  type ArchiveLimits,
} from "./zip-directory.ts";

/** The entry to read. */
export interface WantedEntry {
  /** Of the archive, for messages. */
  readonly name: string;
  readonly fileName: string;
  readonly maxBytes: number;
  readonly limits?: Partial<ArchiveLimits>;
}

/**
 * The bytes of one file of a zip. The whole directory is checked; no other file is unpacked.
 *
 * @throws {RasterError} bad-document when the zip is damaged, encrypted, over a limit or has unsafe names. The same when
 * the file is absent, there twice or too large
 */
export async function readZipEntry(path: string, wanted: WantedEntry, signal?: AbortSignal): Promise<Uint8Array> {
  const { fileName, maxBytes, name } = wanted;
  const limits = { ...DEFAULT_ARCHIVE_LIMITS, ...wanted.limits };
  using directory = await openZipDirectory(path, name, limits, signal);
  const { entries, zip } = directory;
  for (const entry of entries) checkEntry(entry, name, limits);
  const totalBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  const mostBytes = maxUnpackedBytes(zip, limits);
  if (totalBytes > mostBytes) {
    throw refusedZip(name, `expands to ${totalBytes} bytes, expected at most ${mostBytes}`);
  }
  const [entry, ...more] = entries.filter((one) => one.fileName === fileName);
  if (entry === undefined) throw refusedZip(name, `holds no "${shownName(fileName)}"`);
  if (more.length > 0) throw refusedZip(name, `holds two files named "${shownName(fileName)}"`);
  if (entry.uncompressedSize > maxBytes) {
    const shown = shownName(fileName);
    throw refusedZip(name, `holds "${shown}" of ${entry.uncompressedSize} bytes, expected at most ${maxBytes}`);
  }
  return await bytesOf(zip, entry, name, signal);
}

/** Streams of yauzl end with an error beyond the size that the directory states. */
async function bytesOf(
  zip: { openReadStreamPromise(entry: Entry): Promise<AsyncIterable<unknown>> },
  entry: Entry,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of await zip.openReadStreamPromise(entry)) {
      signal?.throwIfAborted();
      parts.push(part as Uint8Array);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw damagedZip(name, cause);
  }
  return Buffer.concat(parts);
}
