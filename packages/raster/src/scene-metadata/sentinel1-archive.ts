import { buffer } from "node:stream/consumers";
import yauzl from "yauzl";
import { RasterError } from "../raster-error.ts";
import { checkEntry, DEFAULT_ARCHIVE_LIMITS, type ArchiveLimits } from "../tiff/open-archive.ts";
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
  const zip = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true })
    .catch(() => null);
  if (zip === null) return null;
  try {
    const entries = await documentsOf(zip, limits, signal);
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
      const bytes = await buffer(await zip.openReadStreamPromise(entry)).catch((cause: unknown) => {
        throw new RasterError("bad-document", `${name} cannot be unpacked`, { cause });
      });
      const document = { name, text: bytes.toString("utf8") };
      if (isAnnotation(entry)) documents.push(document);
      else manifest = document;
    }
    return readSentinel1Product(productNameOf(entries), manifest, documents);
  } finally {
    zip.close();
  }
}

const ANNOTATION = /(?:^|\/)annotation\/s1[a-d]-[a-z0-9]+-slc-[^/]+\.xml$/i;

function isAnnotation(entry: yauzl.Entry): boolean {
  return ANNOTATION.test(entry.fileName);
}

/** Annotations and the manifest, in the order of the zip; none when its directory cannot be read. */
async function documentsOf(
  zip: yauzl.ZipFile,
  limits: ArchiveLimits,
  signal: AbortSignal,
): Promise<readonly yauzl.Entry[]> {
  const found: yauzl.Entry[] = [];
  let entries = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      entries += 1;
      // Whoever reads it as an archive of GeoTIFFs says what is wrong with it.
      if (entries > limits.maxEntries) return [];
      if (isAnnotation(entry) || /(?:^|\/)manifest\.safe$/i.test(entry.fileName)) found.push(entry);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
  return found;
}

function productNameOf(entries: readonly yauzl.Entry[]): string | null {
  for (const { fileName } of entries) {
    const name = /(?:^|\/)(S1[A-D]_[A-Z0-9_]{10,100})\.SAFE\//i.exec(fileName)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}
