import { inverseTexture, thresholdMultiple, type KThresholds } from "./k-threshold.ts";
import { ringCells, RingSums, type RingWindow } from "./ring-sums.ts";

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
/** Columns at a time: the rows of a ring of 40 pixels then stay in the second-level cache. */
const STRIPE_PX = 2048;

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
  const { ring, thresholds } = options;
  const table = typeof thresholds === "number" ? null : thresholds;
  const least = table === null ? Number(thresholds) : table.least;
  const cells = ringCells(ring);
  const minCells = MIN_RING_SHARE * cells;
  const rows = power.length / columns;
  const hits = new Uint8Array(power.length);
  const values = masked(power, background);
  const withSquares = table !== null || maps !== null;
  for (let left = 0; left < columns; left += STRIPE_PX) {
    const right = Math.min(columns, left + STRIPE_PX);
    const from = Math.max(0, left - ring.outerPx);
    const width = Math.min(columns, right + ring.outerPx) - from;
    const window = new RingSums(values, background, columns, ring, withSquares, { from, width });
    const { sums, squares, counts } = window;
    for (let row = 0; row < rows; row++) {
      window.next();
      const start = row * columns + from;
      if (maps !== null) fillMaps(maps, start, left - from, right - from, window);
      for (let c = left - from; c < right - from; c++) {
        const i = start + c;
        const value = power[i]!;
        const count = counts[c]!;
        // `least` times the mean is the smallest threshold there is.
        if (value * count <= least * sums[c]! || count < minCells) continue;
        if (tested !== null && tested[i] === 0) continue;
        const mean = sums[c]! / count;
        if (!(mean > 0)) continue;
        if (table !== null) {
          const inverse = inverseTexture(mean, squares[c]! / count, table.looks);
          if (value <= mean * thresholdMultiple(table, inverse)) continue;
        }
        const isHidden = count < EDGE_SHARE * cells;
        if (options.greatestOf && !isAboveQuarters(power, background, columns, i, mean, isHidden, options)) continue;
        hits[i] = 1;
      }
    }
  }
  return hits;
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
  start: number,
  left: number,
  right: number,
  { sums, squares, counts }: RingSums,
): void {
  for (let c = left; c < right; c++) {
    const count = counts[c]!;
    if (count < 1) continue;
    const average = sums[c]! / count;
    mean[start + c] = average;
    deviation[start + c] = Math.sqrt(Math.max(0, squares[c]! / count - average * average));
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
