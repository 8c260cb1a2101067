import type { AnalysisBlock, AnalysisSurvey, BlockResult, FoundObject } from "../block.ts";
import { detectBright, type ClutterMaps } from "../cfar/detect.ts";
import { inverseTexture, kThresholds, thresholdMultiple, type KThresholds } from "../cfar/k-threshold.ts";
import { ringCells, type RingWindow } from "../cfar/ring-sums.ts";
import { equivalentLooks } from "../clutter/equivalent-looks.ts";
import { pixelsRectangle } from "../../raster/min-area-rectangle.ts";
import { brightTargets, type BrightTarget } from "./bright-targets.ts";
import { clusters, type Cluster } from "./cluster.ts";
import { measureShip, type ShipShape } from "./measure.ts";
import { iceOf, iceRatio, iceShare } from "./sea-ice.ts";
import { learnSeaLevel, seaLevelRow, type SeaLevel } from "./sea-level.ts";
import { seaMask, type SeaMask } from "./sea-mask.ts";
import { BACKGROUND, SHIP } from "./ship-classes.ts";
import { dilated } from "./window-share.ts";

/** What a search for ships in radar images is told; recorded with the result. */
export interface RadarShipParameters {
  readonly mode: "radar";
  readonly pixelM: number;
  /** Width of the image of a point, metres. */
  readonly resolutionM: number;
  readonly falseAlarmRate: number;
  /** Equivalent number of looks where the product states it, else null: then the scene is asked. */
  readonly looks: number | null;
}

/** What is learnt of the whole scene. Plain data. */
export interface RadarShipModel {
  readonly sea: SeaLevel;
  readonly landShows: boolean;
  readonly looks: number;
  readonly thresholds: KThresholds;
  readonly bright: readonly BrightTarget[];
  /** Ratio of quantiles from which on clutter is that of ice. */
  readonly iceRatio: number;
  /** Share of the sea whose clutter is as spiky as that of ice, 0 to 1. */
  readonly iceShare: number;
}

/** Longest ships are 400 m; a guard of 250 m keeps the whole of one out of its own background. */
const GUARD_M = 250;
const OUTER_M = 400;
/** Coarse pixels need a ring of some width for its statistics. */
const MIN_RING_PX = 15;
const MAX_GUARD_PX = 36;
const MAX_OUTER_PX = 56;
/** Sea within this of land is left out, Sentinel-1 and finer. */
const SHORE_M = 100;
const FINE_SHORE_M = 30;
const FINE_PIXEL_M = 6;
/** Pixels brighter than the sea by this, dB, do not look like sea: 1 in some hundred of speckle of four looks does. */
const UNLIKE_SEA_DB = 5;
/** Land must be brighter than the sea by this, dB, for the scene to tell them apart. */
const LAND_CONTRAST_DB = 4;
/** Doubtful pixels stand out of the clutter by this many standard deviations. */
const GROW_SIGMAS = 3;
const GROW_M = 300;
const GAP_M = 20;
/** Side lobes of Sentinel-1 begin 21 dB under the peak. */
const LEAST_OF_PEAK = 0.01;
/** Three pixels of 10 m. */
const MIN_AREA_M2 = 300;
export const RADAR_SHIP_MIN_PIXELS = 3;
/**
 * The longest ship is 400 m, the widest 66 m; what measures more is a wall, an island or a pier. At a hundredth of the
 * peak a ship spreads over another pixel or two on each side.
 */
const MAX_LENGTH_M = 420;
const MAX_WIDTH_M = 70;
const SPREAD_PX = 2.5;
const ROUND_FROM_M = 60;
const MIN_ELONGATION = 1.2;
/** Brighter than the sea by this, dB, is no sea and does not count for the number of looks. */
const NO_SEA_DB = 8;
const MAX_CONFIDENCE = 0.99;

export function radarRing(pixelM: number): RingWindow {
  const guardPx = Math.min(MAX_GUARD_PX, Math.ceil(GUARD_M / pixelM));
  const outerPx = Math.min(MAX_OUTER_PX, Math.max(Math.ceil(OUTER_M / pixelM), guardPx + MIN_RING_PX));
  return { guardPx, outerPx };
}

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

function seaOfBlock(
  { rect, scenes, land }: AnalysisBlock,
  level: SeaLevel,
  landShows: boolean,
  { pixelM }: RadarShipParameters,
): SeaMask {
  const { columns, rows } = rect;
  const valid = new Uint8Array(columns * rows).fill(1);
  const unlike = new Uint8Array(columns * rows);
  const usual = new Float32Array(columns);
  for (const [p, plane] of scenes[0]!.entries()) {
    for (let row = 0; row < rows; row++) {
      seaLevelRow(level, p, rect.column, rect.row + row, usual);
      for (let c = 0; c < columns; c++) {
        const i = row * columns + c;
        const power = plane[i]!;
        if (!(power >= 0)) valid[i] = 0;
        else if (landShows && power > 10 ** ((usual[c]! + UNLIKE_SEA_DB) / 10)) unlike[i] = 1;
      }
    }
  }
  const shoreM = pixelM <= FINE_PIXEL_M ? FINE_SHORE_M : SHORE_M;
  return seaMask(valid, unlike, land, columns, rows, { pixelM, shoreM, landShows });
}

