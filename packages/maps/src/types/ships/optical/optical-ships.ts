import type { AnalysisBlock, AnalysisSurvey, BlockResult, FoundObject } from "../../../analysis/block.ts";
import { surfaceOf } from "./above-water.ts";
import { isAttached } from "./attached.ts";
import { clusters, type Cluster } from "../shape/cluster.ts";
import { hullAround } from "./hull.ts";
import { localAnomaly, type Anomaly } from "./local-anomaly.ts";
import type { ShipShape } from "../shape/measure.ts";
import { excessOf, hasShipShape, isOfClass, isWhitecap, opticalShip } from "./optical-object.ts";
import { parallaxSpeed, type ParallaxSpeed } from "./parallax-speed.ts";
import { round } from "../shape/rounded-figure.ts";
import { learnSeaLevel, seaLevelRow, type SeaLevel } from "../sea/sea-level.ts";
import { seaMask, type SeaMask } from "../sea/sea-mask.ts";
import { BACKGROUND, SHIP } from "../ship-classes.ts";
import { dilated } from "../../../analysis/texture/mask-morphology.ts";

/** Parameters of a search for ships in optical images, recorded with the result. */
export interface OpticalShipParameters {
  readonly mode: "optical";
  readonly pixelM: number;
  /** Roles of the planes, such as `["B", "G", "R", "N"]`. */
  readonly roles: readonly string[];
  /** Whether the planes are reflectance, so that indices of water mean what they should. */
  readonly isReflectance: boolean;
  /** Class of the objects. */
  readonly className: string;
  /** Lengths that belong to the class, metres: from, and up to but not including. */
  readonly lengthM: readonly [from: number, below: number | null];
  /** Probability that sea of Gaussian colour is taken for something else, per pixel. */
  readonly falseAlarmRate: number;
  /** When green and red look after blue, seconds, where that is known and pixels are fine enough; else absent. */
  readonly parallaxS?: readonly [green: number, red: number];
}

/** Model of the whole scene. Plain data. */
export interface OpticalShipModel {
  readonly sea: SeaLevel;
}

/** Root mean square deviation from the sea's colour over the bands, in spreads of the sea, that sea does not reach. */
const UNLIKE_SEA = 8;
/** Water in reflectance: McFeeters' index above 0 or next to no near infrared. */
const DARK_NIR = 0.12;
const SHORE_M = 30;
const COARSE_SHORE_M = 60;
const COARSE_PIXEL_M = 6;
const LEAST_REFLECTANCE_NOISE = 5e-4;
/** Whole digital numbers, of pictures and of raw counts. */
const ROUNDING_VARIANCE = 1 / 12;
const GROW_SHARE = 0.3;
const GROW_M = 450;
const GAP_M = 8;
/** Edges of ships blur, and pictures are compressed in blocks of 8 pixels. */
const KEEP_CLEAR_PX = 4;
const LEAST_OF_PEAK = 0.08;
export const OPTICAL_SHIP_MIN_PIXELS = 4;
/** What is cut lower than a twelfth of its peak must fill more of its rectangle: wakes open, decks do not. */
const HULL_FILL = 0.6;
/** What hardly passes the threshold is foam, or a block of a compressed picture, more often than a ship. */
const MIN_EXCESS = 0.3;

const identity = (value: number): number => value;

export function surveyOptical(survey: AnalysisSurvey, { pixelM }: OpticalShipParameters): OpticalShipModel {
  const overviewM = survey.overview.ground.metresPerPixelY;
  const stepPx = Math.max(1, Math.round(overviewM / (survey.windows[0]?.ground.metresPerPixelY ?? pixelM)));
  return { sea: learnSeaLevel(survey, stepPx, Math.ceil(600 / overviewM), identity) };
}

function seaOfBlock(block: AnalysisBlock, level: SeaLevel, parameters: OpticalShipParameters): SeaMask {
  const { columns, rows } = block.rect;
  const planes = block.scenes[0]!;
  const distance = new Float32Array(columns * rows);
  const valid = new Uint8Array(columns * rows).fill(1);
  const usual = new Float32Array(columns);
  for (const [p, plane] of planes.entries()) {
    const spread = Math.max(level.spreads[p]!, 1e-9);
    for (let row = 0; row < rows; row++) {
      seaLevelRow(level, p, block.rect.column, block.rect.row + row, usual);
      for (let c = 0; c < columns; c++) {
        const i = row * columns + c;
        if (!Number.isFinite(plane[i]!)) valid[i] = 0;
        else distance[i]! += ((plane[i]! - usual[c]!) / spread) ** 2;
      }
    }
  }
  const unlike = new Uint8Array(columns * rows);
  const limit = planes.length * UNLIKE_SEA ** 2;
  for (let i = 0; i < unlike.length; i++) unlike[i] = valid[i] !== 0 && distance[i]! > limit ? 1 : 0;
  markDryLand(planes, parameters, unlike);
  const shoreM = parameters.pixelM <= COARSE_PIXEL_M ? SHORE_M : COARSE_SHORE_M;
  return seaMask(valid, unlike, block.land, columns, rows, { pixelM: parameters.pixelM, shoreM, landShows: true });
}

function markDryLand(planes: readonly Float32Array[], parameters: OpticalShipParameters, unlike: Uint8Array): void {
  const green = planes[parameters.roles.indexOf("G")];
  const infrared = planes[parameters.roles.indexOf("N")];
  if (!parameters.isReflectance || green === undefined || infrared === undefined) return;
  for (let i = 0; i < unlike.length; i++) {
    if (infrared[i]! > green[i]! && infrared[i]! > DARK_NIR) unlike[i] = 1;
  }
}

