import { lazy } from "@swath/kernel/lazy";
import type { AnalysisBlock, BlockAlgorithm, BlockResult, FoundObject } from "../../analysis/block.ts";
import type { FineColourParameters } from "../../planning/fine-colour-plan.ts";
import { boxMean } from "../../analysis/shape/box-mean.ts";
import { fillBox } from "../../analysis/shape/fill-box.ts";
import { distinctAircraft, type AircraftHit } from "./aircraft-in-rows.ts";
import { AIRCRAFT_VALUE, BACKGROUND_VALUE } from "./aircraft-classes.ts";
import { aircraftInFlight, type FlightParameters } from "./aircraft-in-flight.ts";
import {
  aircraftTemplates,
  correlation,
  mirrorSymmetry,
  patchAt,
  TEMPLATE_EXTENT,
  TEMPLATE_SIDE,
  type AircraftTemplate,
} from "./aircraft-template.ts";

interface StandingParameters extends FineColourParameters {
  readonly mode?: never;
}

export type AircraftParameters = StandingParameters | FlightParameters;

/** Lengths that are looked for, metres: business jets to the largest airliners, in steps of a quarter. */
const LENGTHS_M = [16, 20, 25, 31, 39, 48, 60, 75] as const;
/** An aircraft of fewer pixels than this has no wings. */
export const AIRCRAFT_MIN_LENGTH_PX = 7;
const COARSE_DIRECTIONS = 24;
const FINE_DIRECTIONS = 72;
const BLUR_SAMPLES = 0.9;
/** Least correlations of a candidate and of an aircraft. */
const MIN_FIRST = 0.48;
const MIN_COARSE = 0.6;
const MIN_SCORE = 0.72;
/** Small outlines are like more other things: huts, pylons, crossings. */
const SMALL_M = 28;
const MIN_SMALL_SCORE = 0.78;
const MIN_SYMMETRY = 0.55;
/** The darkest of the four arms stands out over the brightest of the four gaps by this share of the range. */
const MIN_ARMS = 0.2;
/** Optics fill the gaps of aircraft of fewer pixels. */
const SHARP_PX = 14;
const MIN_BLURRED_ARMS = 0.12;
/** Standard deviation around it in parts of the mean: lines and paths in grass are fainter than white paint. */
const MIN_CONTRAST = 0.08;
/** Aircraft stand on paved ground: largest surrounding vegetation index, with near infrared. */
const MAX_NDVI_AROUND = 0.3;
/** A blob is brighter than its surroundings by this share of them. */
const MIN_BRIGHTER = 0.1;
/** A hit beside an aircraft of its like may score so much less, be less symmetric, and stand out half as much. */
const DOUBTFUL_SCORE = 0.1;
const DOUBTFUL_SYMMETRY = 0.15;
const DOUBTFUL_ARMS = 0.5;
/** The method has no better evidence than this: see domain knowledge on classical detectors. */
const MAX_CONFIDENCE = 0.6;
/** Of a score at the limit. */
const LEAST_CONFIDENCE = 0.25;

const coarse = lazy(() => aircraftTemplates(COARSE_DIRECTIONS, BLUR_SAMPLES));
const fine = lazy(() => aircraftTemplates(FINE_DIRECTIONS, BLUR_SAMPLES));

/**
 * On the ground, unless `parameters.mode` is "flight": bright cross-shaped things of the size of aircraft: blobs of several sizes, correlated with outlines of aircraft in all
 * directions, and kept when they are symmetric and their four arms stand out from the four gaps between.
 */
export const detectAircraft: BlockAlgorithm<AircraftParameters> = {
  compute(block, _model, parameters) {
    return parameters.mode === "flight" ? aircraftInFlight(block, parameters) : detect(block, parameters);
  },
};

function detect(block: AnalysisBlock, { hasNir }: StandingParameters): BlockResult {
  const { columns, rows } = block.rect;
  const { metresPerPixelX, metresPerPixelY } = block.ground;
  const [blue, green, red, nir] = block.scenes[0]!;
  if (blue === undefined || green === undefined || red === undefined) throw new RangeError("aircraft need three bands");
  // White paint is bright in every band; soil, roofs and lawns are dark in one.
  const white = new Float32Array(columns * rows);
  for (let i = 0; i < white.length; i++) white[i] = Math.min(blue[i]!, green[i]!, red[i]!);
  const metres = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const hits: AircraftHit[] = [];
  for (const lengthM of LENGTHS_M) {
    if (lengthM / metres < AIRCRAFT_MIN_LENGTH_PX) continue;
    hits.push(...hitsOfLength(white, hasNir && nir !== undefined ? { red, nir } : null, block, lengthM));
  }
  const layer = new Uint8Array(columns * rows);
  for (let i = 0; i < layer.length; i++) layer[i] = Number.isNaN(white[i]!) ? 0 : BACKGROUND_VALUE;
  const objects = distinctAircraft(hits, metresPerPixelX, metresPerPixelY).map((hit) => {
    const found = objectOf(hit, block);
    fillBox(
      layer,
      columns,
      rows,
      found.corners.map(([x, y]) => [x - block.rect.column, y - block.rect.row] as const),
      AIRCRAFT_VALUE,
    );
    return found;
  });
  for (let i = 0; i < layer.length; i++) if (Number.isNaN(white[i]!)) layer[i] = 0;
  return { layers: [layer], objects };
}

