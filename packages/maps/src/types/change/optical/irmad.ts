import { chiSquareQuantile, chiSquareTail } from "@swath/kernel/distributions/distributions";
import { tailOf, tailTable } from "../tail-table.ts";
import { cholesky, invertLower, product, symmetricEigen, transposed } from "./symmetric-matrix.ts";

/** Values of the same pixels at two dates: `first[b][i]` is pixel i of band b; no NaN. */
export interface PixelPairs {
  readonly first: readonly Float64Array[];
  readonly second: readonly Float64Array[];
  readonly count: number;
}

/** What tells whether a pixel has changed. Plain data; matrices row-major, `bands` x `bands`. */
export interface IrMadModel {
  readonly bands: number;
  /** Z' is the sum of the squares of `toFirst * x - toSecond * y - constant`; chi-square where nothing changed. */
  readonly toFirst: Float64Array;
  readonly toSecond: Float64Array;
  readonly constant: Float64Array;
  /** Means and standard deviations of what did not change. */
  readonly firstMean: Float64Array;
  readonly firstStd: Float64Array;
  readonly secondMean: Float64Array;
  readonly secondStd: Float64Array;
  /** Canonical correlations, the largest first. */
  readonly correlations: Float64Array;
  /** What Z was multiplied with so that its median is that of chi-square. */
  readonly calibration: number;
  readonly iterations: number;
}

/** When the estimates of the moments of what did not change end. */
export interface IrMadOptions {
  /** Estimates, the first without weights; more make the raw statistic more liberal and nothing better. */
  readonly maxIterations: number;
  /** Ends earlier when no canonical correlation moves by more. */
  readonly tolerance: number;
}

const IRMAD_OPTIONS: IrMadOptions = { maxIterations: 5, tolerance: 1e-3 };

/** Variates that agree better than this differ by rounding only. */
const MIN_VARIANCE = 1e-9;
/** Added to the variances, as a share of their sum, where bands repeat each other. */
const RIDGE = 1e-9;
/** Two copies of one image leave rounding errors, which must not be raised to changes. */
const MAX_CALIBRATION = 100;
/** Fewer pixels per band than this cannot carry the covariances. */
const MIN_PIXELS_PER_BAND = 50;
/** Beyond it a weight is nothing. */
const MAX_STATISTIC = 200;

/**
 * Iteratively reweighted multivariate alteration detection (Nielsen 2007): canonical variates of the two dates,
 * estimated with the probabilities that pixels did not change as weights, so that what changed does not blur them. After
 * reweighting the statistic no longer follows chi-square (0.40 of unchanged pixels had p < 0.01); its median over all
 * pixels does once it is scaled, as long as fewer than half of them changed.
 *
 * @returns null when there are too few pixels or a date has no contrast
 */
export function estimateIrMad(pairs: PixelPairs, options: IrMadOptions = IRMAD_OPTIONS): IrMadModel | null {
  const { first, second, count } = pairs;
  const n = first.length;
  if (n === 0 || count < MIN_PIXELS_PER_BAND * n) return null;
  const table = tailTable(MAX_STATISTIC, (x) => chiSquareTail(x, n));
  const weights = new Float64Array(count).fill(1);
  const statistic = new Float64Array(count);
  let correlations: Float64Array = new Float64Array(n);
  for (let iteration = 1; ; iteration++) {
    const moments = weightedMoments([...first, ...second], weights);
    if (moments === null) return null;
    const variates = canonicalVariates(moments, n);
    if (variates === null) return null;
    statisticOf(variates, first, second, statistic);
    const moved = variates.correlations.reduce((most, rho, i) => Math.max(most, Math.abs(rho - correlations[i]!)), 0);
    correlations = variates.correlations;
    if (iteration >= options.maxIterations || moved < options.tolerance) {
      return calibrated(variates, moments, statistic, iteration);
    }
    for (let i = 0; i < count; i++) weights[i] = tailOf(table, statistic[i]!);
  }
}

/** Z' of a pixel. @param x @param y values of the bands at the two dates; NaN gives NaN */
export function irMadStatistic(
  { bands, toFirst, toSecond, constant }: Variates,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): number {
  let sum = 0;
  for (let k = 0; k < bands; k++) {
    let variate = -constant[k]!;
    for (let b = 0; b < bands; b++) variate += toFirst[k * bands + b]! * x[b]! - toSecond[k * bands + b]! * y[b]!;
    sum += variate * variate;
  }
  return sum;
}

type Variates = Pick<IrMadModel, "bands" | "toFirst" | "toSecond" | "constant" | "correlations">;

interface Moments {
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
}

