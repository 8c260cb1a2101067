/** Monthly means of one input, by month (YYYY-MM). */
export interface IndexComponent {
  /** Negative where more is worse. */
  readonly weight: number;
  readonly values: ReadonlyMap<string, number>;
}

export interface IndexRules {
  readonly formula: "pmi-50" | "rebased-100";
  /** Months that z-scores and the base refer to; null for all. */
  readonly base: { readonly from: string; readonly to: string } | null;
}

export interface IndexValue {
  readonly period: string;
  readonly value: number;
  /** One standard error of the weighted mean below; equal to `value` for one input. */
  readonly low: number;
  readonly high: number;
}

const SCALE = 10;

/**
 * The weighted mean of z-scores of components, by month. The base months give mean and standard deviation (of the
 * population) of each component. A month has the components with a value; weights count by magnitude. A component that
 * does not vary has no z-score.
 */
export function productIndex(
  components: readonly IndexComponent[],
  { formula, base }: IndexRules,
): readonly IndexValue[] {
  const isBase = (month: string): boolean => base === null || (month >= base.from && month <= base.to);
  const scored = components.flatMap(({ weight, values }) => {
    const reference = [...values].filter(([month]) => isBase(month)).map(([, value]) => value);
    const mean = meanOf(reference);
    const deviation = Math.sqrt(meanOf(reference.map((value) => (value - mean) ** 2)));
    return deviation > 0 ? [{ weight, values, score: (value: number) => (value - mean) / deviation }] : [];
  });
  const months = [...new Set(scored.flatMap(({ values }) => [...values.keys()]))].toSorted();
  const means = months.map((period) => ({
    period,
    ...weightedMean(
      scored.flatMap(({ weight, values, score }) => {
        const value = values.get(period);
        return value === undefined ? [] : [{ share: Math.abs(weight), z: Math.sign(weight) * score(value) }];
      }),
    ),
  }));
  const zero = formula === "pmi-50" ? 0 : (means.find(({ period }) => isBase(period))?.mean ?? 0);
  const level = formula === "pmi-50" ? 50 : 100;
  return means.map(({ period, mean, error }) => {
    const value = level + SCALE * (mean - zero);
    return { period, value, low: value - SCALE * error, high: value + SCALE * error };
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean of z-scores by their shares, and its standard error. */
function weightedMean(scores: readonly { readonly share: number; readonly z: number }[]): {
  readonly mean: number;
  readonly error: number;
} {
  const total = scores.reduce((sum, { share }) => sum + share, 0);
  if (total === 0) return { mean: 0, error: 0 };
  const mean = scores.reduce((sum, { share, z }) => sum + share * z, 0) / total;
  const squares = scores.reduce((sum, { share, z }) => sum + (share * (z - mean)) ** 2, 0);
  return { mean, error: Math.sqrt(squares) / total };
}
