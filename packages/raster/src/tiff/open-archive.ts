import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { addAbortSignal, Transform, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
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
  type ZipDirectory,
} from "../archive/zip-directory.ts";
import { RasterError } from "../raster-error.ts";
import type { SourceRaster } from "../source-raster.ts";
import { isMtlName, readMtl } from "../scene-metadata/landsat-mtl.ts";
import { isStacItem } from "../scene-metadata/stac-item.ts";
import { readSceneDocument } from "../scene-metadata/scene-document.ts";
import type { SceneDocument } from "../scene-metadata/scene-metadata.ts";
import { fileSource } from "./byte-sources.ts";
import type { TiffLimits } from "./limits.ts";
import { openTiff } from "./open.ts";

export interface OpenArchiveOptions {
  readonly limits?: Partial<ArchiveLimits>;
  readonly tiffLimits?: Partial<TiffLimits>;
  readonly signal?: AbortSignal;
}

/** The rasters of an upload, with its documents; disposing closes them and removes extracted files. */
export interface OpenedArchive extends AsyncDisposable {
  /** In natural order of their names: B2 before B10. */
  readonly rasters: readonly { readonly name: string; readonly raster: SourceRaster }[];
  /** From scene.json, a STAC item or a Landsat MTL file, in this order; null when there is none. */
  readonly document: SceneDocument | null;
}

/**
 * Opens a zip of GeoTIFF files, extracting them into a new folder inside `temporaryFolder`.
 * Folders inside the zip, macOS side files, overviews (`.ovr`) and files of other kinds are ignored.
 *
 * @throws {RasterError} bad-document when the zip is damaged, encrypted or over a limit, has unsafe names or no GeoTIFF.
 * The same when scene.json is wrong. Any error of `openTiff` for the files in it
 */
