/** Lanczos' coefficients for g = 7, n = 9 (Godfrey 2001): relative error below 1e-14. */
const LANCZOS = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
] as const;
const G = 7;
const EPSILON = 1e-16;
const TINY = 1e-300;
const MAX_TERMS = 100_000;

/** Natural logarithm of the gamma function. @param x above 0 */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (z + i);
  const t = z + G + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/**
 * Lower and upper regularised incomplete gamma function, P(a, x) and Q(a, x) = 1 - P. Each is accurate where it is small.
 *
 * @param a above 0
 * @param x at least 0
 * @see Press et al., Numerical Recipes, 6.2
 */
export function incompleteGamma(a: number, x: number): { readonly p: number; readonly q: number } {
  if (!(a > 0) || !(x >= 0)) return { p: Number.NaN, q: Number.NaN };
  if (x === 0) return { p: 0, q: 1 };
  if (x === Infinity) return { p: 1, q: 0 };
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < MAX_TERMS; n++) {
      term *= x / (a + n);
      sum += term;
      if (term < sum * EPSILON) break;
    }
    const p = Math.min(1, sum * scale);
    return { p, q: 1 - p };
  }
  // Lentz' continued fraction.
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < MAX_TERMS; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / nonZero(an * d + b);
    c = nonZero(b + an / c);
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < EPSILON * 10) break;
  }
  const q = Math.min(1, h * scale);
  return { p: 1 - q, q };
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
