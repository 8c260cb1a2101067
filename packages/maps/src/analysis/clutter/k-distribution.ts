import { speckleTail } from "@swath/kernel/distributions/distributions";
import { logGamma } from "@swath/kernel/distributions/gamma";

/** Terms of the density below exp of minus this add nothing to a double. */
const NEGLIGIBLE = 45;
const NODES = 128;

/**
 * P(X > x) of sea clutter of mean 1: speckle of `looks` looks on a gamma-distributed texture of shape `nu` (Jakeman and
 * Pusey 1976; Ward, Tough and Watts, Sea Clutter, 2006). The integral over the texture is taken by the trapezoid rule
 * in the logarithm of the texture, where it converges faster than any power of the step.
 *
 * @param x at least 0
 * @param looks above 0
 * @param nu above 0; Infinity for speckle alone
 */
export function kTail(x: number, looks: number, nu: number): number {
  if (!(x > 0)) return 1;
  if (nu === Infinity) return speckleTail(x, looks);
  const scale = nu * Math.log(nu) - logGamma(nu);
  const density = (u: number): number => Math.exp(scale + nu * (u - Math.exp(u)));
  // Left of `from` either the texture or the speckle leaves nothing, right of `to` the texture.
  const from = Math.max(-2 - (NEGLIGIBLE + Math.abs(scale)) / nu, Math.log((looks * x) / (20 * looks + 300)));
  const to = Math.max(Math.log(3 + (4 * (NEGLIGIBLE + Math.abs(scale + nu))) / nu), from + 1);
  const step = (to - from) / NODES;
  let sum = 0;
  for (let i = 0; i <= NODES; i++) {
    const u = from + i * step;
    const weight = density(u);
    if (weight > 0) sum += weight * speckleTail(x * Math.exp(-u), looks);
  }
  return Math.min(1, sum * step);
}

/**
 * The value that clutter of mean 1 exceeds with probability `pfa`.
 *
 * @param start a guess, such as the value for a neighbouring shape
 */
export function kQuantile(pfa: number, looks: number, nu: number, start = 2): number {
  const target = Math.log(pfa);
  const excess = (t: number): number => Math.log(Math.max(kTail(t, looks, nu), 1e-300)) - target;
  let low = 0;
  let high = Math.max(start, 1);
  while (excess(high) > 0) {
    low = high;
    high *= 1.6;
  }
  // Regula falsi with the Illinois rule on the logarithm of the tail, which is nearly straight.
  let [atLow, atHigh] = [low > 0 ? excess(low) : -target, excess(high)];
  for (let i = 0; i < 100 && high - low > 1e-9 * high; i++) {
    const middle = (low * atHigh - high * atLow) / (atHigh - atLow);
    const at = excess(middle);
    if (Math.abs(at) < 1e-9) return middle;
    if (at > 0) {
      low = middle;
      atLow = at;
      atHigh /= 2;
    } else {
      high = middle;
      atHigh = at;
      atLow /= 2;
    }
  }
  return (low + high) / 2;
}

/** The k-th moment of clutter of mean 1. */
export function kMoment(k: number, looks: number, nu: number): number {
  const rising = (shape: number): number => {
    let product = 1;
    for (let i = 0; i < k; i++) product *= 1 + i / shape;
    return product;
  };
  return rising(looks) * (nu === Infinity ? 1 : rising(nu));
}
