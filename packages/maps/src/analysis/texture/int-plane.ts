/**
 * Pixels as whole numbers. Sums of whole numbers are exact in any order, so that running sums over windows give the same
 * result wherever a block begins.
 */
export const INVALID = -32_768;

/** Steps of one unit of reflectance, or of a normalised difference. */
export const STEPS = 10_000;

const LARGEST = 32_767;

/**
 * `(value - offset) * scale` in ten-thousandths, clipped to what 16 bits hold: what is saturated stays bright.
 *
 * @param plane NaN where invalid
 * @returns `INVALID` where the plane is NaN
 */
export function quantised(plane: Float32Array, scale: number, offset: number): Int16Array {
  const values = new Int16Array(plane.length);
  const factor = scale * STEPS;
  for (let i = 0; i < plane.length; i++) {
    const value = (plane[i]! - offset) * factor;
    if (value !== value) values[i] = INVALID;
    else if (value > LARGEST) values[i] = LARGEST;
    else values[i] = value < -LARGEST ? -LARGEST : Math.floor(value + 0.5);
  }
  return values;
}

/** Marks pixels invalid in all planes that are invalid in any; 1 where all are valid. */
export function jointValidity(planes: readonly Int16Array[]): Uint8Array {
  const valid = new Uint8Array(planes[0]?.length ?? 0).fill(1);
  for (const plane of planes) for (let i = 0; i < valid.length; i++) if (plane[i] === INVALID) valid[i] = 0;
  if (!valid.includes(0)) return valid;
  for (const plane of planes) for (let i = 0; i < valid.length; i++) if (valid[i] === 0) plane[i] = INVALID;
  return valid;
}

/** `(a - b) / (a + b)` in ten-thousandths; 0 where the sum is below a thousandth, `INVALID` where the first is. */
export function normalisedDifference(a: Int16Array, b: Int16Array): Int16Array {
  const values = new Int16Array(a.length);
  for (let i = 0; i < a.length; i++) {
    const first = a[i]!;
    const second = b[i]!;
    if (first === INVALID || second === INVALID) {
      values[i] = INVALID;
      continue;
    }
    const sum = first + second;
    const ratio = sum < 10 ? 0 : (STEPS * (first - second)) / sum;
    if (ratio > STEPS) values[i] = STEPS;
    else values[i] = ratio < -STEPS ? -STEPS : Math.floor(ratio + 0.5);
  }
  return values;
}

/** Mean of planes, rounded down; `INVALID` where the first is. */
export function meanOf(planes: readonly Int16Array[]): Int16Array {
  const [first] = planes;
  if (first === undefined) throw new RangeError("the mean of no planes was asked for");
  const values = new Int16Array(first.length);
  const count = planes.length;
  for (let i = 0; i < values.length; i++) {
    if (first[i] === INVALID) {
      values[i] = INVALID;
      continue;
    }
    let sum = 0;
    for (let p = 0; p < count; p++) sum += planes[p]![i]!;
    values[i] = Math.floor(sum / count);
  }
  return values;
}
