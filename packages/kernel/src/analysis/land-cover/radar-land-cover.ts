import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult, Parameters } from "../block.ts";
import { LEE_REACH_PX } from "../radar/lee-filter.ts";
import {
  learnThreshold,
  radarParameters,
  radarPlanes,
  surveyedPlanes,
  type LearntThreshold,
  type RadarPlanes,
} from "../radar/radar-block.ts";
import { BoxWindows } from "../texture/box-sum.ts";
import { NONURBAN, URBAN, WATER } from "./classes.ts";
import { withoutSpecks } from "./regularise.ts";

interface RadarLandCoverModel {
  readonly water: LearntThreshold;
  readonly crossWater: LearntThreshold | null;
  /** Local deviation that rough, built ground exceeds, hundredths of a decibel. */
  readonly roughCopol: number;
  readonly roughCross: number;
}

const WATER_LIMITS_DB = [-22, -13] as const;
/** Without two groups there is little water, and dry fields reach -16 dB: calm water is darker than these. */
const WATER_DB = -18;
const CROSS_WATER_LIMITS_DB = [-30, -18] as const;
const CROSS_WATER_DB = -24;
/** Corners of walls and ground send back more than anything that grows; together with the cross polarisation. */
const BRIGHT_COPOL = -500;
const BRIGHT_CROSS = -1300;
/** Texture is taken over 9 x 9 pixels, and built-up means over as many of them that are bright or rough. */
const TEXTURE_RADIUS_PX = 4;
const URBAN_SHARE = 0.5;
/** Deviation of what is left of speckle and fields after the filter, at least; and the share of the scene below. */
const LEAST_ROUGH = 220;
const ROUGH_PERCENTILE = 0.9;
/** Rough and dark is a shore or a shadow. */
const LEAST_URBAN_COPOL = -1000;
const SMALLEST_PX = 8;

export const RADAR_LAND_COVER_MARGIN_PX = LEE_REACH_PX + 2 * TEXTURE_RADIUS_PX + SMALLEST_PX + 1;

function deviation(plane: Int16Array, valid: Uint8Array, columns: number): Int16Array {
  return new BoxWindows(valid, columns, valid.length / columns).deviation(plane, TEXTURE_RADIUS_PX);
}

function roughness(
  surveyed: readonly { readonly planes: RadarPlanes; readonly columns: number }[],
  pick: (planes: RadarPlanes) => Int16Array | null,
): number {
  const deviations: number[] = [];
  for (const { planes, columns } of surveyed) {
    const plane = pick(planes);
    if (plane === null) continue;
    const local = deviation(plane, planes.valid, columns);
    for (let i = 0; i < local.length; i += 7) if (planes.valid[i] === 1) deviations.push(local[i]!);
  }
  const sorted = Int32Array.from(deviations).toSorted();
  return Math.max(LEAST_ROUGH, sorted[Math.floor(ROUGH_PERCENTILE * sorted.length)] ?? 0);
}

function survey(surveyed: AnalysisSurvey, given: Parameters): RadarLandCoverModel {
  const parameters = radarParameters(given);
  const blocks = surveyed.windows.length === 0 ? [surveyed.overview] : surveyed.windows;
  const windows = surveyedPlanes(surveyed, parameters).map((planes, i) => ({
    planes,
    columns: blocks[i]!.rect.columns,
  }));
  return {
    water: learnThreshold(
      windows.map(({ planes }) => planes.copol),
      WATER_LIMITS_DB,
      WATER_DB,
    ),
    crossWater: parameters.hasCross
      ? learnThreshold(
          windows.flatMap(({ planes }) => (planes.cross === null ? [] : [planes.cross])),
          CROSS_WATER_LIMITS_DB,
          CROSS_WATER_DB,
        )
      : null,
    roughCopol: roughness(windows, ({ copol }) => copol),
    roughCross: roughness(windows, ({ cross }) => cross),
  };
}

function compute(block: AnalysisBlock, model: RadarLandCoverModel, given: Parameters): BlockResult {
  const { columns, rows } = block.rect;
  const { copol, cross, valid } = radarPlanes(block, radarParameters(given));
  const roughCopol = deviation(copol, valid, columns);
  const roughCross = cross === null ? null : deviation(cross, valid, columns);
  const waterLimit = 100 * model.water.db;
  const crossLimit = model.crossWater === null ? 0 : 100 * model.crossWater.db;
  const labels = new Uint8Array(valid.length);
  const built = new Uint8Array(valid.length);
  for (let i = 0; i < labels.length; i++) {
    if (valid[i] === 0) continue;
    const dark = copol[i]! < waterLimit && (cross === null || cross[i]! < crossLimit);
    labels[i] = dark ? WATER : NONURBAN;
    if (dark) continue;
    const bright = copol[i]! > BRIGHT_COPOL && (cross === null || cross[i]! > BRIGHT_CROSS);
    const rough =
      copol[i]! > LEAST_URBAN_COPOL &&
      roughCopol[i]! > model.roughCopol &&
      (roughCross === null || roughCross[i]! > model.roughCross);
    built[i] = bright || rough ? 1 : 0;
  }
  const windows = new BoxWindows(valid, columns, rows);
  const counts = windows.counts(TEXTURE_RADIUS_PX);
  const around = new BoxWindows(built, columns, rows).counts(TEXTURE_RADIUS_PX);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === NONURBAN && around[i]! >= URBAN_SHARE * counts[i]!) labels[i] = URBAN;
  }
  return { layers: [withoutSpecks(labels, columns, SMALLEST_PX)], objects: [] };
}

function describe(model: RadarLandCoverModel): Readonly<Record<string, unknown>> {
  return {
    waterThreshold: model.water,
    crossWaterThreshold: model.crossWater,
    roughnessDb: { copol: model.roughCopol / 100, cross: model.roughCross / 100 },
    roads: "not available",
  };
}

/** Water, urban and nonurban of one radar scene; roads are a class without pixels. */
export const radarLandCover: BlockAlgorithm<RadarLandCoverModel> = { survey, compute, describe };
