/** Least number that is not subnormal, and the first beyond all, as bits of single precision. */
const LEAST_NORMAL = 0x38800000;
const TOO_LARGE = 0x47800000;
const INFINITY = 0x7c00;
const NOT_A_NUMBER = 0x7e00;

/**
 * Bits of the nearest numbers of half precision (IEEE 754 binary16), ties to even: 1 of sign, 5 of exponent, 10 of
 * fraction. From 65,520 on they are infinity.
 */
export function toFloat16(values: Float32Array): Uint16Array {
  const all = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let i = 0; i < halves.length; i++) {
    const single = all[i]!;
    const size = single & 0x7fffffff;
    let half: number;
    if (size >= TOO_LARGE) half = size > 0x7f800000 ? NOT_A_NUMBER : INFINITY;
    else if (size < LEAST_NORMAL) half = roundToEven(Math.abs(values[i]!) * 2 ** 24);
    // Rounding up may carry into the exponent, as it must: up to infinity.
    else half = ((size + 0xfff + ((size >> 13) & 1)) >> 13) - (112 << 10);
    halves[i] = ((single >>> 16) & 0x8000) | half;
  }
  return halves;
}

/** Numbers that bits of half precision stand for. */
export function fromFloat16(halves: Uint16Array): Float32Array {
  const values = new Float32Array(halves.length);
  for (let i = 0; i < values.length; i++) values[i] = valueOf(halves[i]!);
  return values;
}

function valueOf(half: number): number {
  const sign = (half & 0x8000) === 0 ? 1 : -1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function roundToEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
