import yauzl from "yauzl";
import { isSystemFailure } from "../file-fault.ts";
import { RasterError } from "../raster-error.ts";

/** Limits of an archive. One over a limit is refused before the first of its files is unpacked. */
export interface ArchiveLimits {
  readonly maxEntries: number;
  /** Bytes of the path of an entry. */
  readonly maxNameBytes: number;
  /** Decompressed bytes of all entries that are extracted. */
  readonly maxTotalBytes: number;
  /** Decompressed over compressed bytes of one entry and of the archive; DEFLATE reaches 1032, imagery rarely 50. */
  readonly maxRatio: number;
  /** Decompressed bytes of scene.json, a STAC item or an MTL file. */
  readonly maxDocumentBytes: number;
  /** The same of all documents of the archive. */
  readonly maxDocumentsBytes: number;
}

const MIB = 1024 ** 2;

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 1000,
  maxNameBytes: 1024,
  maxTotalBytes: 32 * 1024 ** 3,
  maxRatio: 200,
  maxDocumentBytes: 8 * MIB,
  maxDocumentsBytes: 64 * MIB,
};

/** Small entries compress without limit (a mask of zeros); below this size the ratio says nothing. */
const RATIO_FROM_BYTES = 16 * MIB;

/** An open zip whose directory is read and sound. */
export interface ZipDirectory extends Disposable {
  readonly zip: yauzl.ZipFile;
  readonly entries: readonly yauzl.Entry[];
}

/**
 * Reads the directory of a zip. Nothing is unpacked.
 *
 * @param name for messages
 * @throws {RasterError} bad-document when the zip is damaged, has too many entries, or entries that share bytes:
 * a few kilobytes could then be unpacked to gigabytes
 */
export async function openZipDirectory(
  path: string,
  name: string,
  limits: ArchiveLimits,
  signal?: AbortSignal,
): Promise<ZipDirectory> {
  const zip = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true })
    .catch((cause: unknown) => {
      throw damagedZip(name, cause);
    });
  try {
    const entries = await readEntries(zip, name, limits, signal);
    requireDisjoint(await extentsOf(zip, entries, signal), name);
    return { zip, entries, [Symbol.dispose]: () => zip.close() };
  } catch (cause) {
    zip.close();
    throw cause instanceof RasterError || signal?.aborted === true ? cause : damagedZip(name, cause);
  }
}

/** The refusal that an error of unpacking means; the error itself when the machine is at fault. */
export function damagedZip(name: string, cause: unknown): unknown {
  if (isSystemFailure(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RasterError("bad-document", `${name}: is not a readable zip: ${reason}`, { cause });
}

/** @throws {RasterError} bad-document when the entry is one that no archive may hold */
export function checkEntry(entry: yauzl.Entry, name: string, limits: ArchiveLimits): void {
  if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(entry.fileName)) {
    throw refusedZip(name, `holds the unsafe file name "${shownName(entry.fileName)}"`);
  }
  if (entry.isEncrypted()) {
    throw refusedZip(name, `is encrypted ("${shownName(entry.fileName)}"), expected a zip without password`);
  }
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * limits.maxRatio) {
    const ratio = Math.round(uncompressedSize / Math.max(1, compressedSize));
    throw refusedZip(
      name,
      `holds "${shownName(entry.fileName)}", which expands ${ratio} times, expected at most ${limits.maxRatio}`,
    );
  }
}

/** Most bytes that the entries of an archive may take when unpacked. */
export function maxUnpackedBytes(zip: yauzl.ZipFile, limits: ArchiveLimits): number {
  return Math.min(limits.maxTotalBytes, Math.max(RATIO_FROM_BYTES, zip.fileSize * limits.maxRatio));
}

export function refusedZip(name: string, message: string): RasterError {
  return new RasterError("bad-document", `${name}: ${message}`);
}

export function shownName(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/g, "?").slice(0, 120);
}

async function readEntries(
  zip: yauzl.ZipFile,
  name: string,
  limits: ArchiveLimits,
  signal: AbortSignal | undefined,
): Promise<readonly yauzl.Entry[]> {
  if (zip.entryCount > limits.maxEntries) {
    throw refusedZip(name, `holds ${zip.entryCount} entries, expected at most ${limits.maxEntries}`);
  }
  const entries: yauzl.Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    signal?.throwIfAborted();
    if (entries.length >= limits.maxEntries) throw refusedZip(name, `holds more than ${limits.maxEntries} entries`);
    if (entry.fileNameLength > limits.maxNameBytes) {
      throw refusedZip(
        name,
        `holds a file name of ${entry.fileNameLength} bytes, expected at most ${limits.maxNameBytes}`,
      );
    }
    entries.push(entry);
  }
  return entries;
}

/** Bytes of the archive that belong to an entry. */
interface EntryExtent {
  readonly fileName: string;
  readonly start: number;
  readonly end: number;
}

async function extentsOf(
  zip: yauzl.ZipFile,
  entries: readonly yauzl.Entry[],
  signal: AbortSignal | undefined,
): Promise<readonly EntryExtent[]> {
  const extents: EntryExtent[] = [];
  for (const entry of entries) {
    signal?.throwIfAborted();
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const { compressedSize, fileName, relativeOffsetOfLocalHeader: start } = entry;
    extents.push({ fileName, start, end: fileDataStart + compressedSize });
  }
  return extents;
}

/** @see Fifield, "A better zip bomb", WOOT 2019: entries that overlap expand without limit */
function requireDisjoint(extents: readonly EntryExtent[], name: string): void {
  const inOrder = extents.toSorted((a, b) => a.start - b.start);
  for (const [i, { fileName, start }] of inOrder.entries()) {
    const before = inOrder[i - 1];
    if (before === undefined || before.end <= start) continue;
    throw refusedZip(
      name,
      `holds "${shownName(before.fileName)}" up to byte ${before.end} and "${shownName(fileName)}" from byte ${start}, expected entries that share no bytes`,
    );
  }
}
