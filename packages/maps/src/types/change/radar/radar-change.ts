import { chiSquareQuantile } from "@swath/kernel/distributions/distributions";
import type { AnalysisBlock, AnalysisSurvey } from "../../../analysis/block.ts";
import { refuseDisplaced } from "../../../analysis/coregistration/refuse-displaced.ts";
import { measureSceneShift, type Coregistration } from "../../../analysis/coregistration/scene-shift.ts";
import { shiftedPlane, wholeShift } from "../../../analysis/coregistration/shifted-plane.ts";
import { INDEFINITE, NEGATIVE, POSITIVE } from "../change-classes.ts";
import { withoutSmallGroups } from "../change-mask.ts";
import { logRatioModel, logRatioTail, significantLogRatio, type LogRatioModel } from "./log-ratio.ts";
import { quietLooks } from "./measured-looks.ts";
import { multilook } from "./multilook.ts";
import { fullResolutionBlocks } from "../sampled-pairs.ts";
import type { ScoredPixels } from "../scored-pixels.ts";

/** What is learnt of two radar scenes. Plain data. */
export interface RadarChangeModel {
  readonly method: "log-ratio";
  readonly coregistration: Coregistration;
  readonly samples: number;
  /** One per polarisation. */
  readonly channels: readonly LogRatioModel[];
  /** Pixels per side that are averaged. */
  readonly windowPx: number;
  readonly alpha: number;
}

/** Averaging correlated neighbours brings fewer looks than there are pixels. */
export const LOOKS_KEPT = 0.8;
/**
 * Looks are at least this share of the looks about the median ratio of squares: where almost all of a scene changed, no square is
 * quiet, but the speckle within squares still shows.
 */
const LEAST_OF_SPECKLE = 0.5;
/** Minimum mapping unit. */
const MIN_PIXELS = 4;

/** What the plan tells the comparison of radar scenes. */
export interface RadarChangeParameters {
  readonly method: "log-ratio";
  /** Pixels per side that are averaged. */
  readonly windowPx: number;
  /** Equivalent looks of one pixel, null when unknown. */
  readonly looks: number | null;
  /** Probability with which an unchanged pixel counts as changed. */
  readonly alpha: number;
}

/**
 * Looks after averaging are those expected or, when there are fewer, the looks of the quiet quarter of squares.
 *
 * @throws {ScenesRefused} when the scenes do not lie on each other and cannot be moved so that they do
 */
export function surveyRadarChange(survey: AnalysisSurvey, parameters: RadarChangeParameters): RadarChangeModel {
  const { windowPx, looks: perPixel } = parameters;
  const logarithm = (plane: Float32Array, columns: number, rows: number): Float32Array =>
    multilook(plane, columns, rows, windowPx).map(Math.log);
  const measured = measureSceneShift(survey.windows, logarithm);
  refuseDisplaced(measured, "the scenes");
  const coregistration = wholeShift(measured);
  const expected = perPixel !== null ? perPixel * windowPx * windowPx * LOOKS_KEPT : Infinity;
  const blocks = fullResolutionBlocks(survey);
  const count = blocks[0]?.scenes[0]?.length ?? 0;
  const pair = [
    { scene: 0, shift: { dx: 0, dy: 0 } },
    { scene: 1, shift: coregistration },
  ] as const;
  const channels = Array.from({ length: count }, (_, channel) => {
    const { aboutUnity, aboutMedian } = quietLooks(blocks, channel, windowPx, pair);
    const seen = Math.max(aboutUnity ?? 0, LEAST_OF_SPECKLE * (aboutMedian ?? 0));
    const looks = Math.min(expected, seen > 0 ? seen : Infinity);
    return logRatioModel(Number.isFinite(looks) ? looks : windowPx * windowPx * LOOKS_KEPT);
  });
  const samples = blocks.reduce((sum, { rect }) => sum + rect.columns * rect.rows, 0);
  return { method: "log-ratio", coregistration, samples, channels, windowPx, alpha: parameters.alpha };
}

/** Probability per polarisation with which an unchanged pixel counts as changed (Sidak 1967). */
function alphaOfChannel({ alpha, channels }: RadarChangeModel): number {
  return 1 - (1 - alpha) ** (1 / channels.length);
}

/** Least change of each polarisation that counts, decibels: half of the pixels that changed by it are found. */
export function sensitivityDb(model: RadarChangeModel): readonly number[] {
  const alpha = alphaOfChannel(model);
  return model.channels.map(({ looks }) => (10 / Math.LN10) * significantLogRatio(looks, alpha));
}

/**
 * p is the probability that the smallest of the channels' is as small without change, channels being independent (Sidak
 * 1967). The statistic is the sum of the squared logarithms
 * of the ratios, each divided by its variance under no change, 2 / looks to first order.
 */
export function scoreRadar({ rect, scenes }: AnalysisBlock, model: RadarChangeModel): ScoredPixels {
  const { columns, rows } = rect;
  const size = columns * rows;
  const { dx, dy } = model.coregistration;
  const heat = new Float32Array(size).fill(Number.NaN);
  const statistic = new Float32Array(size);
  const direction = new Uint8Array(size);
  const set = new Uint8Array(size);
  const least = new Float64Array(size).fill(1);
  const up = new Uint8Array(size);
  const down = new Uint8Array(size);
  const count = model.channels.length;
  const perChannel = alphaOfChannel(model);
  for (const [channel, ratio] of model.channels.entries()) {
    const before = multilook(scenes[0]![channel]!, columns, rows, model.windowPx);
    const after = multilook(shiftedPlane(scenes[1]![channel]!, columns, rows, dx, dy), columns, rows, model.windowPx);
    for (let at = 0; at < size; at++) {
      const log = Math.log(after[at]! / before[at]!);
      const p = logRatioTail(ratio, log);
      statistic[at]! += (log * log * ratio.looks) / 2;
      if (!(p >= least[at]!)) least[at] = p;
      if (p <= perChannel) {
        if (log > 0) up[at] = 1;
        else down[at] = 1;
      }
    }
  }
  for (let at = 0; at < size; at++) {
    if (Number.isNaN(statistic[at]!)) continue;
    heat[at] = (1 - least[at]!) ** count;
    if (up[at] === 0 && down[at] === 0) continue;
    set[at] = 1;
    direction[at] = up[at] === down[at] ? INDEFINITE : up[at] === 1 ? POSITIVE : NEGATIVE;
  }
  return {
    heat,
    statistic,
    threshold: chiSquareQuantile(model.alpha, count),
    changed: withoutSmallGroups(set, columns, rows, MIN_PIXELS),
    direction,
  };
}
