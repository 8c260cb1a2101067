import { gzipSync } from "node:zlib";
import { encodeTar } from "./tar.ts";

export type SkiPixels = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array;

export interface SkiBand {
  readonly names: readonly string[];
  readonly widthPx: number;
  readonly heightPx: number;
  /** Row-major. */
  readonly pixels: SkiPixels;
}

export interface SkiFile {
  readonly bands: readonly SkiBand[];
  readonly version: string;
  readonly meta: unknown;
}

const HEADER_BYTES = 10;
const GZIP_LEVEL = 4;
/** Byte of a gzip header that names the operating system; 255 is "unknown". */
const GZIP_SYSTEM_BYTE = 9;

/** A SKI file: a gzip-compressed tar of info.json, one .skb per band and meta.json. The same input gives the same bytes. */
export function encodeSki({ bands, version, meta }: SkiFile): Uint8Array {
  const encoder = new TextEncoder();
  const info = { bands: bands.map(({ names }) => ({ names })), version };
  const archive = encodeTar([
    { name: "info.json", data: encoder.encode(JSON.stringify(info)) },
    ...bands.map((band, index) => ({ name: `${String(index).padStart(5, "0")}.skb`, data: encodeBand(band) })),
    { name: "meta.json", data: encoder.encode(JSON.stringify(meta)) },
  ]);
  const compressed = gzipSync(archive, { level: GZIP_LEVEL });
  compressed[GZIP_SYSTEM_BYTE] = 255;
  return compressed;
}

/** Header (type, columns, rows), then pixels as differences to the row above, little-endian. */
function encodeBand({ pixels, widthPx, heightPx }: SkiBand): Uint8Array {
  if (pixels.length !== widthPx * heightPx) {
    throw new RangeError(`band has ${pixels.length} pixels, expected ${widthPx} x ${heightPx}`);
  }
  const bytesPerPixel = pixels.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(HEADER_BYTES + pixels.length * bytesPerPixel);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, bytesPerPixel * 8 + (isSigned(pixels) ? 1 : 0), true);
  view.setUint32(2, widthPx, true);
  view.setUint32(6, heightPx, true);
  for (let i = 0, at = HEADER_BYTES; i < pixels.length; i++, at += bytesPerPixel) {
    const difference = pixels[i]! - (i < widthPx ? 0 : pixels[i - widthPx]!);
    if (bytesPerPixel === 1) bytes[at] = difference;
    else if (bytesPerPixel === 2) view.setUint16(at, difference & 0xffff, true);
    else view.setUint32(at, difference >>> 0, true);
  }
  return bytes;
}

function isSigned(pixels: SkiPixels): boolean {
  return pixels instanceof Int8Array || pixels instanceof Int16Array || pixels instanceof Int32Array;
}

const NAMES_PER_MASK = 8;

/** Mask bands: bit k of band j is set where the pixel counts, for the k-th of eight names. */
export function skiMaskBands(
  names: readonly string[],
  masks: readonly Uint8Array[],
  widthPx: number,
  heightPx: number,
): readonly SkiBand[] {
  const bands: SkiBand[] = [];
  for (let first = 0; first < names.length; first += NAMES_PER_MASK) {
    const group = names.slice(first, first + NAMES_PER_MASK);
    const pixels = new Uint8Array(widthPx * heightPx);
    for (const bit of group.keys()) {
      const mask = masks[first + bit]!;
      for (let i = 0; i < pixels.length; i++) if (mask[i] !== 0) pixels[i]! |= 1 << bit;
    }
    bands.push({ names: group.map((name) => `__MASK__${name}__`), widthPx, heightPx, pixels });
  }
  return bands;
}