function hitsOfLength(
  white: Float32Array,
  growth: { readonly red: Float32Array; readonly nir: Float32Array } | null,
  block: AnalysisBlock,
  lengthM: number,
): readonly AircraftHit[] {
  const { columns, rows } = block.rect;
  const { metresPerPixelX, metresPerPixelY } = block.ground;
  const lengthPx = lengthM / Math.sqrt(metresPerPixelX * metresPerPixelY);
  const inner = boxMean(white, columns, rows, Math.max(1, Math.round(lengthPx * 0.14)));
  const around = Math.max(2, Math.round(lengthPx * 0.6));
  const outer = boxMean(white, columns, rows, around);
  const red = growth === null ? null : boxMean(growth.red, columns, rows, around);
  const nir = growth === null ? null : boxMean(growth.nir, columns, rows, around);
  const extentX = (TEMPLATE_EXTENT * lengthM) / metresPerPixelX;
  const extentY = (TEMPLATE_EXTENT * lengthM) / metresPerPixelY;
  const reach = Math.max(1, Math.round(lengthPx / 10));
  const patch = new Float32Array(TEMPLATE_SIDE ** 2);
  const hits: AircraftHit[] = [];
  for (let row = 2; row < rows - 2; row++) {
    for (let column = 2; column < columns - 2; column++) {
      const at = row * columns + column;
      const blob = inner[at]! - outer[at]!;
      if (!(blob > MIN_BRIGHTER * outer[at]!)) continue;
      if (red !== null && nir !== null && nir[at]! - red[at]! > MAX_NDVI_AROUND * (nir[at]! + red[at]!)) continue;
      if (!isPeak(inner, columns, rows, column, row, reach)) continue;
      const hit = bestAround(white, block, column, row, lengthM, [extentX, extentY], patch);
      if (hit !== null) hits.push(hit);
    }
  }
  return hits;
}

function isPeak(
  plane: Float32Array,
  columns: number,
  rows: number,
  column: number,
  row: number,
  reach: number,
): boolean {
  const own = plane[row * columns + column]!;
  for (let y = Math.max(0, row - reach); y <= Math.min(rows - 1, row + reach); y++) {
    for (let x = Math.max(0, column - reach); x <= Math.min(columns - 1, column + reach); x++) {
      const other = plane[y * columns + x]!;
      if (other > own || (other === own && (y < row || (y === row && x < column)))) return false;
    }
  }
  return true;
}

/** The best direction and place near a blob, coarsely at first; null when nothing there is like an aircraft. */
function bestAround(
  white: Float32Array,
  block: AnalysisBlock,
  column: number,
  row: number,
  lengthM: number,
  [extentX, extentY]: readonly [number, number],
  patch: Float32Array,
): AircraftHit | null {
  const { columns, rows } = block.rect;
  if (!(patchAt(white, columns, rows, column, row, extentX, extentY, patch) > MIN_CONTRAST)) return null;
  let firstScore = MIN_FIRST;
  let first: AircraftTemplate | null = null;
  for (const candidate of coarse()) {
    const value = correlation(patch, candidate);
    if (value > firstScore) [firstScore, first] = [value, candidate];
  }
  if (first === null) return null;
  const { angleRad: axis } = first;
  // A nose may be taken for a tail at first, a body seldom for a wing.
  const likely = coarse().filter(({ angleRad }) => Math.abs(Math.sin(angleRad - axis)) < 0.55);
  let score = MIN_COARSE;
  let template: AircraftTemplate | null = null;
  let [x, y] = [column, row];
  const step = Math.max(0.7, extentX * 0.06);
  // The brightest point of an aircraft is where wings and body meet, which is not its middle.
  for (let k = 0; k < 9; k++) {
    const tryX = column + ((k % 3) - 1) * step;
    const tryY = row + (Math.floor(k / 3) - 1) * step;
    if (patchAt(white, columns, rows, tryX, tryY, extentX, extentY, patch) === 0) continue;
    for (const candidate of likely) {
      const value = correlation(patch, candidate);
      if (value > score) [score, template, x, y] = [value, candidate, tryX, tryY];
    }
  }
  if (template === null) return null;
  for (let round = 0; round < 2; round++) {
    const [fromX, fromY] = [x, y];
    const around: AircraftTemplate = template;
    for (let k = 0; k < 9; k++) {
      const tryX = fromX + (((k % 3) - 1) * step) / (2 * round + 2);
      const tryY = fromY + ((Math.floor(k / 3) - 1) * step) / (2 * round + 2);
      if (patchAt(white, columns, rows, tryX, tryY, extentX, extentY, patch) === 0) continue;
      for (const candidate of fine()) {
        if (Math.abs(turn(candidate.angleRad - around.angleRad)) > 0.27) continue;
        const value = correlation(patch, candidate);
        if (value > score) [score, template, x, y] = [value, candidate, tryX, tryY];
      }
    }
  }
  const minScore = lengthM < SMALL_M ? MIN_SMALL_SCORE : MIN_SCORE;
  if (score < minScore - DOUBTFUL_SCORE) return null;
  const contrast = patchAt(white, columns, rows, x, y, extentX, extentY, patch);
  if (!(contrast > MIN_CONTRAST)) return null;
  const symmetry = mirrorSymmetry(patch, template.angleRad);
  const isSharp = extentX >= TEMPLATE_EXTENT * SHARP_PX;
  const arms = armsOverGaps(patch, template.angleRad) / (isSharp ? MIN_ARMS : MIN_BLURRED_ARMS);
  if (symmetry < MIN_SYMMETRY - DOUBTFUL_SYMMETRY || arms < DOUBTFUL_ARMS) return null;
  const isSure = score >= minScore && symmetry >= MIN_SYMMETRY && arms >= 1;
  return { column: x + 0.5, row: y + 0.5, lengthM, angleRad: template.angleRad, score, contrast, isSure };
}

