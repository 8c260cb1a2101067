import { gzipSync } from "node:zlib";
import { encodeSki as encodeArchive, type SkiFile } from "@swath/kernel/ski/ski-file";

/** Bands are differences of rows already: level 4 saves a few percent of the bytes for twice the time. */
const GZIP_LEVEL = 1;
/** Byte of a gzip header that names the operating system; 255 is "unknown". */
const GZIP_SYSTEM_BYTE = 9;

/** A SKI file. The same input gives the same bytes on every platform. */
export function encodeSki(file: SkiFile): Uint8Array {
  return encodeArchive(file, gzip);
}

function gzip(archive: Uint8Array): Uint8Array {
  const compressed = gzipSync(archive, { level: GZIP_LEVEL });
  compressed[GZIP_SYSTEM_BYTE] = 255;
  return compressed;
}
