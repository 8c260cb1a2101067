import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { HTML_TYPE, page, type Page } from "../pages/send-page.ts";
import { consoleFilePath, isBasemap } from "./console-files.ts";

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

const compress = promisify(brotliCompress);

/** Reads and compresses a file of the console, on a thread of the pool. */
export async function readConsoleFile(name: string): Promise<ConsoleFile> {
  const mediaType = MEDIA_TYPES[extname(name)] ?? "application/octet-stream";
  const cacheControl = isBasemap(name) ? DAY : name.endsWith(".html") ? "no-cache" : YEAR;
  const bytes = await readFile(consoleFilePath(name));
  // Quality 5 takes 60 ms for the largest file of 3.7 MB; the default of 11 takes 8 s.
  const compressed = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { plain: page(bytes, mediaType, cacheControl), brotli: page(compressed, mediaType, cacheControl) };
}
