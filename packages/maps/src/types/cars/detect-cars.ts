import type { AnalysisBlock, BlockAlgorithm, BlockResult, FoundObject } from "../../analysis/block.ts";
import type { FineColourParameters } from "../../planning/fine-colour-plan.ts";
import { localMedian } from "../../analysis/shape/local-ground.ts";
import { boxTemplates, circle, raysTo, type BoxTemplate } from "./box-template.ts";
import { carClusters } from "./car-clusters.ts";
import { fillBox } from "../../analysis/shape/fill-box.ts";

/** Values of the class layer. */
export const CAR_VALUE = 1;
export const TRUCK_VALUE = 2;
export const GROUND_VALUE = 3;

/** Radius over which the ground is the median: wider than two rows of stalls, so that ground is the majority. */
const GROUND_RADIUS_M = 12;
const GROUND_STEP_M = 5;
/** A pixel is of interest when its colour differs from the ground by this share of the ground's brightness. */
const MIN_CONTRAST = 0.22;
/** A colour belongs to the car when it is nearer to the middle's than this share of the contrast. */
const SIMILAR = 0.45;
const MAX_NDVI = 0.3;
/** Of excess green, when there is no near infrared. */
const MAX_GREEN_SHARE = 0.4;
const DIRECTIONS = 18;
const CAR = {
  lengthM: 4.5,
  widthM: 1.8,
  minInside: 0.72,
  maxSide: 0.4,
  maxEnd: 0.34,
  minScore: 0.62,
  maxAround: 0.7,
} as const;
const TRUCK = { minInside: 0.86, maxSide: 0.2, maxEnd: 0.34, minScore: 0.76, maxAround: 0.7 } as const;
const TRUCK_WIDTH_M = 2.5;
const TRUCK_SIZES = [
  [7.5, TRUCK_WIDTH_M],
  [9, TRUCK_WIDTH_M],
  [10.5, TRUCK_WIDTH_M],
  [12.5, TRUCK_WIDTH_M],
  [15, TRUCK_WIDTH_M],
] as const;
/** A similar colour over more than half a vehicle and a pixel or two is a strip: a kerb, a path, a line. */
const CAR_RAY_M = 3.4;
const TRUCK_RAY_M = 9;
/** Vehicles stand on bare ground: share of the places around a rectangle where something may grow. */
const MAX_GREEN_AROUND = 0.34;
/**
 * The ground goes on behind a vehicle: colours on opposite sides of it differ by no more than this share of the contrast.
 * A wall has a roof on one side and a garden on the other. Cars stand in rows, and have others at their sides.
 */
const MAX_OPPOSITE = { car: 1.1, truck: 0.7 } as const;
/** Outside the sides by this much, where the quick test looks. */
const AROUND_M = 0.5;
/** Two boxes of which one holds the other's middle within this share of the width are one. */
const SAME_M = 1.5;

/** The largest object with the ground that it is compared to, metres. */
const CARS_REACH_M = 16;

interface Hit {
  readonly at: number;
  readonly template: BoxTemplate;
  readonly score: number;
  readonly contrast: number;
  readonly isTruck: boolean;
}

/**
 * Vehicles as rectangles of one colour that differ from the ground around them and from what lies along each of their
 * sides. Colours are compared relative to their own contrast, so the scale of the pixels does not matter.
 */
export const detectCars: BlockAlgorithm<FineColourParameters> = {
  compute: (block, _model, parameters) => detect(block, parameters),
};

