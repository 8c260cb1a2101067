import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../block.ts";
import { withoutSpecks } from "../land-cover/regularise.ts";
import { LEE_REACH_PX } from "../radar/lee-filter.ts";
import { type RadarParameters, radarPlanes } from "../radar/radar-block.ts";
import {
  DARK_GROUND_REACH_PX,
  darkGround,
  describeDarkGround,
  learnDarkGround,
  type DarkGroundModel,
} from "./dark-ground.ts";
import { LAND_CLASS, WATER_CLASS } from "./optical-water.ts";

/** Half a hectare, as far as blocks can see. */
const SMALLEST_M2 = 5000;
export const RADAR_WATER_LEAST_PX = 4;
const MOST_PX = 50;

export const RADAR_WATER_MARGIN_PX = MOST_PX + DARK_GROUND_REACH_PX + LEE_REACH_PX + 1;

function survey(surveyed: AnalysisSurvey, parameters: RadarParameters): DarkGroundModel {
  return learnDarkGround(surveyed, parameters);
}

function compute(block: AnalysisBlock, model: DarkGroundModel, parameters: RadarParameters): BlockResult {
  const { columns } = block.rect;
  const planes = radarPlanes(block, parameters);
  const water = darkGround(planes, model, columns);
  const labels = water.map((isWater, i) => {
    if (planes.valid[i] === 0) return 0;
    return isWater === 1 ? WATER_CLASS : LAND_CLASS;
  });
  const least = Math.max(RADAR_WATER_LEAST_PX, Math.min(MOST_PX, Math.round(SMALLEST_M2 / parameters.gsdM ** 2)));
  return { layers: [withoutSpecks(labels, columns, least)], objects: [] };
}

/** Smooth open water of one radar scene. */
export const radarWater = {
  survey,
  compute,
  describe: describeDarkGround,
} satisfies BlockAlgorithm<RadarParameters, DarkGroundModel>;
