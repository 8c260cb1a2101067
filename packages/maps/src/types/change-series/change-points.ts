import { chiSquareQuantile } from "@swath/kernel/distributions/distributions";
import { directionClass, INDEFINITE, POSITIVE } from "../change/change-classes.ts";
import { factorRho, omnibusQuantile, omnibusTest } from "./omnibus-test.ts";

/** Everything about a series that does not depend on its pixels. */
export interface SeriesTests {
  readonly dates: number;
  readonly channels: number;
  readonly looks: number;
  /** Limit of `-2 lnQ`, by number of dates of a series. */
  readonly wholeLimits: Float64Array;
  /** Limit of `-2 lnR_j`, by j. */
  readonly factorLimits: Float64Array;
}

/** @param alpha probability with which an unchanged series counts as changed */
export function seriesTests(dates: number, channels: number, looks: number, alpha: number): SeriesTests {
  const factor = chiSquareQuantile(alpha, channels);
  const wholeLimits = new Float64Array(dates + 1).fill(Infinity);
  const factorLimits = new Float64Array(dates + 1).fill(Infinity);
  for (let k = 2; k <= dates; k++) {
    const test = omnibusTest(k, channels, looks);
    wholeLimits[k] = omnibusQuantile(test, alpha) / test.rho;
    factorLimits[k] = factor / factorRho(k, looks);
  }
  return { dates, channels, looks, wholeLimits, factorLimits };
}

/** Changes at a pixel. */
export interface ChangePoints {
  /** Positions of the first scene after the first and the last change, 0 when there is none. */
  first: number;
  last: number;
  count: number;
  /** Changes by direction; `mixed` where polarisations contradict each other. */
  ups: number;
  downs: number;
  mixed: number;
  /** Whether the series changed although no single date stands out. */
  gradual: boolean;
  /** `-2 lnQ` of the whole series. */
  statistic: number;
}

/** Points to be overwritten, one object for all pixels. */
export function createChangePoints(): ChangePoints {
  return { first: 0, last: 0, count: 0, ups: 0, downs: 0, mixed: 0, gradual: false, statistic: 0 };
}

/**
 * Finds the changes of one series: if the series is not constant, the first date that differs from all before it begins a
 * new one, and so on.
 *
 * @param powers of the dates, `channels` values each, above 0
 * @param logs their logarithms
 * @param into is overwritten, so that a call per pixel allocates nothing
 */
export function findChangePoints(
  tests: SeriesTests,
  powers: Float64Array,
  logs: Float64Array,
  into: ChangePoints,
): void {
  const { dates, channels, looks } = tests;
  into.first = into.last = into.count = into.ups = into.downs = into.mixed = into.statistic = 0;
  into.gradual = false;
  let start = 0;
  while (dates - start >= 2) {
    const k = dates - start;
    let allLogs = 0;
    let logOfSums = 0;
    for (let c = 0; c < channels; c++) {
      let sum = 0;
      for (let i = start; i < dates; i++) {
        sum += powers[i * channels + c]!;
        allLogs += logs[i * channels + c]!;
      }
      logOfSums += Math.log(sum);
    }
    const statistic = -2 * looks * (channels * k * Math.log(k) + allLogs - k * logOfSums);
    if (start === 0) into.statistic = statistic;
    if (!(statistic > tests.wholeLimits[k]!)) return;
    const found = firstDifferent(tests, powers, logs, start);
    if (found === 0) {
      into.gradual = true;
      return;
    }
    const at = start + found;
    let balance = 0;
    let absolute = 0;
    for (let c = 0; c < channels; c++) {
      let sum = 0;
      for (let i = start; i < at; i++) sum += powers[i * channels + c]!;
      const step = logs[at * channels + c]! - Math.log(sum / found);
      balance += step;
      absolute += Math.abs(step);
    }
    if (into.count === 0) into.first = at;
    into.last = at;
    into.count++;
    const direction = directionClass(balance, absolute);
    if (direction === INDEFINITE) into.mixed++;
    else if (direction === POSITIVE) into.ups++;
    else into.downs++;
    start = at;
  }
}

/** Dates after `start` of the first that differs from all before it, 0 when none does. */
function firstDifferent(
  { dates, channels, looks, factorLimits }: SeriesTests,
  powers: Float64Array,
  logs: Float64Array,
  start: number,
): number {
  for (let j = 2; start + j <= dates; j++) {
    const at = start + j - 1;
    let value = channels * (j * Math.log(j) - (j - 1) * Math.log(j - 1));
    for (let c = 0; c < channels; c++) {
      let before = 0;
      for (let i = start; i < at; i++) before += powers[i * channels + c]!;
      value +=
        (j - 1) * Math.log(before) + logs[at * channels + c]! - j * Math.log(before + powers[at * channels + c]!);
    }
    if (-2 * looks * value > factorLimits[j]!) return j - 1;
  }
  return 0;
}