function detect(block: AnalysisBlock, { hasNir }: FineColourParameters): BlockResult {
  const { columns, rows } = block.rect;
  const { metresPerPixelX, metresPerPixelY } = block.ground;
  const [blue, green, red, nir] = block.scenes[0]!;
  if (blue === undefined || green === undefined || red === undefined) throw new RangeError("cars need three bands");
  const metresPerPixel = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const step = Math.max(2, Math.round(GROUND_STEP_M / metresPerPixel));
  const radius = Math.max(4, Math.round(GROUND_RADIUS_M / metresPerPixel));
  const visible = [blue, green, red] as const;
  const ground = visible.map((plane) => localMedian(plane, columns, rows, step, radius, block.rect));
  const grows = growsOf(visible, hasNir ? (nir ?? null) : null);
  const contrast = contrastOf(visible, ground, grows);

  const reach = Math.ceil(CARS_REACH_M / 1.7 / Math.min(metresPerPixelX, metresPerPixelY));
  const cars = boxTemplates(CAR.lengthM, CAR.widthM, DIRECTIONS, columns, metresPerPixelX, metresPerPixelY);
  const trucks = TRUCK_SIZES.flatMap(([lengthM, widthM]) =>
    boxTemplates(lengthM, widthM, DIRECTIONS, columns, metresPerPixelX, metresPerPixelY),
  );
  const aroundCar = circle(CAR.widthM / 2 + AROUND_M, columns, metresPerPixelX, metresPerPixelY);
  const aroundTruck = circle(TRUCK_WIDTH_M / 2 + AROUND_M, columns, metresPerPixelX, metresPerPixelY);
  const carRays = raysTo(CAR_RAY_M, columns, metresPerPixelX, metresPerPixelY);
  const truckRays = raysTo(TRUCK_RAY_M, columns, metresPerPixelX, metresPerPixelY);
  const hits: Hit[] = [];
  for (let row = reach; row < rows - reach; row++) {
    for (let at = row * columns + reach; at < (row + 1) * columns - reach; at++) {
      if (!(contrast[at]! > 0)) continue;
      const truck = bestBox(visible, contrast[at]!, at, trucks, aroundTruck, truckRays, TRUCK);
      if (truck !== null && standsOnGround(visible, grows, truck, true)) hits.push({ ...truck, isTruck: true });
      const car = bestBox(visible, contrast[at]!, at, cars, aroundCar, carRays, CAR);
      if (car !== null && standsOnGround(visible, grows, car, false)) hits.push({ ...car, isTruck: false });
    }
  }
  const layer = new Uint8Array(columns * rows);
  for (let i = 0; i < layer.length; i++) layer[i] = Number.isNaN(contrast[i]!) ? 0 : GROUND_VALUE;
  const objects: FoundObject[] = [];
  for (const hit of suppressed(hits, columns, metresPerPixelX, metresPerPixelY)) {
    const found = objectOf(hit, block);
    fillBox(layer, columns, rows, cornersIn(found, block), hit.isTruck ? TRUCK_VALUE : CAR_VALUE);
    objects.push(found);
  }
  for (const cluster of carClusters(contrast, layer, block, objects)) {
    fillBox(layer, columns, rows, cornersIn(cluster, block), CAR_VALUE);
    objects.push(cluster);
  }
  for (let i = 0; i < layer.length; i++) if (Number.isNaN(contrast[i]!)) layer[i] = 0;
  return { layers: [layer], objects };
}

function cornersIn({ corners }: FoundObject, { rect }: AnalysisBlock): readonly (readonly [number, number])[] {
  return corners.map(([x, y]) => [x - rect.column, y - rect.row] as const);
}

/** 1 where something grows. */
function growsOf(
  [blue, green, red]: readonly [Float32Array, Float32Array, Float32Array],
  nir: Float32Array | null,
): Uint8Array {
  const grows = new Uint8Array(blue.length);
  for (let i = 0; i < grows.length; i++) {
    const [b, g, r] = [blue[i]!, green[i]!, red[i]!];
    const is = nir === null ? g / (b + g + r) > MAX_GREEN_SHARE && g > r : (nir[i]! - r) / (nir[i]! + r) > MAX_NDVI;
    if (is) grows[i] = 1;
  }
  return grows;
}

/** Distance of colours from the ground where it is large and nothing grows; 0 elsewhere, NaN without data. */
function contrastOf(
  [blue, green, red]: readonly [Float32Array, Float32Array, Float32Array],
  [groundBlue, groundGreen, groundRed]: readonly Float32Array[],
  grows: Uint8Array,
): Float32Array {
  const contrast = new Float32Array(blue.length);
  for (let i = 0; i < contrast.length; i++) {
    const db = blue[i]! - groundBlue![i]!;
    const dg = green[i]! - groundGreen![i]!;
    const dr = red[i]! - groundRed![i]!;
    const distance = Math.sqrt(db * db + dg * dg + dr * dr);
    if (distance !== distance) {
      contrast[i] = Number.NaN;
      continue;
    }
    const brightness = Math.sqrt(groundBlue![i]! ** 2 + groundGreen![i]! ** 2 + groundRed![i]! ** 2);
    if (distance >= MIN_CONTRAST * brightness && grows[i] === 0) contrast[i] = distance;
  }
  return contrast;
}

