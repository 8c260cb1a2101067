import { fTail } from "@swath/kernel/distributions/distributions";
import { tailOf, tailTable, type TailTable } from "../tail-table.ts";

/** Probability that the ratio of two unchanged multilooked powers is at least as far from 1. Plain data. */
export interface LogRatioModel {
  /** Equivalent number of looks of the averaged power. */
  readonly looks: number;
  /** Over the square of the logarithm of the ratio. */
  readonly table: TailTable;
}

/** A ratio of 300 000: nothing on the ground does more. */
const MAX_LOG_RATIO = 12.6;
const MIN_LOOKS = 0.5;
const MAX_LOOKS = 10_000;

/**
 * Without change the ratio of two powers of n looks follows F(2n, 2n), whatever the power.
 *
 * @see Touzi, Lopes and Bousquet 1988
 */
export function logRatioModel(looks: number): LogRatioModel {
  // Beyond tails of 1e-16 nothing is told apart; ending there keeps the steps of the table short.
  let end = MAX_LOG_RATIO;
  while (end > 0.01 && twoSidedTail(end / 2, looks) < 1e-16) end /= 2;
  return { looks, table: tailTable(end * end, (square) => twoSidedTail(Math.sqrt(square), looks)) };
}

/** p of a logarithm of the ratio, two-sided; NaN for NaN. */
export function logRatioTail({ table }: LogRatioModel, logRatio: number): number {
  return tailOf(table, logRatio * logRatio);
}

function twoSidedTail(logRatio: number, looks: number): number {
  return Math.min(1, 2 * fTail(Math.exp(logRatio), 2 * looks, 2 * looks));
}

/** The logarithm of the ratio whose two-sided tail is `alpha`. */
export function significantLogRatio(looks: number, alpha: number): number {
  let [low, high] = [0, MAX_LOG_RATIO];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (twoSidedTail(middle, looks) > alpha) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Looks that half of the ratios agree with: those for which |ln F(2n, 2n)| has the given median. What averaging and
 * resampling did to neighbouring pixels is in it, and so is real change, which only lowers the answer.
 */
export function looksOfMedian(medianAbsoluteLogRatio: number): number {
  let [low, high] = [MIN_LOOKS, MAX_LOOKS];
  for (let i = 0; i < 60; i++) {
    const middle = Math.sqrt(low * high);
    if (twoSidedTail(medianAbsoluteLogRatio, middle) > 0.5) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}
