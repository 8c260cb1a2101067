import { normalTail } from "@swath/kernel/distributions/distributions";
import { kMoment, kQuantile, kTail } from "../clutter/k-distribution.ts";

/** Shapes of the texture that are tabulated: 0.2 * 1.12^i. */
const FIRST_NU = 0.2;
const NU_RATIO = 1.12;
const NU_COUNT = 60;
/** Largest reduction of the design rate for the noise of estimates, natural logarithm. */
const MAX_CORRECTION = 2;

/** Thresholds of clutter of mean 1 for one false-alarm rate and number of looks. Plain data. */
export interface KThresholds {
  readonly looks: number;
  readonly pfa: number;
  /** `multiples[i]` is the threshold for `1 / nu = inverseNu[i]`; rising, the first is 0: no texture. */
  readonly inverseNu: Float64Array;
  readonly multiples: Float64Array;
  /** Below this no pixel is above any threshold, which spares the look-up. */
  readonly least: number;
}

/**
 * Tabulates the thresholds of K-distributed clutter. Mean and texture come from `cells` pixels of a ring and are noisy;
 * because false alarms fall steeply with the threshold, noise raises their average. The noise follows from the moments of
 * the distribution (delta method), and the rate is set lower by just what it adds.
 *
 * Noise makes 1/nu negative in half of all rings without texture. Less variance than speckle alone has (steadier noise
 * of the instrument, filtered or averaged images) says nothing of the tail, so that thresholds fall no further there.
 *
 * @param cells pixels of the ring; Infinity for exactly known clutter
 */
export function kThresholds(pfa: number, looks: number, cells: number): KThresholds {
  const inverseNu = new Float64Array(NU_COUNT + 1);
  const multiples = new Float64Array(NU_COUNT + 1);
  const exact = new Float64Array(NU_COUNT + 1);
  for (let i = 0; i <= NU_COUNT; i++) {
    const nu = i === 0 ? Infinity : FIRST_NU * NU_RATIO ** (NU_COUNT - i);
    inverseNu[i] = 1 / nu;
    exact[i] = kQuantile(pfa, looks, nu, i === 0 ? 2 : exact[i - 1]!);
  }
  for (let i = 0; i <= NU_COUNT; i++) {
    const nu = 1 / inverseNu[i]!;
    const near = Math.max(1, i);
    const slope = (exact[near]! - exact[near - 1]!) / (inverseNu[near]! - inverseNu[near - 1]!);
    const correction = Number.isFinite(cells) ? rateNoise(exact[i]!, slope, looks, nu, cells) : 0;
    multiples[i] =
      Math.abs(correction) < 1e-6
        ? exact[i]!
        : kQuantile(pfa * Math.exp(-Math.min(correction, MAX_CORRECTION)), looks, nu, exact[i]);
  }
  // The noise grows with the texture faster than the table; thresholds never fall.
  for (let i = 1; i <= NU_COUNT; i++) multiples[i] = Math.max(multiples[i]!, multiples[i - 1]!);
  return { looks, pfa, inverseNu, multiples, least: Math.max(1, multiples[0]!) };
}

/**
 * Logarithm of how many times the false-alarm rate grows by estimating mean and texture from some cells. A threshold of
 * m1 t(1/nu) is straight in both errors, u of the mean and w of 1/nu, which are normal and correlated, but level where
 * 1/nu + w is negative; the rate is exponential in the threshold. The mean over u given w is exp of half a variance, that
 * over w has one part on each side of the kink.
 */
function rateNoise(t: number, slope: number, looks: number, nu: number, cells: number): number {
  const moment = (k: number): number => kMoment(k, looks, nu);
  const [second, third, fourth] = [moment(2), moment(3), moment(4)];
  const step = 1e-3 * t;
  const decay = (Math.log(kTail(t + step, looks, nu)) - Math.log(kTail(t - step, looks, nu))) / (2 * step);
  // 1/nu = m2 / m1² / (1 + 1/L) - 1, hence w = (dm2 - 2 m2 u) / (1 + 1/L) at mean 1.
  const scale = 1 + 1 / looks;
  const ofMean = (second - 1) / cells;
  const ofInverse =
    (fourth - second ** 2 - 4 * second * (third - second) + 4 * second ** 2 * (second - 1)) / scale ** 2 / cells;
  const ofBoth = (third - second - 2 * second * (second - 1)) / scale / cells;
  const regression = ofBoth / ofInverse;
  const sigma = Math.sqrt(ofInverse);
  // exp(a w) averages to exp(a² s² / 2) over a normal w whose middle then moves by a s².
  const [above, below] = [decay * (t * regression + slope), decay * t * regression];
  const kink = nu === Infinity ? 0 : 1 / nu;
  const rising = Math.exp((above * sigma) ** 2 / 2) * normalTail(-(kink + above * ofInverse) / sigma);
  const level =
    Math.exp((below * sigma) ** 2 / 2 - decay * slope * kink) * normalTail((kink + below * ofInverse) / sigma);
  const ofMeanAlone = ((decay * t) ** 2 * (ofMean - regression ** 2 * ofInverse)) / 2;
  return ofMeanAlone + Math.log(rising + level);
}

/**
 * Multiple of the mean that clutter exceeds with the table's rate.
 *
 * @param inverseNu 1 / nu as estimated, may be negative by noise
 */
export function thresholdMultiple(table: KThresholds, inverseNu: number): number {
  const { multiples } = table;
  if (!(inverseNu > 0)) return multiples[0]!;
  const known = table.inverseNu;
  const last = known.length - 1;
  if (inverseNu >= known[last]!) return multiples[last]!;
  let at = inverseNu < known[1]! ? 0 : 1 + Math.floor(Math.log(inverseNu / known[1]!) / Math.log(NU_RATIO));
  at = Math.min(Math.max(at, 0), last - 1);
  const share = (inverseNu - known[at]!) / (known[at + 1]! - known[at]!);
  return multiples[at]! + share * (multiples[at + 1]! - multiples[at]!);
}

/** Estimate of 1/nu from the first two moments of a ring; 0 for pure speckle but for noise. */
export function inverseTexture(mean: number, meanOfSquares: number, looks: number): number {
  return meanOfSquares / (mean * mean) / (1 + 1 / looks) - 1;
}
