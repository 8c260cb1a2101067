const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const SIGN = 0x8000_0000;

/** Values with their weights, in ascending order. */
export interface SortedValues {
  readonly values: Float32Array;
  readonly weights: Float64Array;
}

/**
 * Sorts values that are not NaN together with their weights, by the digits of their bits: five times as fast as a
 * comparing sort. Takes the arrays over.
 */
export function sortWeighted(values: Float32Array<ArrayBuffer>, weights: Float64Array<ArrayBuffer>): SortedValues {
  const count = values.length;
  let keys = new Uint32Array(values.buffer, values.byteOffset, count);
  for (let i = 0; i < count; i++) keys[i] = keyOf(keys[i]!);
  let sorted = weights;
  let [otherKeys, otherWeights] = [new Uint32Array(count), new Float64Array(count)];
  const places = new Uint32Array(DIGITS);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    if (!placeDigits(keys, shift, places)) continue;
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const place = places[(key >>> shift) & (DIGITS - 1)]!++;
      otherKeys[place] = key;
      otherWeights[place] = sorted[i]!;
    }
    [keys, otherKeys] = [otherKeys, keys];
    [sorted, otherWeights] = [otherWeights, sorted];
  }
  for (let i = 0; i < count; i++) keys[i] = bitsOf(keys[i]!);
  return { values: new Float32Array(keys.buffer, keys.byteOffset, count), weights: sorted };
}

/** Bits of floats sort like whole numbers once the sign is turned over, and all bits of negative ones. */
function keyOf(bits: number): number {
  return (bits & SIGN) === 0 ? bits | SIGN : ~bits;
}

function bitsOf(key: number): number {
  return (key & SIGN) === 0 ? ~key : key ^ SIGN;
}

/** Where the keys of each digit begin; false when all keys have the same digit. */
function placeDigits(keys: Uint32Array, shift: number, places: Uint32Array): boolean {
  places.fill(0);
  for (let i = 0; i < keys.length; i++) places[(keys[i]! >>> shift) & (DIGITS - 1)]!++;
  if (keys.length === 0 || places[(keys[0]! >>> shift) & (DIGITS - 1)] === keys.length) return false;
  let before = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = places[digit]!;
    places[digit] = before;
    before += count;
  }
  return true;
}
