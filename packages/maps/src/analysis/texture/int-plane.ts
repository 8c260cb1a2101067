import { TextureCall } from "./texture-kernel.ts";

/**
 * Pixels as whole numbers. Sums of whole numbers are exact in any order, so that running sums over windows give the same
 * result wherever a block begins.
 */
export const INVALID = -32_768;

/** Steps of one unit of reflectance, or of a normalised difference. */
export const STEPS = 10_000;

/** Planes of bands, `INVALID` in all where one of them is, and 1 where none is. */
export interface QuantisedBands {
  readonly planes: readonly Int16Array[];
  readonly valid: Uint8Array;
}

/**
 * `(value - offset) * scale` in ten-thousandths, clipped to what 16 bits hold: what is saturated stays bright.
 *
 * @param bands of one length, NaN where invalid
 */
export function quantised(bands: readonly Float32Array[], scale: number, offset: number): QuantisedBands {
  const count = bands[0]?.length ?? 0;
  const call = new TextureCall();
  const { kernel } = call;
  const from = call.lines(4 * count);
  const to = bands.map(() => call.plane(count));
  const valid = call.put(new Uint8Array(count).fill(1));
  const holed = to.filter((plane, i) => {
    call.write(from, bands[i]!);
    return kernel.quantise(from, plane, count, scale * STEPS, offset) !== 0;
  });
  for (const plane of holed) kernel.keepValid(plane, valid, count);
  if (holed.length > 0) for (const plane of to) kernel.invalidate(plane, valid, count);
  return { planes: to.map((plane) => call.int16(plane, count)), valid: call.bytes(valid, count) };
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
