import { buffer } from "node:stream/consumers";
import type { Entry } from "yauzl";
import { checkEntry, DEFAULT_ARCHIVE_LIMITS, openZipDirectory, type ArchiveLimits } from "../archive/zip-directory.ts";
import { RasterError } from "../raster-error.ts";
import { readSentinel1Product, type ProductDocument, type Sentinel1Product } from "./sentinel1-product.ts";

/** An IW product has 6 annotations, an EW product 10. */
const MAX_ANNOTATIONS = 32;

/**
 * Reads the documents of a zipped Sentinel-1 SLC product: the whole SAFE folder, or only its annotations and manifest.
 * Measurements are not touched. Null when the file is no zip or holds no annotation of an SLC product.
 *
 * @throws {RasterError} bad-document when a document is wrong or too large
 */
export async function readSentinel1Archive(
  path: string,
  signal: AbortSignal,
  limits: ArchiveLimits = DEFAULT_ARCHIVE_LIMITS,
): Promise<Sentinel1Product | null> {
  using directory = await openZipDirectory(path, "the archive", limits, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof RasterError)) throw error;
    // Whoever reads it as an archive of GeoTIFFs says what is wrong with it.
    return null;
  });
  if (directory === null) return null;
  const entries = directory.entries.filter((entry) => isAnnotation(entry) || isManifest(entry));
  if (!entries.some(isAnnotation)) return null;
  if (entries.length > MAX_ANNOTATIONS + 1) {
    throw new RasterError(
      "bad-document",
      `the archive holds ${entries.length - 1} annotations, expected at most ${MAX_ANNOTATIONS} of one product`,
    );
  }
  const documents: ProductDocument[] = [];
  let manifest: ProductDocument | null = null;
  for (const entry of entries) {
    signal.throwIfAborted();
    checkEntry(entry, "the archive", limits);
    const name = entry.fileName.slice(entry.fileName.lastIndexOf("/") + 1);
    if (entry.uncompressedSize > limits.maxDocumentBytes) {
      throw new RasterError("bad-document", `${name} has more than ${limits.maxDocumentBytes} bytes`);
    }
    const bytes = await buffer(await directory.zip.openReadStreamPromise(entry)).catch((cause: unknown) => {
      throw new RasterError("bad-document", `${name} cannot be unpacked`, { cause });
    });
    const document = { name, text: bytes.toString("utf8") };
    if (isAnnotation(entry)) documents.push(document);
    else manifest = document;
  }
  return readSentinel1Product(productNameOf(entries), manifest, documents);
}

const ANNOTATION = /(?:^|\/)annotation\/s1[a-d]-[a-z0-9]+-slc-[^/]+\.xml$/i;

function isAnnotation(entry: Entry): boolean {
  return ANNOTATION.test(entry.fileName);
}

function isManifest(entry: Entry): boolean {
  return /(?:^|\/)manifest\.safe$/i.test(entry.fileName);
}

function productNameOf(entries: readonly Entry[]): string | null {
  for (const { fileName } of entries) {
    const name = /(?:^|\/)(S1[A-D]_[A-Z0-9_]{10,100})\.SAFE\//i.exec(fileName)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}
