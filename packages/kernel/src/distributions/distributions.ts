import { incompleteBeta } from "./beta.ts";
import { incompleteGamma } from "./gamma.ts";

/** Probabilities closer to a target than this, relatively, are as good as reached. */
const RELATIVE_TOLERANCE = 1e-13;
const MAX_HALVINGS = 400;

/** P(X > x) of the chi-square distribution, accurate in the far tail. */
export function chiSquareTail(x: number, f: number): number {
  return x <= 0 ? 1 : incompleteGamma(f / 2, x / 2).q;
}

/** The x that is exceeded with the given probability. @param tail between 0 and 1 */
export function chiSquareQuantile(tail: number, f: number): number {
  return exceededWith(tail, (x) => chiSquareTail(x, f));
}

/** P(X > x) of the gamma distribution of mean 1 and shape `looks`: multilooked speckle. */
export function speckleTail(x: number, looks: number): number {
  return x <= 0 ? 1 : incompleteGamma(looks, looks * x).q;
}

/** P(X > x) of the F distribution. @param d1 @param d2 degrees of freedom, above 0; need not be whole */
export function fTail(x: number, d1: number, d2: number): number {
  return x <= 0 ? 1 : incompleteBeta(d2 / 2, d1 / 2, d2 / (d2 + d1 * x));
}

/** P(X <= x) of the F distribution. */
export function fCdf(x: number, d1: number, d2: number): number {
  return x <= 0 ? 0 : incompleteBeta(d1 / 2, d2 / 2, (d1 * x) / (d2 + d1 * x));
}

/** The x that an F-distributed variable exceeds with the given probability. */
export function fQuantile(tail: number, d1: number, d2: number): number {
  return exceededWith(tail, (x) => fTail(x, d1, d2));
}

/** P(X > x) of the standard normal distribution, accurate in the far tail. */
export function normalTail(x: number): number {
  const half = incompleteGamma(0.5, (x * x) / 2);
  return x >= 0 ? half.q / 2 : 0.5 + half.p / 2;
}

/** The x that a standard normal variable exceeds with the given probability. */
export function normalQuantile(tail: number): number {
  if (tail > 0.5) return -normalQuantile(1 - tail);
  return exceededWith(tail, (x) => normalTail(x));
}

/** Bisection on a falling tail from 0 upwards. */
function exceededWith(tail: number, tailAt: (x: number) => number): number {
  if (!(tail > 0 && tail < 1)) return tail >= 1 ? 0 : tail === 0 ? Infinity : Number.NaN;
  let low = 0;
  let high = 1;
  while (tailAt(high) > tail && high < 1e300) {
    low = high;
    high *= 2;
  }
  for (let i = 0; i < MAX_HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (high - low <= RELATIVE_TOLERANCE * high || middle === low || middle === high) break;
    if (tailAt(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
