import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm } from "../../analysis/block.ts";
import { CLOUD_MARGIN_PX } from "../../analysis/cloud/cloud-model.ts";
import { MAX_SHIFT_PX, type Coregistration } from "../../analysis/coregistration/scene-shift.ts";
import { coverClass, NEITHER } from "./change-classes.ts";
import {
  clearGround,
  clearSurvey,
  surveyClearGround,
  type ClearGroundModel,
  type CloudSearch,
} from "./optical/clear-ground.ts";
import {
  alignedPlanes,
  scoreOptical,
  surveyOpticalChange,
  type OpticalChangeModel,
  type OpticalChangeParameters,
} from "./optical/optical-change.ts";
import {
  scoreRadar,
  sensitivityDb,
  surveyRadarChange,
  type RadarChangeModel,
  type RadarChangeParameters,
} from "./radar/radar-change.ts";
import { rankedRegions } from "./ranked-regions.ts";
import { changeResult } from "./scored-pixels.ts";

/** Model of two optical scenes, with their clouds if the bands show clouds. */
type OpticalPairModel = OpticalChangeModel & { readonly clouds?: ClearGroundModel };
export type ChangeModel = OpticalPairModel | RadarChangeModel;

/** Positions of planes that tell what came and went, -1 when absent. */
export interface CoverPlanes {
  readonly red: number;
  readonly nir: number;
  readonly green: number;
}

/** Regions of a map, however changed it is. */
interface ReportedRegions {
  /** The highest ranks that are kept; all where absent. */
  readonly mostRegions?: number;
}

interface OpticalPairParameters extends OpticalChangeParameters, CoverPlanes {
  /** Names of the bands, for the record. */
  readonly bands?: readonly string[];
  /** Absent where the bands cannot show clouds. */
  readonly clouds?: CloudSearch;
}

export type ChangeParameters = (OpticalPairParameters | RadarChangeParameters) & ReportedRegions;

/** A shift, the averaging of speckle (up to 7 x 7), groups that a smallest size decides about, and clouds. */
export const CHANGE_MARGIN_PX = MAX_SHIFT_PX + 8 + CLOUD_MARGIN_PX;

/** Change between two scenes. Layers: heat, classes of change, classes of cover gained and lost (no data for radar). */
export const change: BlockAlgorithm<ChangeParameters, ChangeModel> = {
  survey: (survey, parameters) =>
    parameters.method === "log-ratio" ? surveyRadarChange(survey, parameters) : surveyPair(survey, parameters),

  compute(block, model, parameters) {
    const trust = trustOf(model.coregistration);
    if (model.method === "log-ratio") {
      return changeResult(block, scoreRadar(block, model), trust, (classes) => [new Uint8Array(classes.length)]);
    }
    if (parameters.method === "log-ratio")
      throw new RangeError("the model is one of optical scenes, the plan of radar");
    const { clouds } = parameters;
    const shown =
      clouds === undefined || model.clouds === undefined
        ? block
        : clearGround(block, clouds, model.clouds, parameters.roles.length);
    const after = alignedPlanes(shown, model.coregistration);
    const scored = scoreOptical(shown, after, model);
    return changeResult(shown, scored, trust, (classes) => [
      coverClasses(shown, after, classes, scored.changed, model.offsets, parameters),
    ]);
  },

  finish: (objects, _model, { mostRegions = Infinity }) => rankedRegions(objects, mostRegions),

  describe: (model) => ({
    method: model.method,
    coregistration: model.coregistration,
    samples: model.samples,
    ...cloudDescription(model),
    ...description(model),
  }),
};

function surveyPair(survey: AnalysisSurvey, parameters: OpticalPairParameters): OpticalPairModel {
  if (parameters.clouds === undefined) return surveyOpticalChange(survey, parameters);
  const clouds = surveyClearGround(survey, parameters.clouds);
  const clear = clearSurvey(survey, parameters.clouds, clouds, parameters.roles.length);
  return { ...surveyOpticalChange(survey, parameters, clear), clouds };
}

/** Scenes that do not lie on each other show changes at every edge. */
export function trustOf({ status }: Coregistration): number {
  return status === "inconsistent" ? 0.5 : 1;
}

function coverClasses(
  { scenes }: AnalysisBlock,
  after: readonly Float32Array[],
  classes: Uint8Array,
  changed: Uint8Array,
  [offset, offsetAfter]: readonly [number, number],
  { red, nir, green }: CoverPlanes,
): Uint8Array {
  const cover = new Uint8Array(classes.length);
  const before = scenes[0]!;
  if (before[red] === undefined || before[nir] === undefined) return cover;
  for (let at = 0; at < cover.length; at++) {
    if (classes[at] === 0) continue;
    cover[at] =
      changed[at] === 0
        ? NEITHER
        : coverClass(
            before[red][at]! - offset,
            before[nir][at]! - offset,
            (before[green]?.[at] ?? Number.NaN) - offset,
            after[red]![at]! - offsetAfter,
            after[nir]![at]! - offsetAfter,
            (after[green]?.[at] ?? Number.NaN) - offsetAfter,
          );
  }
  return cover;
}

function cloudDescription(model: ChangeModel): Readonly<Record<string, unknown>> {
  if (model.method === "log-ratio" || model.clouds === undefined) return {};
  return { cloudShares: model.clouds.map(({ clouds }) => Number(clouds.cloudShare.toFixed(4))) };
}

function description(model: ChangeModel): Readonly<Record<string, unknown>> {
  switch (model.method) {
    case "irmad":
      return {
        correlations: Array.from(model.irmad.correlations, (rho) => Number(rho.toFixed(4))),
        calibration: Number(model.irmad.calibration.toPrecision(4)),
        iterations: model.irmad.iterations,
        threshold: Number(model.threshold.toFixed(3)),
      };
    case "cva":
      return { threshold: Number(model.vectors.threshold.toFixed(3)), p99: Number(model.vectors.p99.toFixed(3)) };
    case "log-ratio":
      return {
        looks: model.channels.map(({ looks }) => Number(looks.toFixed(1))),
        sensitivityDb: sensitivityDb(model).map((decibels) => Number(decibels.toFixed(2))),
        windowPx: model.windowPx,
        alpha: model.alpha,
      };
    case "none":
      return { note: "too few pixels that both scenes show, or no contrast: nothing can be said" };
    default:
      return model satisfies never;
  }
}
