import { inverseTexture, thresholdMultiple, type KThresholds } from "./k-threshold.ts";
import { ringCells, RingSums, type RingWindow } from "./ring-sums.ts";

/** How bright pixels are told from the clutter around them. */
export interface CfarOptions {
  readonly ring: RingWindow;
  /** Thresholds of K-distributed clutter, or one multiple of the mean for all pixels (cell averaging). */
  readonly thresholds: KThresholds | number;
  /**
   * Whether pixels near an edge of the clutter are held against the brightest of the four quarters of their ring
   * (greatest-of), too.
   */
  readonly greatestOf: boolean;
}

/** Clutter as it was estimated around each pixel; 0 where it was not. */
export interface ClutterMaps {
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
}

/** A ring of which less is valid says too little. */
const MIN_RING_SHARE = 0.1;
const MIN_QUARTER_SHARE = 0.3;
/** The brightest quarter is that much brighter than the ring, or that much of the ring is hidden, near an edge. */
const EDGE_CONTRAST = 1.5;
const EDGE_SHARE = 0.7;
/** Columns at a time: the integral image of the rows of a ring of 40 pixels then stays in the second-level cache. */
const STRIPE_PX = 1024;
/** Side of the blocks whose pixels are held against one bound of their thresholds; smaller for narrow rings. */
const MAX_BLOCK_PX = 4;
/** Share that the bound is lowered by, far more than its sums are rounded. */
const BOUND_SLACK = 1e-6;

/**
 * Constant-false-alarm-rate detection: marks pixels brighter than their surroundings allow.
 *
 * @param power linear power; must be finite, and is best 0, where `tested` or `background` is 0
 * @param tested 1 where pixels are tested; null for all
 * @param background 1 where pixels count as clutter; null for all
 * @param maps filled when given
 * @returns 1 at detections
 */
export function detectBright(
  power: Float32Array,
  tested: Uint8Array | null,
  background: Uint8Array | null,
  columns: number,
  options: CfarOptions,
  maps: ClutterMaps | null = null,
): Uint8Array {
  const { ring } = options;
  const rows = power.length / columns;
  const hits = new Uint8Array(power.length);
  const values = masked(power, background);
  const withSquares = typeof options.thresholds !== "number" || maps !== null;
  const blockPx = blockSide(ring);
  for (let left = 0; left < columns; left += STRIPE_PX) {
    const right = Math.min(columns, left + STRIPE_PX);
    const from = Math.max(0, left - ring.outerPx);
    const width = Math.min(columns, right + ring.outerPx) - from;
    const sums = new RingSums(values, background, columns, ring, withSquares, blockPx, { from, width });
    const scene: Scene = { power, tested, background, columns, options, sums, from };
    const bounds = new Float64Array(Math.ceil((right - left) / blockPx));
    for (let top = 0; top < rows; top += blockPx) {
      const bottom = Math.min(rows, top + blockPx);
      sums.reach(bottom);
      fillBounds(bounds, scene, top, left, blockPx);
      for (let row = top; row < bottom; row++) {
        if (maps !== null) fillMaps(maps, scene, row, left, right);
        detectInRow(hits, scene, row, left, right, bounds, blockPx);
      }
    }
  }
  return hits;
}

/** What a pixel is held against. */
interface Scene {
  readonly power: Float32Array;
  readonly tested: Uint8Array | null;
  readonly background: Uint8Array | null;
  readonly columns: number;
  readonly options: CfarOptions;
  readonly sums: RingSums;
  /** First column of the stripe that the sums are of. */
  readonly from: number;
}

/** The windows of a block's pixels must have most of a ring in common. */
function blockSide({ guardPx, outerPx }: RingWindow): number {
  let side = MAX_BLOCK_PX;
  while (side > 1 && 2 * (side - 1) > outerPx - guardPx) side /= 2;
  return side;
}

function leastMultiple({ thresholds }: CfarOptions): number {
  return typeof thresholds === "number" ? thresholds : thresholds.least;
}

/**
 * Power that no pixel of a block can be a detection below: the smallest multiple there is, of the smallest mean that
 * their rings can have. All but a few in a thousand pixels of clutter are below.
 */
function fillBounds(bounds: Float64Array, { options, sums, from }: Scene, top: number, left: number, size: number) {
  const perSum = ((1 - BOUND_SLACK) * leastMultiple(options)) / ringCells(options.ring);
  for (let block = 0; block < bounds.length; block++) {
    bounds[block] = perSum * sums.leastSum(top, left + block * size - from, size);
  }
}

