import type { ValueDistribution } from "./value-distribution.ts";

export interface DistributionStatistics {
  /** Sum of the weights. */
  readonly count: number;
  /** Values times weights. */
  readonly sum: number;
  /** Null without a value, as the others. */
  readonly mean: number | null;
  /** Of the population. */
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** Weighted mean, standard deviation and range. */
export function distributionStatistics({ values, weights }: ValueDistribution): DistributionStatistics {
  const min = values[0];
  if (min === undefined) return { count: 0, sum: 0, mean: null, std: null, min: null, max: null };
  let [count, sum, above] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    count += weights[i]!;
    sum += weights[i]! * values[i]!;
    above += weights[i]! * (values[i]! - min);
  }
  // From the lowest value: equal values have no deviation, also not by rounding.
  const mean = min + above / count;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += weights[i]! * (values[i]! - mean) ** 2;
  return { count, sum, mean, std: Math.sqrt(squares / count), min, max: values.at(-1)! };
}

/**
 * Weighted quantiles, linear between distinct values: value `i` of `n` stands at
 * `i·wᵢ + (n−1)·(w₀ + … + wᵢ₋₁)` of `(n−1)·Σw`. With equal weights it is the common definition (R's type 7), and it is
 * the definition of exactextract's `quantile(coverage_weight)`.
 *
 * @param shares in ascending order, from 0 to 1
 * @returns one for each share; null without a value
 */
export function weightedQuantiles(
  { values, weights }: ValueDistribution,
  shares: readonly number[],
): readonly (number | null)[] {
  const last = values.length - 1;
  if (last < 0) return shares.map(() => null);
  let total = 0;
  for (let i = 0; i <= last; i++) total += weights[i]!;
  let index = 0;
  let [before, place, nextPlace] = [0, 0, 0];
  const placeOf = (i: number, weightBefore: number): number => i * weights[i]! + last * weightBefore;
  if (last > 0) nextPlace = placeOf(1, weights[0]!);
  return shares.map((share) => {
    const wanted = share * last * total;
    while (index < last && nextPlace <= wanted) {
      before += weights[index++]!;
      place = nextPlace;
      if (index < last) nextPlace = placeOf(index + 1, before + weights[index]!);
    }
    if (index === last) return values[last]!;
    return values[index]! + ((wanted - place) * (values[index + 1]! - values[index]!)) / (nextPlace - place);
  });
}

/**
 * Weight of the values in each bin. Bins hold their lower edge, the last its upper one too; values outside all bins
 * are left out.
 *
 * @param edges in ascending order, one more than bins
 */
export function weightedHistogram({ values, weights }: ValueDistribution, edges: readonly number[]): Float64Array {
  const bins = new Float64Array(Math.max(0, edges.length - 1));
  let bin = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < edges[0]! || value > edges.at(-1)!) continue;
    while (bin < bins.length - 1 && value >= edges[bin + 1]!) bin++;
    bins[bin]! += weights[i]!;
  }
  return bins;
}