export async function openArchive(
  path: string,
  temporaryFolder: string,
  options: OpenArchiveOptions = {},
): Promise<OpenedArchive> {
  const limits = { ...DEFAULT_ARCHIVE_LIMITS, ...options.limits };
  const name = basename(path);
  const folder = await mkdtemp(join(temporaryFolder, "archive-"));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const unpacked = await unpack(path, { folder, name, limits, options, resources });
  const document = readDocuments(unpacked.documents);
  const rasters = unpacked.rasters.toSorted((a, b) => NATURAL.compare(a.name, b.name));
  if (rasters.length === 0) throw refusedZip(name, "holds no GeoTIFF, expected files ending in .tif or .tiff");
  const owned = resources.move();
  return { rasters, document, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const NATURAL = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

interface Unpacking {
  readonly folder: string;
  /** Of the archive, for messages. */
  readonly name: string;
  readonly limits: ArchiveLimits;
  readonly options: OpenArchiveOptions;
  /** Takes the opened files. */
  readonly resources: AsyncDisposableStack;
}

interface Unpacked {
  readonly rasters: readonly { readonly name: string; readonly raster: SourceRaster }[];
  readonly documents: readonly { readonly name: string; readonly text: string }[];
}

/** Each image is opened before the next is unpacked, so that an archive of others costs no more than its first. */
async function unpack(path: string, unpacking: Unpacking): Promise<Unpacked> {
  const { folder, name, limits, options, resources } = unpacking;
  const { signal } = options;
  using directory = await openZipDirectory(path, name, limits, signal);
  const chosen = chooseEntries(directory, name, limits);
  const tiffLimits = options.tiffLimits === undefined ? {} : { limits: options.tiffLimits };
  const rasters: { name: string; raster: SourceRaster }[] = [];
  const documents: { name: string; text: string }[] = [];
  for (const [index, { entry, kind }] of chosen.entries()) {
    signal?.throwIfAborted();
    const base = basename(entry.fileName);
    const stream = await directory.zip.openReadStreamPromise(entry).catch((cause: unknown) => {
      throw damagedZip(name, cause);
    });
    if (kind === "document") {
      documents.push({ name: base, text: await readText(stream, name, signal) });
      continue;
    }
    const target = join(folder, `${index}.tif`);
    await writeEntry(stream, target, entry, unpacking);
    const source = resources.use(await fileSource(target, base));
    rasters.push({ name: base, raster: resources.use(await openTiff(source, tiffLimits)) });
  }
  return { rasters, documents };
}

interface ChosenEntry {
  readonly entry: Entry;
  readonly kind: "tiff" | "document";
}

/** The entries to unpack; their sizes, as the directory states them, are within the limits. */
function chooseEntries({ zip, entries }: ZipDirectory, name: string, limits: ArchiveLimits): readonly ChosenEntry[] {
  const chosen: ChosenEntry[] = [];
  const seen = new Set<string>();
  const maxBytes = { tiff: maxUnpackedBytes(zip, limits), document: limits.maxDocumentsBytes };
  const bytes = { tiff: 0, document: 0 };
  for (const entry of entries) {
    checkEntry(entry, name, limits);
    const kind = kindOf(entry.fileName);
    if (kind === "other") continue;
    const shown = shownName(entry.fileName);
    if (kind === "archive") throw refusedZip(name, `holds another archive, "${shown}", expected GeoTIFF files`);
    const base = basename(entry.fileName);
    if (seen.has(base.toLowerCase())) throw refusedZip(name, `holds two files named "${shownName(base)}"`);
    seen.add(base.toLowerCase());
    if (kind === "document" && entry.uncompressedSize > limits.maxDocumentBytes) {
      throw refusedZip(name, `expands to more than it may: "${shown}" exceeds ${limits.maxDocumentBytes} bytes`);
    }
    bytes[kind] += entry.uncompressedSize;
    if (bytes[kind] > maxBytes[kind]) {
      throw refusedZip(
        name,
        `has ${zip.fileSize} bytes and expands to more than it may: with "${shown}" to ${bytes[kind]} bytes, expected at most ${maxBytes[kind]}`,
      );
    }
    chosen.push({ entry, kind });
  }
  return chosen;
}

function kindOf(fileName: string): "tiff" | "document" | "archive" | "other" {
  const base = basename(fileName);
  if (fileName.endsWith("/") || base.startsWith(".") || fileName.startsWith("__MACOSX/")) return "other";
  if (/\.(?:tiff?|geotiff?|gtiff)$/i.test(base)) return "tiff";
  if (/\.(?:zip|7z|rar|tar|tgz|gz)$/i.test(base)) return "archive";
  return /\.json$/i.test(base) || isMtlName(base) ? "document" : "other";
}

/** scene.json decides; else the first STAC item; else a Landsat MTL file. */
function readDocuments(documents: Unpacked["documents"]): SceneDocument | null {
  const own = documents.find((document) => document.name.toLowerCase() === "scene.json");
  if (own !== undefined) {
    const json = parseJson(own.text);
    if (json === undefined) throw new RasterError("bad-document", "scene.json is not JSON");
    return readSceneDocument(json);
  }
  for (const document of documents) {
    const mtl = isMtlName(document.name) ? readMtl(document.text) : null;
    if (mtl !== null) return mtl;
  }
  for (const document of documents) {
    const json = parseJson(document.text);
    if (isStacItem(json)) return readSceneDocument(json);
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The size of the entry, which the directory of the zip states, bounds the stream. */
async function readText(stream: Readable, name: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return (await buffer(signal === undefined ? stream : addAbortSignal(signal, stream))).toString("utf8");
  } catch (cause) {
    signal?.throwIfAborted();
    throw damagedZip(name, cause);
  }
}

/** Unpacks an image. Its first bytes decide whether the others are written at all. */
async function writeEntry(
  stream: Readable,
  path: string,
  entry: Entry,
  { name, options: { signal } }: Unpacking,
): Promise<void> {
  let head = Buffer.alloc(0);
  const checked = new Transform({
    transform: (chunk: Buffer, _encoding, callback) => {
      if (head.length < MAGIC_BYTES) {
        head = Buffer.concat([head, chunk.subarray(0, MAGIC_BYTES - head.length)]);
        if (head.length === MAGIC_BYTES && !isTiffHeader(head)) {
          callback(notTiff(name, entry, head));
          return;
        }
      }
      callback(null, chunk);
    },
  });
  try {
    const options = signal === undefined ? {} : { signal };
    await pipeline(stream, checked, createWriteStream(path, { flags: "wx" }), options);
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof RasterError ? cause : damagedZip(name, cause);
  }
}

function notTiff(name: string, entry: Entry, head: Buffer): RasterError {
  const got = `"${shownName(entry.fileName)}", which starts with bytes ${head.toString("hex")}`;
  return new RasterError("unreadable", `${name} holds ${got}, expected a TIFF header`);
}

const MAGIC_BYTES = 4;

/** "II" or "MM", then 42 or 43 in that byte order. */
function isTiffHeader(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  return /^(?:II[*+]\0|MM\0[*+])$/.test(text);
}
