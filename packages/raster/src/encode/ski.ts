import { constants, gzip } from "node:zlib";
import { promisify } from "node:util";
import { encodeSkiArchive, type SkiFile } from "@swath/kernel/ski/ski-file";

const compress = promisify(gzip);

/**
 * Bands are differences of rows already, in which longer repetitions than runs are rare: looking for them takes up to
 * 2.5 times as long, for a few percent fewer or more bytes.
 */
const GZIP_OPTIONS = { level: 1, strategy: constants.Z_RLE, memLevel: 9 };
/** Room for incompressible data: the result comes in one piece, without a switch of threads for each 16 kB. */
const SPARE_BYTES = 4_096;
/** Byte of a gzip header that names the operating system; 255 is "unknown". */
const GZIP_SYSTEM_BYTE = 9;

/** A SKI file, compressed beside the calling thread. The same input gives the same bytes on every platform. */
export async function encodeSki(file: SkiFile): Promise<Uint8Array> {
  const archive = encodeSkiArchive(file);
  const compressed = await compress(archive, { ...GZIP_OPTIONS, chunkSize: archive.length + SPARE_BYTES });
  compressed[GZIP_SYSTEM_BYTE] = 255;
  return compressed;
}
