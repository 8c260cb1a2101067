import { chiSquareTail } from "@swath/kernel/distributions/distributions";
import { seededGamma, seededNormal, seededUniform } from "../../analysis/clutter/simulate-clutter.ts";
import { estimateIrMad, irMadStatistic, type PixelPairs } from "../change/optical/irmad.ts";
import { createChangePoints, findChangePoints, seriesTests } from "./change-points.ts";
import { difference, estimateChangeVectors } from "../change/optical/change-vector.ts";
import { logRatioModel, logRatioTail } from "../change/radar/log-ratio.ts";

/** Shares of unchanged pixels that were called changed, and of changed ones that were. */
export interface DetectionRates {
  readonly falseAlarmRate: number;
  readonly detectionRate: number;
}

/**
 * Two dates of correlated bands with noise of a tenth of the contrast, the second brighter by a fifth; `changedShare` of the
 * pixels show another surface at the second.
 */
function simulatedPairs(
  count: number,
  bands: number,
  changedShare: number,
  seed: number,
): { readonly pairs: PixelPairs; readonly changed: Uint8Array } {
  const uniform = seededUniform(seed);
  const normal = seededNormal(uniform);
  const first = Array.from({ length: bands }, () => new Float64Array(count));
  const second = Array.from({ length: bands }, () => new Float64Array(count));
  const changed = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const common = normal();
    const commonAfter = normal();
    changed[i] = uniform() < changedShare ? 1 : 0;
    for (let band = 0; band < bands; band++) {
      const before = 100 + 20 * (common + 0.5 * normal());
      const other = 100 + 20 * (commonAfter + 0.5 * normal());
      first[band]![i] = before + 2 * normal();
      second[band]![i] = 1.2 * (changed[i] === 1 ? other : before) + 5 * band + 2 * normal();
    }
  }
  return { pairs: { first, second, count }, changed };
}

/**
 * Alteration detection at a level: with its median made that of chi-square, and without.
 *
 * @throws {RangeError} when there are too few pixels to estimate from
 */
export function irMadRates(
  count: number,
  bands: number,
  seed: number,
  alpha: number,
  maxIterations: number,
): { readonly calibrated: DetectionRates; readonly raw: DetectionRates } {
  const { pairs, changed } = simulatedPairs(count, bands, 0.1, seed);
  const model = estimateIrMad(pairs, { maxIterations, tolerance: 1e-3 });
  if (model === null) throw new RangeError(`got ${count} pixels of ${bands} bands, expected more`);
  const statistics = Float64Array.from({ length: count }, (_, i) =>
    irMadStatistic(
      model,
      pairs.first.map((values) => values[i]!),
      pairs.second.map((values) => values[i]!),
    ),
  );
  return {
    calibrated: rates(changed, (i) => chiSquareTail(statistics[i]!, bands) < alpha),
    raw: rates(changed, (i) => chiSquareTail(statistics[i]! / model.calibration, bands) < alpha),
  };
}

/** Change vectors with their own threshold. @throws {RangeError} when there are too few pixels */
export function changeVectorRates(count: number, bands: number, seed: number): DetectionRates {
  const { pairs, changed } = simulatedPairs(count, bands, 0.1, seed);
  const model = estimateChangeVectors(pairs);
  if (model === null) throw new RangeError(`got ${count} pixels of ${bands} bands, expected more`);
  return rates(changed, (i) => {
    let sum = 0;
    for (let band = 0; band < bands; band++) {
      sum += difference(model, band, pairs.first[band]![i]!, pairs.second[band]![i]!) ** 2;
    }
    return Math.sqrt(sum) >= model.threshold;
  });
}

/** Share of unchanged pixels of so many looks whose log-ratio has p at most alpha. */
export function logRatioFalseAlarmRate(count: number, looks: number, seed: number, alpha: number): number {
  const gamma = seededGamma(looks, seededUniform(seed));
  const model = logRatioModel(looks);
  let alarms = 0;
  for (let i = 0; i < count; i++) if (logRatioTail(model, Math.log(gamma() / gamma())) <= alpha) alarms++;
  return alarms / count;
}

/** Rates of the omnibus test on simulated series: the share of changed pixels, and the share with a date of change. */
export function omnibusRates(
  series: number,
  dates: number,
  looks: number,
  alpha: number,
  seed: number,
  /** Decibels by which the later half is stronger; 0 for unchanged series. */
  stepDb: number,
): { readonly changed: number; readonly dated: number; readonly datedRight: number } {
  const gamma = seededGamma(looks, seededUniform(seed));
  const tests = seriesTests(dates, 1, looks, alpha);
  const powers = new Float64Array(dates);
  const logs = new Float64Array(dates);
  const points = createChangePoints();
  const step = Math.floor(dates / 2);
  let [changed, dated, datedRight] = [0, 0, 0];
  for (let s = 0; s < series; s++) {
    for (let i = 0; i < dates; i++) {
      powers[i] = gamma() * (i >= step ? 10 ** (stepDb / 10) : 1);
      logs[i] = Math.log(powers[i]!);
    }
    findChangePoints(tests, powers, logs, points);
    if (points.count > 0 || points.gradual) changed++;
    if (points.count > 0) dated++;
    if (points.first === step) datedRight++;
  }
  return { changed: changed / series, dated: dated / series, datedRight: datedRight / series };
}

function rates(changed: Uint8Array, called: (i: number) => boolean): DetectionRates {
  let [alarms, unchanged, hits, positives] = [0, 0, 0, 0];
  for (let i = 0; i < changed.length; i++) {
    const says = called(i) ? 1 : 0;
    if (changed[i] === 1) {
      positives++;
      hits += says;
    } else {
      unchanged++;
      alarms += says;
    }
  }
  return { falseAlarmRate: alarms / unchanged, detectionRate: hits / positives };
}
