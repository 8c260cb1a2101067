import { TextureCall } from "./texture-kernel.ts";

/**
 * Pixels as whole numbers. Sums of whole numbers are exact in any order, so that running sums over windows give the same
 * result wherever a block begins.
 */
export const INVALID = -32_768;

/** Steps of one unit of reflectance, or of a normalised difference. */
export const STEPS = 10_000;

/** A plane of a band, and whether a pixel of it is `INVALID`. */
export interface QuantisedPlane {
  readonly plane: Int16Array;
  readonly hasInvalid: boolean;
}

/**
 * `(value - offset) * scale` in ten-thousandths, clipped to what 16 bits hold: what is saturated stays bright.
 *
 * @param plane NaN where invalid
 * @returns `INVALID` where the plane is NaN
 */
export function quantised(plane: Float32Array, scale: number, offset: number): QuantisedPlane {
  const call = new TextureCall();
  const from = call.put(plane);
  const to = call.plane(plane.length);
  const hasInvalid = call.kernel.quantise(from, to, plane.length, scale * STEPS, offset) !== 0;
  return { plane: call.int16(to, plane.length), hasInvalid };
}

/** Marks pixels invalid in all planes that are invalid in any; 1 where all are valid. */
export function jointValidity(planes: readonly QuantisedPlane[]): Uint8Array {
  const valid = new Uint8Array(planes[0]?.plane.length ?? 0).fill(1);
  const holed = planes.filter(({ hasInvalid }) => hasInvalid);
  if (holed.length === 0) return valid;
  for (const { plane } of holed) for (let i = 0; i < valid.length; i++) if (plane[i] === INVALID) valid[i] = 0;
  for (const { plane } of planes) for (let i = 0; i < valid.length; i++) if (valid[i] === 0) plane[i] = INVALID;
  return valid;
}

/** The plane less a value; `INVALID` where the plane is. */
export function lessBy(plane: Int16Array, value: number): Int16Array {
  const call = new TextureCall();
  const to = call.plane(plane.length);
  call.kernel.minus(call.put(plane), to, plane.length, value);
  return call.int16(to, plane.length);
}

/** `(a - b) / (a + b)` in ten-thousandths; 0 where the sum is below a thousandth, `INVALID` where the first is. */
export function normalisedDifference(a: Int16Array, b: Int16Array): Int16Array {
  const call = new TextureCall();
  const to = call.plane(a.length);
  call.kernel.normalisedDifference(call.put(a), call.put(b), to, a.length);
  return call.int16(to, a.length);
}

/** Mean of three planes, rounded down; `INVALID` where the first is. */
export function meanOfThree(a: Int16Array, b: Int16Array, c: Int16Array): Int16Array {
  const call = new TextureCall();
  const to = call.plane(a.length);
  call.kernel.meanOfThree(call.put(a), call.put(b), call.put(c), to, a.length);
  return call.int16(to, a.length);
}

/** HSV saturation of three bands in ten-thousandths; 0 where all are black, `INVALID` where the first is. */
export function saturationOf(a: Int16Array, b: Int16Array, c: Int16Array): Int16Array {
  const call = new TextureCall();
  const to = call.plane(a.length);
  call.kernel.saturation(call.put(a), call.put(b), call.put(c), to, a.length);
  return call.int16(to, a.length);
}

/** `a / overA - slope * b / overB` from 0 to 32,000, rounded; `INVALID` where a is. */
export function excessOver(a: Int16Array, overA: number, b: Int16Array, overB: number, slope: number): Int16Array {
  const call = new TextureCall();
  const to = call.plane(a.length);
  call.kernel.excess(call.put(a), call.put(b), to, a.length, overA, slope, overB);
  return call.int16(to, a.length);
}
