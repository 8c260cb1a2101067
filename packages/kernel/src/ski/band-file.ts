import { SkiError } from "./ski-error.ts";

/** Pixels that a band of a SKI file can hold. */
export type SkiPixels =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array;

/** Pixels of one band, row-major. */
export interface SkiRaster {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixels: SkiPixels;
}

/** Type code of a band: its bit depth with the lowest bit set for signed. */
export const SKI_TYPES = [8, 9, 16, 17, 32, 33, 64, 65] as const;
export type SkiType = (typeof SKI_TYPES)[number];

/** Even, so that pixels of two bytes are aligned. */
const HEADER_BYTES = 10;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export function skiTypeOf(pixels: SkiPixels): SkiType {
  if (pixels instanceof Uint8Array) return 8;
  if (pixels instanceof Int8Array) return 9;
  if (pixels instanceof Uint16Array) return 16;
  if (pixels instanceof Int16Array) return 17;
  if (pixels instanceof Uint32Array) return 32;
  if (pixels instanceof Int32Array) return 33;
  return pixels instanceof BigUint64Array ? 64 : 65;
}

function isSkiType(value: number): value is SkiType {
  return SKI_TYPES.some((type) => type === value);
}

function bytesPerPixel(type: SkiType): 1 | 2 | 4 | 8 {
  if (type < 16) return 1;
  if (type < 32) return 2;
  return type < 64 ? 4 : 8;
}

/**
 * A `.skb` file: little-endian uint16 type, uint32 columns, uint32 rows, then the pixels row-major, each as its
 * difference to the pixel above modulo two to the bit depth; the row above the first is zero.
 *
 * @throws {RangeError} if the number of pixels is not columns times rows
 * @see formats, "SKI"
 */
export function encodeBand({ pixels, widthPx, heightPx }: SkiRaster): Uint8Array {
  if (pixels.length !== widthPx * heightPx) {
    throw new RangeError(`band has ${pixels.length} pixels, expected ${widthPx} x ${heightPx}`);
  }
  const bytes = new Uint8Array(HEADER_BYTES + pixels.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, skiTypeOf(pixels), true);
  view.setUint32(2, widthPx, true);
  view.setUint32(6, heightPx, true);
  if (pixels instanceof BigUint64Array || pixels instanceof BigInt64Array) encodeLong(pixels, widthPx, view);
  else encodePlain(pixels, widthPx, bytes, view);
  return bytes;
}

function encodePlain(
  pixels: Exclude<SkiPixels, BigUint64Array | BigInt64Array>,
  widthPx: number,
  bytes: Uint8Array,
  view: DataView,
): void {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT: size } = pixels;
  // Signs do not matter to differences modulo two to the bit depth.
  if (size === 1) difference8(new Uint8Array(buffer, byteOffset, length), widthPx, bytes.subarray(HEADER_BYTES));
  else if (size === 2) difference16(new Uint16Array(buffer, byteOffset, length), widthPx, bytes);
  else difference32(new Uint32Array(buffer, byteOffset, length), widthPx, view);
}

// One function for each size: loops over arrays of several types are several times as slow. Stores keep the low bits.

function difference8(pixels: Uint8Array, widthPx: number, out: Uint8Array): void {
  out.set(pixels.subarray(0, widthPx));
  for (let i = widthPx; i < pixels.length; i += 1) out[i] = pixels[i]! - pixels[i - widthPx]!;
}

function difference16(pixels: Uint16Array, widthPx: number, bytes: Uint8Array): void {
  const out = new Uint16Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, pixels.length);
  out.set(pixels.subarray(0, widthPx));
  for (let i = widthPx; i < pixels.length; i += 1) out[i] = pixels[i]! - pixels[i - widthPx]!;
  if (IS_LITTLE_ENDIAN) return;
  for (let i = 0; i < out.length; i += 1) out[i] = (out[i]! << 8) | (out[i]! >> 8);
}

