import type { SkiPixels } from "@swath/kernel/ski/band-file";
import type { PixelArray } from "../source-raster.ts";

/** Pixels that a band of a SKI file can hold as they are; null for floating-point ones. */
export function asSkiPixels(pixels: PixelArray): SkiPixels | null {
  return pixels instanceof Float32Array || pixels instanceof Float64Array ? null : pixels;
}

/** Floating-point values in 65 536 steps: value = scale * pixel + offset. */
export interface Quantized {
  readonly pixels: Uint16Array;
  readonly scale: number;
  readonly offset: number;
}

const STEPS = 65_535;

/** The format has no floating-point pixels. Values beyond the range are clamped into it, NaN becomes 0. */
export function quantized(values: ArrayLike<number>, range: { readonly min: number; readonly max: number }): Quantized {
  const offset = range.min;
  const scale = range.max > offset ? (range.max - offset) / STEPS : 1;
  const pixels = Uint16Array.from(values, (value) => {
    const level = Math.round((value - offset) / scale);
    return Number.isNaN(level) ? 0 : Math.min(Math.max(level, 0), STEPS);
  });
  return { pixels, scale, offset };
}

/** `["Red", "red", "r"]` becomes `["red", "Red", "r"]`. */
export function lowerCaseFirst(names: readonly string[]): readonly string[] {
  const first = names.find((name) => name === name.toLowerCase());
  return first === undefined ? names : [first, ...names.filter((name) => name !== first)];
}
