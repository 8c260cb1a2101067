import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { HTML_TYPE, page, type Page } from "../pages/send-page.ts";

/** A file of the console, as it is and compressed. */
export interface ConsoleFile {
  readonly plain: Page;
  readonly brotli: Page;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": HTML_TYPE,
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
};

const YEAR = "public, max-age=31536000, immutable";
/** The outlines of land change with a release of their package only. */
const DAY = "public, max-age=86400";

/** Outlines of the basemap by name of the file, from coarse to fine. */
const BASEMAP_FILES = ["land-110m.json", "land-50m.json", "land-10m.json"] as const;

/** Names of the built files; `index.html` and `map.html` are pages, names of the others hold the digest of their bytes. */
export function consoleFileNames(): readonly string[] {
  return readdirSync(consoleFolder());
}

/** Paths below `/console/` of the outlines of land. */
export function basemapNames(): readonly string[] {
  return BASEMAP_FILES.map((name) => `basemap/${name}`);
}

const compress = promisify(brotliCompress);

/** Reads and compresses a file of the console, on a thread of the pool. */
export async function readConsoleFile(name: string): Promise<ConsoleFile> {
  const isBasemap = name.startsWith("basemap/");
  const path = isBasemap
    ? fileURLToPath(import.meta.resolve(`world-atlas/${name.slice("basemap/".length)}`))
    : join(consoleFolder(), name);
  const mediaType = MEDIA_TYPES[extname(name)] ?? "application/octet-stream";
  const cacheControl = isBasemap ? DAY : name.endsWith(".html") ? "no-cache" : YEAR;
  const bytes = await readFile(path);
  // Quality 5 takes 60 ms for the largest file of 3.7 MB; the default of 11 takes 8 s.
  const compressed = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { plain: page(bytes, mediaType, cacheControl), brotli: page(compressed, mediaType, cacheControl) };
}

function consoleFolder(): string {
  return dirname(fileURLToPath(import.meta.resolve("@swath/web/dist/index.html")));
}