function difference32(pixels: Uint32Array, widthPx: number, view: DataView): void {
  for (let i = 0; i < pixels.length; i += 1) {
    view.setUint32(HEADER_BYTES + 4 * i, pixels[i]! - (i < widthPx ? 0 : pixels[i - widthPx]!), true);
  }
}

function encodeLong(pixels: BigUint64Array | BigInt64Array, widthPx: number, view: DataView): void {
  for (let i = 0; i < pixels.length; i += 1) {
    const difference = pixels[i]! - (i < widthPx ? 0n : pixels[i - widthPx]!);
    view.setBigUint64(HEADER_BYTES + 8 * i, BigInt.asUintN(64, difference), true);
  }
}

/**
 * The pixels of a `.skb` file. The bytes must be exactly header and pixels, so what is allocated is never more than
 * what was given. Files written big-endian, as one public description has them, are refused and named.
 *
 * @throws {SkiError} when the type is not known or the length does not follow from the header
 */
export function decodeBand(bytes: Uint8Array): SkiRaster {
  if (bytes.length < HEADER_BYTES) {
    throw new SkiError(`a band file has ${bytes.length} bytes, expected at least ${HEADER_BYTES}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = view.getUint16(0, true);
  if (!isSkiType(type)) {
    if (isSkiType(view.getUint16(0, false))) {
      throw new SkiError("a band file is big-endian, expected little-endian");
    }
    throw new SkiError(`a band file has the type ${type}, expected one of ${SKI_TYPES.join(", ")}`);
  }
  const widthPx = view.getUint32(2, true);
  const heightPx = view.getUint32(6, true);
  // Products beyond 2^53 are rounded but cannot come near the length of any array.
  const expected = HEADER_BYTES + widthPx * heightPx * bytesPerPixel(type);
  if (bytes.length !== expected) {
    throw new SkiError(
      `a band file of ${widthPx} x ${heightPx} pixels of type ${type} has ${bytes.length} bytes, expected ${expected}`,
    );
  }
  return { widthPx, heightPx, pixels: decodePixels(type, view, widthPx, widthPx * heightPx) };
}

function decodePixels(type: SkiType, view: DataView, widthPx: number, count: number): SkiPixels {
  switch (type) {
    case 8:
      return summed(new Uint8Array(count), widthPx, (at) => view.getUint8(at));
    case 9:
      return summed(new Int8Array(count), widthPx, (at) => view.getInt8(at));
    case 16:
      return summed(new Uint16Array(count), widthPx, (at) => view.getUint16(at, true));
    case 17:
      return summed(new Int16Array(count), widthPx, (at) => view.getInt16(at, true));
    case 32:
      return summed(new Uint32Array(count), widthPx, (at) => view.getUint32(at, true));
    case 33:
      return summed(new Int32Array(count), widthPx, (at) => view.getInt32(at, true));
    case 64:
      return summedLong(new BigUint64Array(count), widthPx, view);
    case 65:
      break;
  }
  return summedLong(new BigInt64Array(count), widthPx, view);
}

function summed<Pixels extends Exclude<SkiPixels, BigUint64Array | BigInt64Array>>(
  pixels: Pixels,
  widthPx: number,
  read: (at: number) => number,
): Pixels {
  const size = pixels.BYTES_PER_ELEMENT;
  for (let i = 0; i < pixels.length; i += 1) {
    pixels[i] = read(HEADER_BYTES + i * size) + (i < widthPx ? 0 : pixels[i - widthPx]!);
  }
  return pixels;
}

function summedLong<Pixels extends BigUint64Array | BigInt64Array>(
  pixels: Pixels,
  widthPx: number,
  view: DataView,
): Pixels {
  for (let i = 0; i < pixels.length; i += 1) {
    pixels[i] = view.getBigInt64(HEADER_BYTES + 8 * i, true) + (i < widthPx ? 0n : pixels[i - widthPx]!);
  }
  return pixels;
}
