import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "../source-raster.ts";

export const BYTES_PER_PIXEL: Readonly<Record<DataType, number>> = {
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  float32: 4,
  float64: 8,
};

/** TIFF SampleFormat: 1 unsigned, 2 signed, 3 IEEE floating point. */
export const SAMPLE_FORMAT: Readonly<Record<DataType, number>> = {
  uint8: 1,
  int8: 2,
  uint16: 1,
  int16: 2,
  uint32: 1,
  int32: 2,
  float32: 3,
  float64: 3,
};

/** Lowest and highest value of the integer types. */
const INTEGER_RANGE: Readonly<Partial<Record<DataType, readonly [number, number]>>> = {
  uint8: [0, 255],
  int8: [-128, 127],
  uint16: [0, 65_535],
  int16: [-32_768, 32_767],
  uint32: [0, 4_294_967_295],
  int32: [-2_147_483_648, 2_147_483_647],
};

export function isFloat(dataType: DataType): boolean {
  return SAMPLE_FORMAT[dataType] === 3;
}

const NEW_PIXELS: Readonly<Record<DataType, (length: number) => PixelArray>> = {
  uint8: (length) => new Uint8Array(length),
  int8: (length) => new Int8Array(length),
  uint16: (length) => new Uint16Array(length),
  int16: (length) => new Int16Array(length),
  uint32: (length) => new Uint32Array(length),
  int32: (length) => new Int32Array(length),
  float32: (length) => new Float32Array(length),
  float64: (length) => new Float64Array(length),
};

/** Zeroed pixels of a type. */
export function newPixels(dataType: DataType, length: number): PixelArray {
  return NEW_PIXELS[dataType](length);
}

/**
 * The nodata value as pixels of the type hold it, or null when no pixel can hold it: GDAL ignores such values too.
 * Values of float32 bands are rounded to single precision, since files write them with more or fewer digits.
 */
export function representableNodata(dataType: DataType, nodata: number | null): number | null {
  if (nodata === null) return null;
  const range = INTEGER_RANGE[dataType];
  if (range !== undefined) return Number.isInteger(nodata) && nodata >= range[0] && nodata <= range[1] ? nodata : null;
  return dataType === "float32" ? Math.fround(nodata) : nodata;
}

/** Highest value of an integer type. */
export function highestValue(dataType: DataType): number {
  return INTEGER_RANGE[dataType]?.[1] ?? Infinity;
}

/** A real number as a pixel of the type: rounded half away from zero and clamped for integers. */
export function toPixelValue(dataType: DataType, value: number): number {
  const range = INTEGER_RANGE[dataType];
  if (range === undefined) return value;
  const rounded = value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5);
  return Math.min(Math.max(rounded, range[0]), range[1]);
}
