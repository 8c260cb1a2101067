import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "../../source-raster.ts";

const ARRAYS = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

const INTEGER_LIMITS: Readonly<Partial<Record<DataType, readonly [low: number, high: number]>>> = {
  uint8: [0, 255],
  int8: [-128, 127],
  uint16: [0, 65_535],
  int16: [-32_768, 32_767],
  uint32: [0, 4_294_967_295],
  int32: [-2_147_483_648, 2_147_483_647],
};

/** The array that holds pixels of a type, all 0. */
export function pixelArray(dataType: DataType, length: number): PixelArray {
  return new ARRAYS[dataType](length);
}

/** Values rounded and clamped into a type; NaN becomes `invalid`. */
export function toPixels(values: ArrayLike<number>, dataType: DataType, invalid: number): PixelArray {
  const pixels = pixelArray(dataType, values.length);
  const limits = INTEGER_LIMITS[dataType];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) pixels[i] = invalid;
    else pixels[i] = limits === undefined ? value : Math.min(Math.max(Math.round(value), limits[0]), limits[1]);
  }
  return pixels;
}
