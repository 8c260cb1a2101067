import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "@swath/raster/source-raster";

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
  if (limits === undefined) {
    for (let i = 0; i < values.length; i++) pixels[i] = Number.isNaN(values[i]!) ? invalid : values[i]!;
    return pixels;
  }
  const [low, high] = limits;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    // Most values lie within the limits; a value neither above nor below them is NaN.
    if (value >= low && value <= high) pixels[i] = Math.floor(value + 0.5);
    else pixels[i] = value > high ? high : value < low ? low : invalid;
  }
  return pixels;
}