function turn(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

/** Points in lengths, forward and right: on the four arms, and in the gaps between. */
const ARMS = [
  [
    [0.3, 0],
    [0.38, 0],
  ],
  [
    [-0.3, 0],
    [-0.38, 0],
  ],
  [
    [0.0, 0.22],
    [-0.04, 0.3],
  ],
  [
    [0.0, -0.22],
    [-0.04, -0.3],
  ],
] as const;
const GAPS = [
  [
    [0.24, 0.18],
    [0.2, 0.28],
  ],
  [
    [0.24, -0.18],
    [0.2, -0.28],
  ],
  [
    [-0.26, 0.16],
    [-0.28, 0.28],
  ],
  [
    [-0.26, -0.16],
    [-0.28, -0.28],
  ],
] as const;

/** Least arm less the brightest gap, in parts of the patch's range. */
function armsOverGaps(patch: Float32Array, angleRad: number): number {
  const middle = (TEMPLATE_SIDE - 1) / 2;
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const sample = ([forward, right]: readonly [number, number]): number => {
    const scale = (TEMPLATE_SIDE - 1) / TEMPLATE_EXTENT;
    const x = Math.round(middle + (forward * cos - right * sin) * scale);
    const y = Math.round(middle + (forward * sin + right * cos) * scale);
    return patch[y * TEMPLATE_SIDE + x]!;
  };
  const mean = (points: readonly (readonly [number, number])[]): number =>
    points.reduce((sum, point) => sum + sample(point), 0) / points.length;
  const arms = Math.min(...ARMS.map(mean));
  const gaps = Math.max(...GAPS.map(mean));
  let [low, high] = [Infinity, -Infinity];
  for (const value of patch) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return (arms - gaps) / (high - low);
}

/** Wing span in lengths. */
const SPAN = 0.94;
/** Share of the rectangle that the outline covers. */
const COVER = 0.3;

function objectOf({ column, row, lengthM, angleRad, score, contrast }: AircraftHit, block: AnalysisBlock): FoundObject {
  const { rect, ground } = block;
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const corner = (ahead: number, right: number): readonly [number, number] => [
    rect.column + column + ((cos * ahead - sin * right * SPAN) * lengthM) / ground.metresPerPixelX,
    rect.row + row + ((sin * ahead + cos * right * SPAN) * lengthM) / ground.metresPerPixelY,
  ];
  return {
    className: "aircraft",
    centre: [rect.column + column, rect.row + row],
    corners: [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)],
    areaM2: COVER * SPAN * lengthM ** 2,
    count: 1,
    confidence: Math.min(MAX_CONFIDENCE, LEAST_CONFIDENCE + (score - MIN_SCORE) * 1.2),
    properties: {
      lengthM,
      widthM: Number((SPAN * lengthM).toFixed(1)),
      headingDeg: Number(((((angleRad * 180) / Math.PI + 90 + ground.northDeg) % 360) + 360).toFixed(1)) % 360,
      significance: Number(score.toFixed(3)),
      contrast: Number(contrast.toFixed(3)),
    },
  };
}
