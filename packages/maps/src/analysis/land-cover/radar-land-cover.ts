import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../block.ts";
import { predictPlanes } from "../forest/predict-plane.ts";
import type { RadarParameters } from "../radar/radar-block.ts";
import { boxSum } from "../texture/box-sum.ts";
import { countAround } from "../texture/mask-morphology.ts";
import { describeDarkGround, learnDarkGround, type DarkGroundModel } from "../water/dark-ground.ts";
import { URBAN } from "./classes.ts";
import { RADAR_FEATURE_REACH_PX, radarFeatures } from "./radar-features.ts";
import { withoutSpecks } from "./regularise.ts";
import { trainSettlements, type TrainedSettlements } from "./train-radar-land-cover.ts";

interface RadarLandCoverModel extends TrainedSettlements {
  readonly water: DarkGroundModel;
}

/** Votes are averaged over about 210 m. */
const AVERAGED_M = 105;
const LEAST_AVERAGED_PX = 3;
const MOST_AVERAGED_PX = 10;
/** Land with fewer bright points than that below the limit is no settlement, whatever the forest says. */
const TOLERANCE = 3;
export const RADAR_LAND_COVER_SMALLEST_PX = 8;

/** Pixels around the core whose votes are needed. */
const VOTE_REACH_PX = MOST_AVERAGED_PX + RADAR_LAND_COVER_SMALLEST_PX + 1;

/** Blocks must know this many pixels around what they answer for. */
export const RADAR_LAND_COVER_MARGIN_PX = RADAR_FEATURE_REACH_PX + VOTE_REACH_PX;

function survey(surveyed: AnalysisSurvey, parameters: RadarParameters): RadarLandCoverModel {
  const water = learnDarkGround(surveyed, parameters);
  return { water, ...trainSettlements(surveyed, parameters, water) };
}

function compute(block: AnalysisBlock, model: RadarLandCoverModel, parameters: RadarParameters): BlockResult {
  const { columns, rows } = block.rect;
  const { cover: labels, land, points, planes } = radarFeatures(block, parameters, model.water);
  const share = urbanShares(block, model, land, planes);
  if (share !== null) {
    const radius = Math.max(LEAST_AVERAGED_PX, Math.min(MOST_AVERAGED_PX, Math.round(AVERAGED_M / parameters.gsdM)));
    const votes = boxSum(new Float64Array(share), columns, rows, radius);
    const counts = countAround(land, columns, rows, radius);
    const least = model.pointsLimit - TOLERANCE;
    for (let i = 0; i < labels.length; i++) {
      if (land[i] === 1 && points[i]! > least && 2 * votes[i]! > WHOLE * counts[i]!) labels[i] = URBAN;
    }
  }
  return { layers: [withoutSpecks(labels, columns, RADAR_LAND_COVER_SMALLEST_PX)], objects: [] };
}

/** A forest's votes are counted in 255ths. */
const WHOLE = 255;

/** The share of votes for settlements, in 255ths; null when there are none. */
function urbanShares(
  { rect, core }: AnalysisBlock,
  { forest, seeds }: RadarLandCoverModel,
  land: Uint8Array,
  planes: readonly Int16Array[],
): Uint8Array | null {
  if (forest === null) return seeds.urban > seeds.nonurban ? land.map((value) => WHOLE * value) : null;
  const wanted = new Uint8Array(land.length);
  for (let row = 0; row < rect.rows; row++) {
    const y = rect.row + row;
    if (y < core.row - VOTE_REACH_PX || y >= core.row + core.rows + VOTE_REACH_PX) continue;
    const from = Math.max(0, core.column - VOTE_REACH_PX - rect.column);
    const to = Math.min(rect.columns, core.column + core.columns + VOTE_REACH_PX - rect.column);
    const start = row * rect.columns;
    for (let column = from; column < to; column++) wanted[start + column] = land[start + column]!;
  }
  return predictPlanes(forest, planes, wanted, rect.columns)[1]!;
}

function describe(model: RadarLandCoverModel): Readonly<Record<string, unknown>> {
  return {
    water: describeDarkGround(model.water),
    brightPoints: {
      limit: Number(model.pointsLimit.toFixed(2)),
      emptyLand: Number(model.pointsOfEmptyLand.toFixed(2)),
    },
    seeds: model.seeds,
    trees: model.forest === null ? 0 : model.forest.roots.length,
    outOfBagError: model.forest === null ? null : Number(model.forest.outOfBagError.toFixed(4)),
    roads: "not available",
  };
}

/** Water, urban and nonurban of one radar scene; roads are a class without pixels. */
export const radarLandCover: BlockAlgorithm<RadarParameters, RadarLandCoverModel> = { survey, compute, describe };
