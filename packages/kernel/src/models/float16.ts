const DOUBLE = new Float64Array(1);
const DOUBLE_BITS = new BigUint64Array(DOUBLE.buffer);
/** Least positive number that is not subnormal. */
const LEAST_NORMAL = 2 ** -14;
const INFINITY = 0x7c00;
const NOT_A_NUMBER = 0x7e00;

/**
 * Bits of the nearest number of half precision (IEEE 754 binary16), ties to even: 1 of sign, 5 of exponent, 10 of
 * fraction. From 65,520 on it is infinity.
 */
export function float16Bits(value: number): number {
  if (value !== value) return NOT_A_NUMBER;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size < LEAST_NORMAL) return sign | roundToEven(size * 2 ** 24);
  if (size >= 65_520) return sign | INFINITY;
  DOUBLE[0] = size;
  const exponent = Number(DOUBLE_BITS[0]! >> 52n) - 1023;
  // A fraction that rounds up to 2048 carries into the exponent, as it must.
  return sign | (((exponent + 15) << 10) + roundToEven(size * 2 ** (10 - exponent)) - 1024);
}

/** Number that 16 bits of half precision stand for. */
export function float16Value(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** @param bits one number of half precision each */
export function fromFloat16(bits: Uint16Array): Float32Array {
  return Float32Array.from(bits, float16Value);
}

export function toFloat16(values: Float32Array): Uint16Array {
  return Uint16Array.from(values, float16Bits);
}

function roundToEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