interface Bar {
  readonly minInside: number;
  readonly maxSide: number;
  readonly maxEnd: number;
  readonly minScore: number;
  /** Share of a circle as wide as the sides that may be similar: a long rectangle crosses it at two places. */
  readonly maxAround: number;
}

function bestBox(
  planes: readonly [Float32Array, Float32Array, Float32Array],
  contrast: number,
  at: number,
  templates: readonly BoxTemplate[],
  around: Int32Array,
  rays: readonly Int32Array[],
  bar: Bar,
): Pick<Hit, "at" | "template" | "score" | "contrast"> | null {
  const limit = (SIMILAR * contrast) ** 2;
  if (similarShare(planes, at, around, limit, 0, bar.maxAround) > bar.maxAround) return null;
  for (const ray of rays) if (similarShare(planes, at, ray, limit, 1, 1) === 1) return null;
  let best: BoxTemplate | null = null;
  let bestScore = bar.minScore;
  for (const template of templates) {
    const wanted = Math.max(bar.minInside, bestScore);
    const inside = similarShare(planes, at, template.inside, limit, wanted, 1);
    if (inside < wanted) continue;
    const [left, right, front, back] = template.sides;
    const l = similarShare(planes, at, left, limit, 0, bar.maxSide);
    if (l > bar.maxSide) continue;
    const r = similarShare(planes, at, right, limit, 0, bar.maxSide);
    if (r > bar.maxSide) continue;
    const f = similarShare(planes, at, front, limit, 0, bar.maxEnd);
    const b = similarShare(planes, at, back, limit, 0, bar.maxEnd);
    if (f > bar.maxEnd || b > bar.maxEnd) continue;
    const score = inside - 0.3 * (l + r) - 0.2 * (f + b);
    if (score > bestScore) {
      bestScore = score;
      best = template;
    }
  }
  return best === null ? null : { at, template: best, score: bestScore, contrast };
}

/** Whether what lies around a rectangle is bare, and the same on opposite sides. */
function standsOnGround(
  planes: readonly [Float32Array, Float32Array, Float32Array],
  grows: Uint8Array,
  { at, template, contrast }: Pick<Hit, "at" | "template" | "contrast">,
  isTruck: boolean,
): boolean {
  let [green, places] = [0, 0];
  for (const side of template.sides) {
    for (const offset of side) green += grows[at + offset]!;
    places += side.length;
  }
  if (green > MAX_GREEN_AROUND * places) return false;
  const [left, right, front, back] = template.sides;
  const limit = (isTruck ? MAX_OPPOSITE.truck : MAX_OPPOSITE.car) * contrast;
  return apart(planes, at, left, right) <= limit && apart(planes, at, front, back) <= limit;
}

/** Distance between the mean colours at two sets of places. */
function apart(
  planes: readonly [Float32Array, Float32Array, Float32Array],
  at: number,
  first: Int32Array,
  second: Int32Array,
): number {
  let square = 0;
  for (const plane of planes) {
    let difference = 0;
    for (const offset of first) difference += plane[at + offset]! / first.length;
    for (const offset of second) difference -= plane[at + offset]! / second.length;
    square += difference * difference;
  }
  return Math.sqrt(square);
}

/**
 * Share of places whose colour is similar to that of the middle, as long as it may lie between two limits: outside of them
 * some share on the same side of both.
 */
function similarShare(
  [blue, green, red]: readonly [Float32Array, Float32Array, Float32Array],
  at: number,
  offsets: Int32Array,
  limit: number,
  least: number,
  most: number,
): number {
  const b = blue[at]!;
  const g = green[at]!;
  const r = red[at]!;
  const count = offsets.length;
  const mostOthers = (1 - least) * count + 1e-9;
  const mostSimilar = most * count + 1e-9;
  let similar = 0;
  for (let k = 0; k < count; k++) {
    const i = at + offsets[k]!;
    const db = blue[i]! - b;
    const dg = green[i]! - g;
    const dr = red[i]! - r;
    if (db * db + dg * dg + dr * dr < limit) {
      similar++;
      if (similar > mostSimilar) return 1;
    } else if (k + 1 - similar > mostOthers) return 0;
  }
  return similar / count;
}

