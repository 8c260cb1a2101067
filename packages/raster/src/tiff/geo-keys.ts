import type { TiffDirectory } from "./directory.ts";
import { TAG } from "./tags.ts";

/** Values of GeoTIFF keys by number: SHORT and DOUBLE keys are numbers, or lists of more than one; ASCII keys are text. */
export type GeoKeys = ReadonlyMap<number, number | string | readonly number[]>;

const MAX_KEYS = 1024;

/** @returns null when the file has no key directory */
export function readGeoKeys(directory: TiffDirectory): GeoKeys | null {
  const entries = directory.numbers(TAG.geoKeyDirectory);
  if (entries === null || entries.length < 4) return null;
  const doubles = directory.numbers(TAG.geoDoubleParams) ?? [];
  const ascii = new TextDecoder("latin1").decode(directory.bytes(TAG.geoAsciiParams) ?? new Uint8Array());
  const keys = new Map<number, number | string | readonly number[]>();
  const count = Math.min(entries[3] ?? 0, Math.floor(entries.length / 4) - 1, MAX_KEYS);
  for (let i = 0; i < count; i++) {
    const [key = 0, location = 0, length = 0, value = 0] = entries.slice(4 + i * 4, 8 + i * 4);
    if (location === 0) keys.set(key, value);
    else if (location === TAG.geoDoubleParams && value < doubles.length) {
      keys.set(key, length > 1 ? Array.from(doubles.slice(value, value + length)) : (doubles[value] ?? 0));
    } else if (location === TAG.geoAsciiParams)
      keys.set(key, ascii.slice(value, value + length).replaceAll(/[|\0]+$/g, ""));
  }
  return keys;
}
