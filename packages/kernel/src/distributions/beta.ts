import { logGamma } from "./gamma.ts";

const EPSILON = 1e-15;
const TINY = 1e-300;
const MAX_TERMS = 10_000;

/**
 * Regularised incomplete beta function I_x(a, b).
 *
 * @param a above 0
 * @param b above 0
 * @param x 0 to 1
 * @see Press et al., Numerical Recipes, 6.4
 */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (!(x > 0)) return x === 0 ? 0 : Number.NaN;
  if (x >= 1) return x === 1 ? 1 : Number.NaN;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges quickly on the side of the mean.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(a, b, x)) / a : 1 - (front * fraction(b, a, 1 - x)) / b;
}

function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m < MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < EPSILON) break;
  }
  return h;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
