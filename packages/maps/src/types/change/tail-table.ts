/**
 * A tail probability tabulated over the square root of its statistic, where it is smooth: looked up in a few
 * nanoseconds for every pixel. Plain data.
 */
export interface TailTable {
  /** Square root of the statistic at the last entry; beyond it the tail counts as the last entry's. */
  readonly rootEnd: number;
  readonly tails: Float64Array;
}

const ENTRIES = 16_384;

/**
 * @param end largest statistic that is told apart
 * @param tailAt P(X > x); errors of the table are below 1e-6 of the tail's own change over one step
 */
export function tailTable(end: number, tailAt: (x: number) => number): TailTable {
  const rootEnd = Math.sqrt(end);
  const tails = Float64Array.from({ length: ENTRIES }, (_, i) => tailAt(((i / (ENTRIES - 1)) * rootEnd) ** 2));
  return { rootEnd, tails };
}

/** The tail at a statistic, NaN for NaN. */
export function tailOf({ rootEnd, tails }: TailTable, statistic: number): number {
  const at = (Math.sqrt(statistic) / rootEnd) * (ENTRIES - 1);
  if (at >= ENTRIES - 1) return tails[ENTRIES - 1]!;
  const lower = Math.trunc(at);
  const a = tails[lower]!;
  return a + (tails[lower + 1]! - a) * (at - lower);
}
