import { decodeBand, encodeBand, type SkiRaster } from "./band-file.ts";
import { SkiError } from "./ski-error.ts";
import { decodeTar, encodeTar } from "./tar.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

export interface SkiBand extends SkiRaster {
  /** At least one; `__MASK__<band>__` for the bits of a mask band, the lowest bit first. */
  readonly names: readonly string[];
}

/** A SKI file: the bands of a raster, which may differ in size and type, and what is known about them. */
export interface SkiFile {
  readonly bands: readonly SkiBand[];
  readonly version: string;
  /** Content of meta.json: any JSON value. */
  readonly meta: unknown;
}

export interface SkiLimits {
  /** Size of the archive when decompressed. */
  readonly maxArchiveBytes: number;
  readonly maxBands: number;
}

/** Room for twenty 3-megapixel bands of four bytes. */
const DEFAULT_SKI_LIMITS: SkiLimits = { maxArchiveBytes: 256 * 2 ** 20, maxBands: 1_000 };

/** info.json or meta.json larger than this is not read. */
const MAX_JSON_BYTES = 16 * 2 ** 20;

/** File of a band by its index. */
function bandFileName(index: number): string {
  return `${String(index).padStart(5, "0")}.skb`;
}

/**
 * A SKI file: a compressed tar of info.json, one .skb per band and meta.json, in this order.
 * The same input gives the same bytes if `compress` does.
 *
 * @param compress gzip, without time or name in its header
 * @throws {RangeError} if a band has other than columns times rows pixels
 * @see formats, "SKI"
 */
export function encodeSki(file: SkiFile, compress: (archive: Uint8Array) => Uint8Array): Uint8Array {
  return compress(encodeSkiArchive(file));
}

/** What a SKI file is before it is compressed; as `encodeSki`. */
export function encodeSkiArchive({ bands, version, meta }: SkiFile): Uint8Array {
  const info = { bands: bands.map(({ names }) => ({ names })), version };
  return encodeTar([
    { name: "info.json", data: encodeUtf8(JSON.stringify(info)) },
    ...bands.map((band, index) => ({ name: bandFileName(index), data: encodeBand(band) })),
    { name: "meta.json", data: encodeUtf8(JSON.stringify(meta ?? null)) },
  ]);
}

/**
 * Reads a SKI file. What is allocated is bounded by `limits`, whatever the file says about itself.
 *
 * @param decompress gunzip that throws, before it allocates more, when the result would exceed `maxBytes`
 * @throws {SkiError} when the file is damaged, is no SKI file or exceeds the limits
 */
export function decodeSki(
  file: Uint8Array,
  decompress: (bytes: Uint8Array, maxBytes: number) => Uint8Array,
  limits: SkiLimits = DEFAULT_SKI_LIMITS,
): SkiFile {
  let archive: Uint8Array;
  try {
    archive = decompress(file, limits.maxArchiveBytes);
  } catch (cause) {
    throw new SkiError(`the file is not gzip or has more than ${limits.maxArchiveBytes} bytes when decompressed`, {
      cause,
    });
  }
  if (archive.length > limits.maxArchiveBytes) {
    throw new SkiError(`the archive has ${archive.length} bytes, expected at most ${limits.maxArchiveBytes}`);
  }
  const entries = new Map<string, Uint8Array>();
  for (const { name, data } of decodeTar(archive, 2 * limits.maxBands + 4)) {
    if (entries.has(name)) throw new SkiError(`the archive has ${name} twice`);
    entries.set(name, data);
  }
  const info = readInfo(parseJson(entries, "info.json"), limits.maxBands);
  const bands = info.names.map((names, index): SkiBand => {
    const data = entries.get(bandFileName(index));
    if (data === undefined) throw new SkiError(`the archive lacks ${bandFileName(index)}`);
    return { names, ...decodeBand(data) };
  });
  return { bands, version: info.version, meta: parseJson(entries, "meta.json") };
}

function parseJson(entries: ReadonlyMap<string, Uint8Array>, name: string): unknown {
  const data = entries.get(name);
  if (data === undefined) throw new SkiError(`the archive lacks ${name}`);
  if (data.length > MAX_JSON_BYTES)
    throw new SkiError(`${name} has ${data.length} bytes, at most ${MAX_JSON_BYTES} fit`);
  try {
    const value: unknown = JSON.parse(decodeUtf8(data));
    return value;
  } catch (cause) {
    throw new SkiError(`${name} is not JSON`, { cause });
  }
}

function readInfo(
  info: unknown,
  maxBands: number,
): { readonly names: readonly (readonly string[])[]; readonly version: string } {
  if (typeof info !== "object" || info === null || !("bands" in info) || !Array.isArray(info.bands)) {
    throw new SkiError("info.json has no list of bands");
  }
  if (info.bands.length > maxBands) {
    throw new SkiError(`info.json lists ${info.bands.length} bands, expected at most ${maxBands}`);
  }
  const version = "version" in info ? info.version : undefined;
  if (typeof version !== "string") throw new SkiError("info.json has no version, expected a string");
  const names = info.bands.map((band: unknown, index) => {
    const list = typeof band === "object" && band !== null && "names" in band ? band.names : undefined;
    if (!isNames(list)) throw new SkiError(`band ${index} of info.json has no names, expected a list of strings`);
    return list;
  });
  return { names, version };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
}