/** Weighted means and covariances of variables, null without weight. */
function weightedMoments(variables: readonly Float64Array[], weights: Float64Array): Moments | null {
  const size = variables.length;
  let total = 0;
  for (const weight of weights) total += weight;
  if (!(total > size)) return null;
  const mean = Float64Array.from(variables, (values) => {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += weights[i]! * values[i]!;
    return sum / total;
  });
  const covariance = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      const [u, v, mu, mv] = [variables[a]!, variables[b]!, mean[a]!, mean[b]!];
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += weights[i]! * (u[i]! - mu) * (v[i]! - mv);
      covariance[a * size + b] = sum / total;
      covariance[b * size + a] = sum / total;
    }
  }
  return { mean, covariance };
}

function part({ covariance }: Moments, n: number, row: number, column: number): Float64Array {
  return Float64Array.from(
    { length: n * n },
    (_, at) => covariance[(row + Math.floor(at / n)) * 2 * n + column + (at % n)]!,
  );
}

function factor(covariance: Float64Array, n: number): Float64Array | null {
  const plain = cholesky(covariance, n);
  if (plain !== null) return plain;
  let trace = 0;
  for (let i = 0; i < n; i++) trace += covariance[i * n + i]!;
  if (!(trace > 0)) return null;
  // Bands that repeat each other to a millionth: the ridge must pass the test of the factorisation too.
  const raised = covariance.map((value, at) => (at % (n + 1) === 0 ? value * (1 + 1e-9) + RIDGE * trace : value));
  return cholesky(raised, n);
}

/** Rows of `toFirst` and `toSecond` are variates divided by the standard deviation of their difference. */
function canonicalVariates(moments: Moments, n: number): Variates | null {
  const lower1 = factor(part(moments, n, 0, 0), n);
  const lower2 = factor(part(moments, n, n, n), n);
  if (lower1 === null || lower2 === null) return null;
  const inverse1 = invertLower(lower1, n);
  const inverse2 = invertLower(lower2, n);
  const k = product(product(inverse1, part(moments, n, 0, n), n), inverse2, n, true);
  const { values, vectors } = symmetricEigen(product(k, k, n, true), n);
  const correlations = values.map((value) => Math.sqrt(Math.min(Math.max(value, 0), 1)));
  const toFirst = new Float64Array(n * n);
  const toSecond = new Float64Array(n * n);
  const constant = new Float64Array(n);
  const kTransposed = transposed(k, n);
  for (const [row, u] of vectors.entries()) {
    const rho = correlations[row]!;
    const scale = 1 / Math.sqrt(Math.max(2 * (1 - rho), MIN_VARIANCE));
    const v = rho > 0 ? timesVector(kTransposed, u, n).map((value) => value / rho) : new Float64Array(n);
    const a = timesVector(transposed(inverse1, n), u, n);
    const b = timesVector(transposed(inverse2, n), v, n);
    for (let band = 0; band < n; band++) {
      toFirst[row * n + band] = a[band]! * scale;
      toSecond[row * n + band] = b[band]! * scale;
      constant[row]! += (a[band]! * moments.mean[band]! - b[band]! * moments.mean[n + band]!) * scale;
    }
  }
  return { bands: n, toFirst, toSecond, constant, correlations };
}

function timesVector(matrix: Float64Array, vector: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, row) => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += matrix[row * n + k]! * vector[k]!;
    return sum;
  });
}

function statisticOf(
  variates: Variates,
  first: readonly Float64Array[],
  second: readonly Float64Array[],
  into: Float64Array,
): void {
  const x = new Float64Array(variates.bands);
  const y = new Float64Array(variates.bands);
  for (let i = 0; i < into.length; i++) {
    for (let band = 0; band < variates.bands; band++) {
      x[band] = first[band]![i]!;
      y[band] = second[band]![i]!;
    }
    into[i] = irMadStatistic(variates, x, y);
  }
}

function calibrated(variates: Variates, moments: Moments, statistic: Float64Array, iterations: number): IrMadModel {
  const n = variates.bands;
  const median = statistic.toSorted()[Math.floor(statistic.length / 2)]!;
  const calibration = Math.min(chiSquareQuantile(0.5, n) / median, MAX_CALIBRATION);
  const root = Math.sqrt(calibration);
  const std = (at: number): number => Math.sqrt(Math.max(moments.covariance[at * (2 * n + 1)]!, Number.MIN_VALUE));
  const bands = Array.from({ length: n }, (_, i) => i);
  return {
    bands: n,
    toFirst: variates.toFirst.map((value) => value * root),
    toSecond: variates.toSecond.map((value) => value * root),
    constant: variates.constant.map((value) => value * root),
    firstMean: moments.mean.slice(0, n),
    secondMean: moments.mean.slice(n),
    firstStd: Float64Array.from(bands, (band) => std(band)),
    secondStd: Float64Array.from(bands, (band) => std(n + band)),
    correlations: variates.correlations,
    calibration,
    iterations,
  };
}
