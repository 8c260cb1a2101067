import type { BandRole } from "@swath/kernel/bands/band-role";
import { chiSquareQuantile, chiSquareTail } from "@swath/kernel/distributions/distributions";
import type { AnalysisBlock, AnalysisSurvey } from "../../../analysis/block.ts";
import { refuseDisplaced } from "../../../analysis/coregistration/refuse-displaced.ts";
import { measureSceneShift, type Coregistration } from "../../../analysis/coregistration/scene-shift.ts";
import { movedPlane } from "../../../analysis/coregistration/moved-plane.ts";
import { estimateIrMad, irMadStatistic, type IrMadModel } from "./irmad.ts";
import { processingOffset } from "../../../analysis/optical/optical-block.ts";
import { directionClass } from "../change-classes.ts";
import { openedMask } from "../change-mask.ts";
import { difference, estimateChangeVectors, type ChangeVectorModel } from "./change-vector.ts";
import { fullResolutionBlocks, sampledPairs } from "../sampled-pairs.ts";
import { validMask, type ScoredPixels } from "../scored-pixels.ts";
import { tailOf, tailTable, type TailTable } from "../tail-table.ts";

/** What is learnt of two optical scenes. Plain data. */
export type OpticalChangeModel = {
  readonly coregistration: Coregistration;
  readonly samples: number;
  /** Reflectance of each scene that is no light: a processing offset left in the pixels. */
  readonly offsets: readonly [first: number, second: number];
} & (
  | {
      readonly method: "irmad";
      readonly irmad: IrMadModel;
      /** P(chi-square > Z') */
      readonly table: TailTable;
      /** Z' from which a pixel has changed. */
      readonly threshold: number;
    }
  | { readonly method: "cva"; readonly vectors: ChangeVectorModel }
  /** Too few pixels that both scenes show, or no contrast in them. */
  | { readonly method: "none" }
);

/** Where 1 - chi-square ends to be told from 0, for 1 to 8 bands. */
const MAX_STATISTIC = 200;
/** Alteration detection finds no more in fewer bands than the length of the difference does. */
const MIN_IRMAD_BANDS = 3;

/** What the plan tells the comparison of two optical scenes. */
export interface OpticalChangeParameters {
  readonly method: "irmad" | "cva";
  /** Role of each plane of a scene, null for bands that are only known by name. */
  readonly roles: readonly (BandRole | null)[];
  /** Probability with which an unchanged pixel counts as changed. */
  readonly alpha: number;
  /** Whether planes are reflectance rather than a picture. */
  readonly calibrated: boolean;
}

/**
 * Learns where the scenes lie, and how their unchanged pixels vary.
 *
 * @param shown survey for the statistics, without clouds and shadows
 * @throws {ScenesRefused} when the scenes do not lie on each other and cannot be moved so that they do
 */
export function surveyOpticalChange(
  survey: AnalysisSurvey,
  parameters: OpticalChangeParameters,
  shown: AnalysisSurvey = survey,
): OpticalChangeModel {
  const coregistration = measureSceneShift(survey.windows, undefined, true);
  refuseDisplaced(coregistration, "the scenes");
  const pairs = sampledPairs(fullResolutionBlocks(shown), coregistration);
  const offsetOf = (scene: number): number =>
    parameters.calibrated ? processingOffset(survey, scene, { roles: parameters.roles, scale: 1 }) : 0;
  const learnt = { coregistration, samples: pairs.count, offsets: [offsetOf(0), offsetOf(1)] as const };
  const bands = pairs.first.length;
  if (parameters.method !== "cva" && bands >= MIN_IRMAD_BANDS) {
    const irmad = estimateIrMad(pairs);
    if (irmad !== null) {
      const table = tailTable(MAX_STATISTIC, (x) => chiSquareTail(x, bands));
      const threshold = chiSquareQuantile(parameters.alpha, bands);
      return { ...learnt, method: "irmad", irmad, table, threshold };
    }
  }
  const vectors = estimateChangeVectors(pairs);
  return vectors === null ? { ...learnt, method: "none" } : { ...learnt, method: "cva", vectors };
}

/** Planes of the second scene, where the first has them. */
export function alignedPlanes(
  { rect, scenes }: AnalysisBlock,
  coregistration: Coregistration,
): readonly Float32Array[] {
  return scenes[1]!.map((plane) => movedPlane(plane, rect, coregistration));
}

/** @param after planes of the second scene, where the first has them */
export function scoreOptical(
  { rect, scenes }: AnalysisBlock,
  after: readonly Float32Array[],
  model: OpticalChangeModel,
): ScoredPixels {
  const before = scenes[0]!;
  const size = rect.columns * rect.rows;
  const heat = new Float32Array(size).fill(Number.NaN);
  const statistic = new Float32Array(size).fill(Number.NaN);
  const direction = new Uint8Array(size);
  const set = new Uint8Array(size);
  if (model.method === "none") return { heat, statistic, threshold: 1, changed: set, direction };
  const bands = before.length;
  const x = new Float64Array(bands);
  const y = new Float64Array(bands);
  const moments = model.method === "irmad" ? model.irmad : model.vectors;
  const threshold = model.method === "irmad" ? model.threshold : model.vectors.threshold ** 2;
  for (let at = 0; at < size; at++) {
    let distance = 0;
    let sum = 0;
    let absolute = 0;
    for (let band = 0; band < bands; band++) {
      x[band] = before[band]![at]!;
      y[band] = after[band]![at]!;
      const change = difference(moments, band, x[band]!, y[band]!);
      distance += change * change;
      sum += change;
      absolute += Math.abs(change);
    }
    if (!Number.isFinite(distance)) continue;
    const value = model.method === "irmad" ? irMadStatistic(model.irmad, x, y) : distance;
    statistic[at] = value;
    heat[at] =
      model.method === "irmad" ? 1 - tailOf(model.table, value) : Math.min(1, Math.sqrt(value) / model.vectors.p99);
    if (value < threshold) continue;
    set[at] = 1;
    direction[at] = directionClass(sum, absolute);
  }
  const changed = openedMask(set, validMask(heat), rect.columns, rect.rows);
  return { heat, statistic, threshold, changed, direction };
}