function detectInRow(
  hits: Uint8Array,
  scene: Scene,
  row: number,
  left: number,
  right: number,
  bounds: Float64Array,
  size: number,
): void {
  const { power, columns } = scene;
  const end = row * columns + right;
  for (let block = 0, i = row * columns + left; i < end; block++) {
    const bound = bounds[block]!;
    const stop = Math.min(end, i + size);
    for (; i < stop; i++) if (power[i]! > bound && isDetection(scene, row, i - row * columns)) hits[i] = 1;
  }
}

function isDetection(
  { power, tested, background, columns, options, sums, from }: Scene,
  row: number,
  column: number,
): boolean {
  const { ring, thresholds } = options;
  const i = row * columns + column;
  if (tested !== null && tested[i] === 0) return false;
  const value = power[i]!;
  const cells = ringCells(ring);
  sums.measure(row, column - from);
  const { sum, count } = sums;
  // The smallest multiple first: hardly any pixel has to look its own up.
  if (value * count <= leastMultiple(options) * sum || count < MIN_RING_SHARE * cells) return false;
  const mean = sum / count;
  if (!(mean > 0)) return false;
  if (typeof thresholds !== "number") {
    const inverse = inverseTexture(mean, sums.squaresAt(row, column - from) / count, thresholds.looks);
    if (value <= mean * thresholdMultiple(thresholds, inverse)) return false;
  }
  if (!options.greatestOf) return true;
  return isAboveQuarters(power, background, columns, i, mean, count < EDGE_SHARE * cells, options);
}

/** The pixels with 0 where they do not count; the sums rely on it. */
function masked(power: Float32Array, background: Uint8Array | null): Float32Array {
  if (background === null) return power;
  const values = new Float32Array(power.length);
  for (let i = 0; i < values.length; i++) if (background[i] !== 0) values[i] = power[i]!;
  return values;
}

function fillMaps(
  { mean, deviation }: ClutterMaps,
  { columns, sums, from }: Scene,
  row: number,
  left: number,
  right: number,
): void {
  for (let column = left; column < right; column++) {
    sums.measure(row, column - from);
    if (sums.count < 1) continue;
    const average = sums.sum / sums.count;
    const meanSquare = sums.squaresAt(row, column - from) / sums.count;
    mean[row * columns + column] = average;
    deviation[row * columns + column] = Math.sqrt(Math.max(0, meanSquare - average * average));
  }
}

/** Whether a pixel is above the threshold of the brightest quarter of its ring, where the ring lies on an edge. */
function isAboveQuarters(
  power: Float32Array,
  background: Uint8Array | null,
  columns: number,
  position: number,
  ringMean: number,
  isHidden: boolean,
  { ring, thresholds }: CfarOptions,
): boolean {
  const { guardPx, outerPx } = ring;
  const rows = power.length / columns;
  const row = Math.floor(position / columns);
  const column = position - row * columns;
  let [brightest, itsSquares] = [0, 0];
  for (let quarter = 0; quarter < 4; quarter++) {
    const down = quarter < 2 ? -1 : 1;
    const right = quarter % 2 === 0 ? -1 : 1;
    let [count, sum, squares, possible] = [0, 0, 0, 0];
    for (let dy = 1; dy <= outerPx; dy++) {
      const y = row + dy * down;
      const from = dy > guardPx ? 1 : guardPx + 1;
      possible += outerPx - from + 1;
      if (y < 0 || y >= rows) continue;
      for (let dx = from; dx <= outerPx; dx++) {
        const x = column + dx * right;
        if (x < 0 || x >= columns) break;
        const i = y * columns + x;
        if (background !== null && background[i] === 0) continue;
        const value = power[i]!;
        count++;
        sum += value;
        squares += value * value;
      }
    }
    if (count >= MIN_QUARTER_SHARE * possible && sum / count > brightest) {
      brightest = sum / count;
      itsSquares = squares / count;
    }
  }
  if (brightest === 0 || (!isHidden && brightest <= EDGE_CONTRAST * ringMean)) return true;
  const multiple =
    typeof thresholds === "number"
      ? thresholds
      : thresholdMultiple(thresholds, inverseTexture(brightest, itsSquares, thresholds.looks));
  return power[position]! > multiple * brightest;
}
