import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../block.ts";
import { withoutSpecks } from "../land-cover/regularise.ts";
import { LEE_REACH_PX } from "../radar/lee-filter.ts";
import {
  learnThreshold,
  type RadarParameters,
  radarPlanes,
  surveyedPlanes,
  type LearntThreshold,
} from "../radar/radar-block.ts";
import { LAND_CLASS, WATER_CLASS } from "./optical-water.ts";

interface RadarWaterModel {
  readonly copol: LearntThreshold;
  /** Null without a cross-polarised band. */
  readonly cross: LearntThreshold | null;
}

const COPOL_LIMITS_DB = [-24, -12] as const;
/** Without two groups there is little water, and dry fields reach -16 dB. */
const COPOL_DB = -18;
const CROSS_LIMITS_DB = [-30, -18] as const;
const CROSS_DB = -24;
/** Half a hectare, as far as blocks can see. */
const SMALLEST_M2 = 5000;
export const RADAR_WATER_LEAST_PX = 4;
const MOST_PX = 50;

export const RADAR_WATER_MARGIN_PX = MOST_PX + LEE_REACH_PX + 1;

function survey(surveyed: AnalysisSurvey, parameters: RadarParameters): RadarWaterModel {
  const planes = surveyedPlanes(surveyed, parameters);
  return {
    copol: learnThreshold(
      planes.map(({ copol }) => copol),
      COPOL_LIMITS_DB,
      COPOL_DB,
    ),
    cross: parameters.hasCross
      ? learnThreshold(
          planes.flatMap(({ cross }) => (cross === null ? [] : [cross])),
          CROSS_LIMITS_DB,
          CROSS_DB,
        )
      : null,
  };
}

function compute(block: AnalysisBlock, model: RadarWaterModel, parameters: RadarParameters): BlockResult {
  const { copol, cross, valid } = radarPlanes(block, parameters);
  const copolLimit = 100 * model.copol.db;
  const crossLimit = model.cross === null ? 0 : 100 * model.cross.db;
  const labels = new Uint8Array(valid.length);
  for (let i = 0; i < labels.length; i++) {
    if (valid[i] === 0) continue;
    const dark = copol[i]! < copolLimit && (cross === null || cross[i]! < crossLimit);
    labels[i] = dark ? WATER_CLASS : LAND_CLASS;
  }
  const least = Math.max(RADAR_WATER_LEAST_PX, Math.min(MOST_PX, Math.round(SMALLEST_M2 / parameters.gsdM ** 2)));
  return { layers: [withoutSpecks(labels, block.rect.columns, least)], objects: [] };
}

function describe({ copol, cross }: RadarWaterModel): Readonly<Record<string, unknown>> {
  return { copolThreshold: copol, crossThreshold: cross };
}

/** Smooth open water of one radar scene. */
export const radarWater = { survey, compute, describe } satisfies BlockAlgorithm<RadarParameters, RadarWaterModel>;
