import type { AnalysisBlock, AnalysisSurvey, BlockResult, FoundObject } from "../../../analysis/block.ts";
import { kThresholds, type KThresholds } from "../../../analysis/cfar/k-threshold.ts";
import { ringCells } from "../../../analysis/cfar/ring-sums.ts";
import { equivalentLooks } from "../../../analysis/clutter/equivalent-looks.ts";
import { brightTargets, type BrightTarget } from "./bright-targets.ts";
import { clusters } from "../shape/cluster.ts";
import { measureShip } from "../shape/measure.ts";
import { detectChannel, GAP_M, radarRing } from "./radar-channel.ts";
import { hasShipShape, radarShip } from "./radar-object.ts";
import { inQuayGroups } from "./quay-groups.ts";
import { plainSea, seaOfBlock } from "./radar-sea.ts";
import { iceOf, iceRatio, iceShare } from "./sea-ice.ts";
import { learnSeaLevel, type SeaLevel } from "../sea/sea-level.ts";
import { BACKGROUND, SHIP } from "../ship-classes.ts";

/** Parameters of a search for ships in radar images, recorded with the result. */
export interface RadarShipParameters {
  readonly mode: "radar";
  readonly pixelM: number;
  /** Width of the image of a point, metres. */
  readonly resolutionM: number;
  readonly falseAlarmRate: number;
  /** Equivalent number of looks where the product states it, else null: then the scene is asked. */
  readonly looks: number | null;
}

/** Model of the whole scene. Plain data. */
export interface RadarShipModel {
  readonly sea: SeaLevel;
  readonly landShows: boolean;
  readonly looks: number;
  readonly thresholds: KThresholds;
  readonly bright: readonly BrightTarget[];
  /** Least ratio of quantiles of ice clutter. */
  readonly iceRatio: number;
  /** Share of the sea whose clutter is as spiky as that of ice, 0 to 1. */
  readonly iceShare: number;
}

/** Least contrast of land over the sea, dB, for the scene to distinguish them. */
const LAND_CONTRAST_DB = 4;
/** Doubtful pixels stand out of the clutter by this many standard deviations. */
const GROW_SIGMAS = 3;
const GROW_M = 300;
/** Side lobes of Sentinel-1 begin 21 dB under the peak. */
const LEAST_OF_PEAK = 0.01;
/** Three pixels of 10 m. */
const MIN_AREA_M2 = 300;
export const RADAR_SHIP_MIN_PIXELS = 3;

const decibels = (power: number): number => (power > 0 ? 10 * Math.log10(power) : Number.NaN);

export function surveyRadar(survey: AnalysisSurvey, parameters: RadarShipParameters): RadarShipModel {
  const { pixelM, falseAlarmRate } = parameters;
  const overviewM = survey.overview.ground.metresPerPixelY;
  const stepPx = Math.max(1, Math.round(overviewM / (survey.windows[0]?.ground.metresPerPixelY ?? pixelM)));
  const sea = learnSeaLevel(survey, stepPx, Math.ceil(600 / overviewM), decibels);
  const first = middleOf(sea.medians[0]!);
  const landShows = !(sea.land[0]! - first < LAND_CONTRAST_DB);
  const windows = survey.windows.map((block) => ({
    power: block.scenes[0]![0]!,
    use: plainSea(block, sea, seaOfBlock(block, sea, landShows, parameters).sea),
    columns: block.rect.columns,
  }));
  const looks = Math.min(100, Math.max(0.8, parameters.looks ?? equivalentLooks(windows) ?? 1));
  const limit = iceRatio(looks);
  return {
    sea,
    landShows,
    looks,
    thresholds: kThresholds(falseAlarmRate, looks, ringCells(radarRing(pixelM))),
    bright: brightTargets(survey.overview, stepPx),
    iceRatio: limit,
    iceShare: iceShare(
      // By coastlines alone: spiky ice that stands out of its own level must not pass for land.
      survey.windows.map((block) => ({
        power: block.scenes[0]![0]!,
        sea: seaOfBlock(block, sea, false, parameters).sea,
        rect: block.rect,
      })),
      limit,
    ),
  };
}

function middleOf(values: Float32Array): number {
  const sorted = values.filter((v) => v === v).toSorted();
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)]!;
}

export function computeRadar(
  block: AnalysisBlock,
  model: RadarShipModel,
  parameters: RadarShipParameters,
): BlockResult {
  const { rect, ground } = block;
  const { columns, rows } = rect;
  const { pixelM, resolutionM } = parameters;
  const planes = block.scenes[0]!;
  const mask = seaOfBlock(block, model.sea, model.landShows, parameters);
  const channels = planes.map((power) => detectChannel(power, mask.sea, columns, model.thresholds, pixelM));
  const ice = iceOf({ power: planes[0]!, sea: mask.sea, rect }, model.iceRatio, model.iceShare);
  const classes = new Uint8Array(columns * rows);
  const certain = new Uint8Array(columns * rows);
  const doubtful = new Uint8Array(columns * rows);
  const strength = new Float32Array(columns * rows);
  for (const [p, { hits, maps }] of channels.entries()) {
    const power = planes[p]!;
    for (let i = 0; i < classes.length; i++) {
      if (power[i]! >= 0) classes[i] = BACKGROUND;
      if (mask.sea[i] === 0 || ice[i] !== 0 || maps.mean[i] === 0) continue;
      if (hits[i] !== 0) certain[i] = 1;
      const excess = power[i]! - maps.mean[i]!;
      if (excess > GROW_SIGMAS * maps.deviation[i]!) doubtful[i] = 1;
      strength[i] = Math.max(strength[i]!, excess / maps.mean[i]!);
    }
  }
  const objects: FoundObject[] = [];
  const options = {
    gapPx: Math.min(4, Math.max(1, Math.round(GAP_M / pixelM))),
    reachPx: Math.max(2, Math.round(GROW_M / pixelM)),
    leastOfPeak: LEAST_OF_PEAK,
  };
  const leastPixels = Math.max(RADAR_SHIP_MIN_PIXELS, Math.round(MIN_AREA_M2 / pixelM ** 2));
  const found = clusters(certain, doubtful, strength, columns, options).filter(
    ({ members }) => members.length >= leastPixels,
  );
  const inGroup = inQuayGroups(found, strength, mask.nearShore, columns, pixelM);
  for (const [index, cluster] of found.entries()) {
    if (inGroup[index] === true) continue;
    const shape = measureShip(cluster.members, strength, columns, ground, resolutionM);
    if (!hasShipShape(shape, pixelM)) continue;
    const object = radarShip(block, cluster, shape, channels, mask, model.thresholds);
    // Detections beside a brighter pixel that is none are crests of rough clutter or of land.
    if (object.confidence <= 0) continue;
    for (const i of cluster.members) classes[i] = SHIP;
    objects.push(object);
  }
  return { layers: [classes], objects };
}
