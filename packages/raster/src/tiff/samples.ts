import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "../source-raster.ts";

/** How one sample is stored. `float16` is widened to float32 on reading; `bits` below 8 or 9 to 15 are unpacked. */
export interface SampleFormat {
  readonly bits: number;
  readonly kind: "uint" | "int" | "float";
}

/** The pixel type samples are read as, or null when there is none that holds them. */
export function dataTypeOf(format: SampleFormat): DataType | null {
  const { bits, kind } = format;
  if (kind === "float") return bits === 16 || bits === 32 ? "float32" : bits === 64 ? "float64" : null;
  if (kind === "int") return bits === 8 ? "int8" : bits === 16 ? "int16" : bits === 32 ? "int32" : null;
  if (bits >= 1 && bits <= 8) return "uint8";
  if (bits <= 16) return "uint16";
  return bits === 32 ? "uint32" : null;
}

export function allocatePixels(dataType: DataType, length: number): PixelArray {
  return new PIXEL_ARRAYS[dataType](length);
}

const PIXEL_ARRAYS: Readonly<Record<DataType, new (length: number) => PixelArray>> = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Bytes of one row of `rowSamples` samples; rows of packed samples end on a byte. */
export function rowByteLength(format: SampleFormat, rowSamples: number): number {
  return Math.ceil((rowSamples * format.bits) / 8);
}

/** Memory of `bytes` that starts at a multiple of 8, so that any typed array may view it. */
export function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

/** Reverses the bytes of each sample in place. */
export function swapBytes(bytes: Uint8Array, bytesPerSample: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % bytesPerSample));
  if (bytesPerSample === 2) buffer.swap16();
  else if (bytesPerSample === 4) buffer.swap32();
  else if (bytesPerSample === 8) buffer.swap64();
}

/**
 * Native-endian sample values of whole rows.
 *
 * @param bytes at least `rows` rows, aligned
 */
export function viewSamples(bytes: Uint8Array, format: SampleFormat, rowSamples: number, rows: number): PixelArray {
  const count = rowSamples * rows;
  const { buffer, byteOffset } = bytes;
  const { bits, kind } = format;
  if (kind === "float") {
    if (bits === 16) return Float32Array.from(new Float16Array(buffer, byteOffset, count));
    return bits === 32 ? new Float32Array(buffer, byteOffset, count) : new Float64Array(buffer, byteOffset, count);
  }
  if (kind === "int") {
    if (bits === 8) return new Int8Array(buffer, byteOffset, count);
    return bits === 16 ? new Int16Array(buffer, byteOffset, count) : new Int32Array(buffer, byteOffset, count);
  }
  if (bits === 8) return bytes.subarray(0, count);
  if (bits === 16) return new Uint16Array(buffer, byteOffset, count);
  if (bits === 32) return new Uint32Array(buffer, byteOffset, count);
  return unpackBits(bytes, bits, rowSamples, rows);
}

/** Samples of 1 to 15 bits, most significant bit first. */
function unpackBits(bytes: Uint8Array, bits: number, rowSamples: number, rows: number): Uint8Array | Uint16Array {
  const output = bits <= 8 ? new Uint8Array(rowSamples * rows) : new Uint16Array(rowSamples * rows);
  const rowBytes = Math.ceil((rowSamples * bits) / 8);
  const mask = (1 << bits) - 1;
  let to = 0;
  for (let row = 0; row < rows; row++) {
    let from = row * rowBytes;
    let pool = 0;
    let pooled = 0;
    for (let i = 0; i < rowSamples; i++) {
      while (pooled < bits) {
        pool = ((pool << 8) | bytes[from++]!) & 0xff_ff_ff;
        pooled += 8;
      }
      pooled -= bits;
      output[to++] = (pool >>> pooled) & mask;
    }
  }
  return output;
}