/** Sea without what stands out of it. */
function plainSea({ rect, scenes }: AnalysisBlock, level: SeaLevel, sea: Uint8Array): Uint8Array {
  const usual = new Float32Array(rect.columns);
  const plain = new Uint8Array(sea.length);
  const power = scenes[0]![0]!;
  for (let row = 0; row < rect.rows; row++) {
    seaLevelRow(level, 0, rect.column, rect.row + row, usual);
    for (let c = 0; c < rect.columns; c++) {
      const i = row * rect.columns + c;
      plain[i] = sea[i] !== 0 && !(power[i]! > 10 ** ((usual[c]! + NO_SEA_DB) / 10)) ? 1 : 0;
    }
  }
  return plain;
}

interface Channel {
  readonly hits: Uint8Array;
  readonly maps: ClutterMaps;
}

/** Two passes: what the first finds is no clutter for the second. */
function detectChannel(
  power: Float32Array,
  sea: Uint8Array,
  columns: number,
  thresholds: KThresholds,
  pixelM: number,
): Channel {
  const ring = radarRing(pixelM);
  const maps = { mean: new Float32Array(power.length), deviation: new Float32Array(power.length) };
  const rough = detectBright(power, sea, sea, columns, { ring, thresholds, greatestOf: false });
  const bright = dilated(rough, columns, power.length / columns, Math.max(1, Math.round(GAP_M / pixelM)));
  const background = new Uint8Array(sea.length);
  for (let i = 0; i < sea.length; i++) background[i] = sea[i] !== 0 && bright[i] === 0 ? 1 : 0;
  const options = { ring, thresholds, greatestOf: true };
  return { hits: detectBright(power, sea, background, columns, options, maps), maps };
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
  for (const cluster of clusters(certain, doubtful, strength, columns, options)) {
    if (cluster.members.length < Math.max(RADAR_SHIP_MIN_PIXELS, Math.round(MIN_AREA_M2 / pixelM ** 2))) continue;
    const shape = measureShip(cluster.members, strength, columns, ground, resolutionM);
    if (!hasShipShape(shape, pixelM)) continue;
    const object = shipObject(block, cluster, shape, channels, mask, model);
    // A hit beside a brighter pixel that is none is the crest of rough clutter.
    if (object.confidence <= 0) continue;
    for (const i of cluster.members) classes[i] = SHIP;
    objects.push(object);
  }
  return { layers: [classes], objects };
}

function hasShipShape({ lengthM, widthM }: ShipShape, pixelM: number): boolean {
  const spreadM = SPREAD_PX * pixelM;
  if (lengthM > MAX_LENGTH_M + spreadM || widthM > MAX_WIDTH_M + spreadM) return false;
  return widthM < ROUND_FROM_M + spreadM || lengthM > MIN_ELONGATION * widthM;
}

function shipObject(
  { rect, scenes, ground }: AnalysisBlock,
  { members, peak }: Cluster,
  shape: ShipShape,
  channels: readonly Channel[],
  mask: SeaMask,
  { thresholds }: RadarShipModel,
): FoundObject {
  const rectangle = pixelsRectangle(members, rect.columns);
  let [significance, confidence, strongest] = [0, 0, 0];
  for (const [p, { maps }] of channels.entries()) {
    const mean = maps.mean[peak]!;
    const deviation = maps.deviation[peak]!;
    if (!(mean > 0 && deviation > 0)) continue;
    const power = scenes[0]![p]![peak]!;
    const squares = deviation ** 2 + mean ** 2;
    const threshold = mean * thresholdMultiple(thresholds, inverseTexture(mean, squares, thresholds.looks));
    significance = Math.max(significance, (power - mean) / deviation);
    confidence = Math.max(confidence, 1 - Math.exp(-Math.max(0, power - threshold) / (3 * deviation)));
    strongest = Math.max(strongest, power);
  }
  const nearShore = mask.nearShore[peak] !== 0;
  // The strongest channel stands for the ship.
  const energies = scenes[0]!.map((power) => members.reduce((sum, i) => sum + Math.max(power[i]!, 0), 0));
  const energy = Math.max(...energies) * ground.metresPerPixelX * ground.metresPerPixelY;
  return {
    className: "ships",
    centre: [rect.column + shape.centre[0], rect.row + shape.centre[1]],
    corners: rectangle.corners.map(([x, y]) => [rect.column + x, rect.row + y]),
    areaM2: shape.areaM2,
    count: 1,
    confidence: Math.min(MAX_CONFIDENCE, confidence) * (nearShore ? 0.5 : 1),
    properties: {
      lengthM: round(shape.lengthM),
      widthM: round(shape.widthM),
      headingDeg: round(shape.headingDeg),
      significance: round(significance),
      peakDb: round(10 * Math.log10(strongest)),
      crossSectionDbm2: round(10 * Math.log10(Math.max(energy, 1e-9))),
      nearShore: nearShore ? "yes" : "no",
      source: "rule",
    },
  };
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