export function computeOptical(
  block: AnalysisBlock,
  model: OpticalShipModel,
  parameters: OpticalShipParameters,
): BlockResult {
  const { rect, ground } = block;
  const { columns, rows } = rect;
  const planes = block.scenes[0]!;
  const { pixelM } = parameters;
  const mask = seaOfBlock(block, model.sea, parameters);
  const classes = new Uint8Array(columns * rows);
  for (let i = 0; i < classes.length; i++) {
    if (planes.every((plane) => Number.isFinite(plane[i]!))) classes[i] = BACKGROUND;
  }
  const { score, threshold } = anomalyInTwoPasses(block, mask.sea, parameters);
  const certain = new Uint8Array(classes.length);
  const doubtful = new Uint8Array(classes.length);
  for (let i = 0; i < classes.length; i++) {
    if (mask.sea[i] === 0 || !(threshold[i]! > 0)) continue;
    if (score[i]! > threshold[i]!) certain[i] = 1;
    if (score[i]! > GROW_SHARE * threshold[i]!) doubtful[i] = 1;
  }
  const open = new Uint8Array(classes.length);
  for (let i = 0; i < open.length; i++) open[i] = mask.sea[i] !== 0 && doubtful[i] === 0 ? 1 : 0;
  const objects: FoundObject[] = [];
  const options = {
    gapPx: Math.min(3, Math.max(1, Math.round(GAP_M / pixelM))),
    reachPx: Math.max(2, Math.round(GROW_M / pixelM)),
    leastOfPeak: LEAST_OF_PEAK,
  };
  const taken = new Uint8Array(classes.length);
  const search = {
    ...options,
    score,
    doubtful,
    taken,
    columns,
    ground,
    resolutionM: pixelM,
    isShip: (shape: ShipShape): boolean => shape.fill >= HULL_FILL && hasShipShape(shape, pixelM),
  };
  // The brightest first: what a hull holds is no other ship.
  const seeds = clusters(certain, doubtful, score, columns, options).toSorted(
    (x, y) => score[y.peak]! - score[x.peak]! || x.peak - y.peak,
  );
  for (const { peak } of seeds) {
    if (taken[peak] !== 0) continue;
    const { members, withTail, joined, shape } = hullAround(peak, threshold[peak]!, search);
    for (const i of withTail) taken[i] = 1;
    const cluster = { members, peak };
    if (members.length < OPTICAL_SHIP_MIN_PIXELS || excessOf(cluster, score, threshold) < MIN_EXCESS) continue;
    if (
      !isOfClass(shape, parameters.lengthM) ||
      !hasShipShape(shape, pixelM) ||
      isWhitecap(cluster, planes, parameters)
    )
      continue;
    if (isAttached(joined, mask.sea, columns)) continue;
    if (surfaceOf(members, block, open, parameters) !== "above-water") continue;
    for (const i of members) classes[i] = SHIP;
    const object = opticalShip(cluster, shape, score, threshold, mask, block);
    const speed = speedOf(cluster, shape, block, mask, doubtful, parameters);
    const properties =
      speed === null
        ? object.properties
        : { ...object.properties, speedMs: round(speed.speedMs), speedSigmaMs: round(speed.sigmaMs) };
    objects.push({ ...object, className: parameters.className, properties });
  }
  return { layers: [classes], objects };
}

/** Detections of the first pass, and anomalies beside them, are no sea for the second. */
function anomalyInTwoPasses(
  { rect, scenes }: AnalysisBlock,
  sea: Uint8Array,
  parameters: OpticalShipParameters,
): Anomaly {
  const planes = scenes[0]!;
  const options = {
    falseAlarmRate: parameters.falseAlarmRate,
    leastVariance: parameters.isReflectance ? LEAST_REFLECTANCE_NOISE ** 2 : ROUNDING_VARIANCE,
  };
  const rough = localAnomaly(planes, sea, sea, rect, options);
  const odd = new Uint8Array(sea.length);
  for (let i = 0; i < odd.length; i++)
    odd[i] = sea[i] !== 0 && rough.score[i]! > GROW_SHARE * rough.threshold[i]! ? 1 : 0;
  const near = dilated(odd, rect.columns, rect.rows, KEEP_CLEAR_PX);
  const background = new Uint8Array(sea.length);
  for (let i = 0; i < sea.length; i++) background[i] = sea[i] !== 0 && near[i] === 0 ? 1 : 0;
  return localAnomaly(planes, sea, background, rect, options);
}

/** Speed from the times of the bands, where they are known. */
function speedOf(
  { members }: Cluster,
  shape: ShipShape,
  { rect, scenes, ground }: AnalysisBlock,
  { sea }: SeaMask,
  doubtful: Uint8Array,
  { roles, parallaxS }: OpticalShipParameters,
): ParallaxSpeed | null {
  if (parallaxS === undefined) return null;
  const [blue, green, red] = ["B", "G", "R"].map((role) => scenes[0]![roles.indexOf(role)]);
  if (blue === undefined || green === undefined || red === undefined) return null;
  return parallaxSpeed(members, shape, { sea, doubtful }, rect.columns, ground, {
    planes: [blue, green, red],
    seconds: parallaxS,
  });
}
