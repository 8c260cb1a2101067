import type { AnalysisBlock } from "../block.ts";
import { BRIGHT_POINT_REACH_PX, brightPoints } from "../radar/bright-points.ts";
import { LEE_REACH_PX } from "../radar/lee-filter.ts";
import { decibels, radarPlanes, type RadarParameters } from "../radar/radar-block.ts";
import { BoxWindows, boxSum } from "../texture/box-sum.ts";
import { countAround } from "../texture/mask-morphology.ts";
import { INVALID } from "../texture/int-plane.ts";
import { DARK_GROUND_REACH_PX, darkGround, type DarkGroundModel } from "../water/dark-ground.ts";
import { NONURBAN, WATER } from "./classes.ts";

/** What land of a radar scene is told apart by. */
export interface RadarFeatures {
  /** Water and nonurban by darkness; 0 where there is no data. */
  readonly cover: Uint8Array;
  /** 1 on land. */
  readonly land: Uint8Array;
  /** Mean excess of bright points over the polarisations and the context, hundredths of a decibel. */
  readonly points: Float32Array;
  /** Mean of decibels over 15 x 15 pixels and the polarisations, hundredths. */
  readonly level: Int16Array;
  /** What a forest is trained with: levels and deviations of decibels, bright points near by, ratio of polarisations. */
  readonly planes: readonly Int16Array[];
}

const LEVEL_RADIUS_PX = 7;
const NEAR_RADIUS_PX = 2;
const POINTS_RADIUS_PX = 5;
/** Settlements are told by what stands within about 150 m. */
const CONTEXT_M = 155;
const LEAST_CONTEXT_PX = 8;
const MOST_CONTEXT_PX = 16;
/** With less land in the context it is a ship, a pier or a rock in the sea, and has no points. */
const LEAST_LAND_SHARE = 0.25;
/** Sums are kept in finer steps than decibels. */
const POINT_STEPS = 10;

/** Pixels around that features look at. */
export const RADAR_FEATURE_REACH_PX = LEE_REACH_PX + DARK_GROUND_REACH_PX + BRIGHT_POINT_REACH_PX + MOST_CONTEXT_PX;

function contextRadiusPx(gsdM: number): number {
  return Math.max(LEAST_CONTEXT_PX, Math.min(MOST_CONTEXT_PX, Math.round(CONTEXT_M / gsdM)));
}

function coverOf(block: AnalysisBlock, parameters: RadarParameters, model: DarkGroundModel): Uint8Array {
  const planes = radarPlanes(block, parameters);
  const water = darkGround(planes, model, block.rect.columns);
  return water.map((isWater, i) => {
    if (planes.valid[i] === 0) return 0;
    return isWater === 1 ? WATER : NONURBAN;
  });
}

/** What pixels of a block are classified by; water and what is no data are told apart by `model` first. */
export function radarFeatures(
  block: AnalysisBlock,
  parameters: RadarParameters,
  model: DarkGroundModel,
): RadarFeatures {
  const { columns, rows } = block.rect;
  const cover = coverOf(block, parameters, model);
  const land = cover.map((value) => (value === NONURBAN ? 1 : 0));
  const powers = block.scenes[0]!.slice(0, parameters.hasCross ? 2 : 1);
  const raw = powers.map((power, i) => {
    const plane = decibels(power, parameters.powerScales[i] ?? 1);
    for (let at = 0; at < land.length; at++) if (land[at] === 0) plane[at] = INVALID;
    return plane;
  });
  const excess = raw.map((plane) => brightPoints(plane, land, columns));
  const windows = new BoxWindows(land, columns, rows);
  const levels = raw.map((plane) => windows.mean(plane, LEVEL_RADIUS_PX));
  const near = raw.map((plane) => windows.mean(plane, NEAR_RADIUS_PX));
  const deviations = raw.map((plane) => windows.deviation(plane, LEVEL_RADIUS_PX));
  const pointsNear = excess.map((plane) => meanPoints(plane, windows.counts(POINTS_RADIUS_PX), land, columns));
  const level = new Int16Array(land.length);
  const ratio = new Int16Array(land.length);
  for (let i = 0; i < land.length; i++) {
    const [first, second] = [levels[0]![i]!, levels[1]?.[i]];
    level[i] = second === undefined ? first : Math.floor((first + second) / 2);
    ratio[i] = second === undefined || land[i] === 0 ? 0 : first - second;
  }
  const planes = [...levels, ...near, ...deviations, ...pointsNear, ...(raw.length > 1 ? [ratio] : [])];
  return {
    cover,
    land,
    points: contextPoints(excess, land, cover.map(Math.sign), columns, parameters.gsdM),
    level,
    planes,
  };
}

function meanPoints(excess: Int16Array, counts: Uint16Array, land: Uint8Array, columns: number): Int16Array {
  const sums = boxSum(new Float64Array(excess), columns, land.length / columns, POINTS_RADIUS_PX);
  const means = new Int16Array(land.length).fill(INVALID);
  for (let i = 0; i < means.length; i++) {
    if (land[i] === 1) means[i] = Math.min(32_767, Math.floor((POINT_STEPS * sums[i]!) / counts[i]!));
  }
  return means;
}

function contextPoints(
  excess: readonly Int16Array[],
  land: Uint8Array,
  valid: Uint8Array,
  columns: number,
  gsdM: number,
): Float32Array {
  const rows = land.length / columns;
  const radius = contextRadiusPx(gsdM);
  const all = new Float64Array(land.length);
  for (const plane of excess) for (let i = 0; i < all.length; i++) all[i]! += plane[i]!;
  const sums = boxSum(all, columns, rows, radius);
  const counts = countAround(land, columns, rows, radius);
  const judged = countAround(valid, columns, rows, radius);
  const points = new Float32Array(land.length);
  for (let i = 0; i < points.length; i++) {
    if (land[i] === 1 && counts[i]! >= LEAST_LAND_SHARE * judged[i]!)
      points[i] = sums[i]! / (excess.length * counts[i]!);
  }
  return points;
}
