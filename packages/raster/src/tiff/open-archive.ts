import { createWriteStream } from "node:fs";
import { mkdtemp, open as openFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import yauzl from "yauzl";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isSystemFailure } from "../file-fault.ts";
import { RasterError } from "../raster-error.ts";
import type { SourceRaster } from "../source-raster.ts";
import { isMtlName, readMtl } from "../scene-metadata/landsat-mtl.ts";
import { isStacItem } from "../scene-metadata/stac-item.ts";
import { readSceneDocument } from "../scene-metadata/scene-document.ts";
import type { SceneDocument } from "../scene-metadata/scene-metadata.ts";
import { fileSource } from "./byte-sources.ts";
import type { TiffLimits } from "./limits.ts";
import { openTiff } from "./open.ts";

export interface ArchiveLimits {
  readonly maxEntries: number;
  /** Decompressed bytes of all entries that are extracted. */
  readonly maxTotalBytes: number;
  /** Decompressed over compressed bytes of one entry; DEFLATE reaches 1032, imagery rarely 50. */
  readonly maxRatio: number;
  /** Decompressed bytes of scene.json, a STAC item or an MTL file. */
  readonly maxDocumentBytes: number;
}

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 1000,
  maxTotalBytes: 32 * 1024 ** 3,
  maxRatio: 200,
  maxDocumentBytes: 8 * 1024 * 1024,
};

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

/** Small entries compress without limit (a mask of zeros); below this size the ratio says nothing. */
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

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
  const resources = new AsyncDisposableStack();
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  try {
    const extracted = await extract(path, folder, name, limits, options.signal);
    const document = readDocuments(extracted.documents);
    const rasters: { name: string; raster: SourceRaster }[] = [];
    for (const file of extracted.tiffs.toSorted((a, b) => NATURAL.compare(a.name, b.name))) {
      const source = resources.use(await fileSource(file.path, file.name));
      const raster = resources.use(
        await openTiff(source, options.tiffLimits === undefined ? {} : { limits: options.tiffLimits }),
      );
      rasters.push({ name: file.name, raster });
    }
    if (rasters.length === 0) throw refuse(name, "holds no GeoTIFF, expected files ending in .tif or .tiff");
    const owned = resources.move();
    return { rasters, document, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } finally {
    await resources.disposeAsync();
  }
}

const NATURAL = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

interface ExtractedFile {
  readonly name: string;
  readonly path: string;
}

interface Extracted {
  readonly tiffs: readonly ExtractedFile[];
  readonly documents: readonly { readonly name: string; readonly text: string }[];
}

async function extract(
  path: string,
  folder: string,
  name: string,
  limits: ArchiveLimits,
  signal: AbortSignal | undefined,
): Promise<Extracted> {
  const zip = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true })
    .catch((cause: unknown) => {
      throw damaged(name, cause);
    });
  try {
    if (zip.entryCount > limits.maxEntries) {
      throw refuse(name, `holds ${zip.entryCount} entries, expected at most ${limits.maxEntries}`);
    }
    const tiffs: ExtractedFile[] = [];
    const documents: { name: string; text: string }[] = [];
    const seen = new Set<string>();
    let remaining = limits.maxTotalBytes;
    let entries = 0;
    for await (const entry of zip.eachEntry()) {
      signal?.throwIfAborted();
      if (++entries > limits.maxEntries) throw refuse(name, `holds more than ${limits.maxEntries} entries`);
      checkEntry(entry, name, limits);
      const base = basename(entry.fileName);
      const kind = kindOf(entry.fileName);
      if (kind === "other") continue;
      if (kind === "archive")
        throw refuse(name, `holds another archive, "${shown(entry.fileName)}", expected GeoTIFF files`);
      if (seen.has(base.toLowerCase())) throw refuse(name, `holds two files named "${shown(base)}"`);
      seen.add(base.toLowerCase());
      const cap = kind === "document" ? Math.min(limits.maxDocumentBytes, remaining) : remaining;
      if (entry.uncompressedSize > cap) throw tooLarge(name, entry.fileName, cap);
      const stream = await zip.openReadStreamPromise(entry);
      const target = join(folder, `${entries}.${kind === "document" ? "txt" : "tif"}`);
      const written = await writeCapped(stream, target, cap, () => tooLarge(name, entry.fileName, cap), signal);
      remaining -= written;
      if (kind === "tiff") tiffs.push({ name: base, path: target });
      else documents.push({ name: base, text: await readText(target) });
    }
    return { tiffs, documents };
  } catch (cause) {
    if (cause instanceof ServiceError || signal?.aborted === true) throw cause;
    if (isSystemFailure(cause)) throw cause;
    throw damaged(name, cause);
  } finally {
    zip.close();
  }
}

/** @throws {RasterError} bad-document when the entry is one that no archive may hold */
export function checkEntry(entry: yauzl.Entry, name: string, limits: ArchiveLimits): void {
  if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(entry.fileName)) {
    throw refuse(name, `holds the unsafe file name "${shown(entry.fileName)}"`);
  }
  if (entry.isEncrypted())
    throw refuse(name, `is encrypted ("${shown(entry.fileName)}"), expected a zip without password`);
  if (entry.uncompressedSize > RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * limits.maxRatio) {
    throw refuse(
      name,
      `holds "${shown(entry.fileName)}", which expands ${Math.round(entry.uncompressedSize / Math.max(1, entry.compressedSize))} times, expected at most ${limits.maxRatio}`,
    );
  }
}

function kindOf(fileName: string): "tiff" | "document" | "archive" | "other" {
  const base = basename(fileName);
  if (fileName.endsWith("/") || base.startsWith(".") || fileName.startsWith("__MACOSX/")) return "other";
  if (/\.(?:tiff?|geotiff?|gtiff)$/i.test(base)) return "tiff";
  if (/\.(?:zip|7z|rar|tar|tgz|gz)$/i.test(base)) return "archive";
  return /\.json$/i.test(base) || isMtlName(base) ? "document" : "other";
}

/** scene.json decides; else the first STAC item; else a Landsat MTL file. */
function readDocuments(documents: Extracted["documents"]): SceneDocument | null {
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

async function readText(path: string): Promise<string> {
  const file = await openFile(path, "r");
  try {
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Copies the stream to a file and stops as soon as it exceeds `cap` bytes, whatever the directory promised. */
async function writeCapped(
  stream: Readable,
  path: string,
  cap: number,
  exceeded: () => RasterError,
  signal: AbortSignal | undefined,
): Promise<number> {
  let written = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, callback) => {
      written += chunk.length;
      if (written > cap) callback(exceeded());
      else callback(null, chunk);
    },
  });
  await pipeline(
    stream,
    counter,
    createWriteStream(path, { flags: "wx" }),
    ...(signal === undefined ? [] : [{ signal }]),
  );
  return written;
}

function damaged(name: string, cause: unknown): RasterError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RasterError("bad-document", `${name}: is not a readable zip: ${reason}`, { cause });
}

function tooLarge(name: string, entry: string, cap: number): RasterError {
  return refuse(name, `expands to more than it may: "${shown(entry)}" exceeds ${cap} bytes`);
}

function refuse(name: string, message: string): RasterError {
  return new RasterError("bad-document", `${name}: ${message}`);
}

function shown(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/g, "?").slice(0, 120);
}