/** The best of hits that are too near for two vehicles, each moved to the middle of the hits that say the same. */
function suppressed(
  hits: readonly Hit[],
  columns: number,
  metresPerPixelX: number,
  metresPerPixelY: number,
): readonly (Hit & { readonly column: number; readonly row: number })[] {
  const ordered = hits.toSorted((a, b) => b.score - a.score || b.contrast - a.contrast || a.at - b.at);
  const cellPx = Math.max(1, Math.ceil(CARS_REACH_M / 2 / Math.min(metresPerPixelX, metresPerPixelY)));
  const cells = new Map<number, { readonly hit: Hit; sumX: number; sumY: number; sum: number }[]>();
  const kept: { readonly hit: Hit; sumX: number; sumY: number; sum: number }[] = [];
  for (const hit of ordered) {
    const column = hit.at % columns;
    const row = Math.floor(hit.at / columns);
    const cell = Math.floor(row / cellPx) * 65_536 + Math.floor(column / cellPx);
    let taken = false;
    for (const key of [0, -1, 1, -65_536, 65_536, -65_537, -65_535, 65_535, 65_537]) {
      for (const other of cells.get(cell + key) ?? []) {
        const dx = (column - (other.hit.at % columns)) * metresPerPixelX;
        const dy = (row - Math.floor(other.hit.at / columns)) * metresPerPixelY;
        if (!overlap(hit.template, other.hit.template, dx, dy)) continue;
        taken = true;
        const isSame = hit.template === other.hit.template && hit.score > other.hit.score - 0.1;
        if (isSame && Math.hypot(dx, dy) < 1) {
          other.sumX += column;
          other.sumY += row;
          other.sum++;
        }
      }
    }
    if (taken) continue;
    const own = { hit, sumX: column, sumY: row, sum: 1 };
    kept.push(own);
    const list = cells.get(cell);
    if (list === undefined) cells.set(cell, [own]);
    else list.push(own);
  }
  return kept.map(({ hit, sumX, sumY, sum }) => ({ ...hit, column: sumX / sum + 0.5, row: sumY / sum + 0.5 }));
}

/** Whether the middle of one rectangle lies well inside the other, drawn in by what parked neighbours are apart. */
function overlap(a: BoxTemplate, b: BoxTemplate, dx: number, dy: number): boolean {
  return within(a, dx, dy) || within(b, dx, dy);
}

function within({ angleRad, lengthM, widthM }: BoxTemplate, dx: number, dy: number): boolean {
  const along = Math.abs(dx * Math.cos(angleRad) + dy * Math.sin(angleRad));
  const across = Math.abs(-dx * Math.sin(angleRad) + dy * Math.cos(angleRad));
  return along < lengthM * 0.8 && across < Math.max(SAME_M, widthM * 0.85);
}

function objectOf(hit: Hit & { readonly column: number; readonly row: number }, block: AnalysisBlock): FoundObject {
  const { rect, ground } = block;
  const { template, isTruck, score } = hit;
  const { angleRad, lengthM, widthM } = template;
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const corner = (ahead: number, right: number): readonly [number, number] => [
    rect.column + hit.column + (cos * ahead * lengthM - sin * right * widthM) / ground.metresPerPixelX,
    rect.row + hit.row + (sin * ahead * lengthM + cos * right * widthM) / ground.metresPerPixelY,
  ];
  return {
    className: isTruck ? "trucks" : "cars",
    centre: [rect.column + hit.column, rect.row + hit.row],
    corners: [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)],
    areaM2: lengthM * widthM,
    count: 1,
    confidence: Math.min(isTruck ? 0.6 : 0.8, 0.3 + 0.6 * Math.max(0, score - 0.5)),
    properties: {
      lengthM,
      widthM,
      headingDeg: Number(((((angleRad * 180) / Math.PI + 90 + ground.northDeg) % 180) + 180).toFixed(1)) % 180,
    },
  };
}
