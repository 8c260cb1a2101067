import { chiSquareQuantile } from "@swath/kernel/distributions/distributions";
import type { PixelRect } from "../../../analysis/block.ts";
import {
  aroundEach,
  between,
  CELL_PX,
  cellGrid,
  cellMedians,
  cellQuantiles,
  eachCell,
  eachNeighbour,
  type CellGrid,
} from "./cell-grid.ts";
import { choleskyInverse } from "./cholesky-inverse.ts";

export interface AnomalyOptions {
  /** Probability that Gaussian sea exceeds the threshold, per pixel. */
  readonly falseAlarmRate: number;
  /** Variance of every band that is always assumed, such as that of rounding. */
  readonly leastVariance: number;
}

/** Squared Mahalanobis distances to the surrounding sea, and their thresholds; 0 where unknown. */
export interface Anomaly {
  readonly score: Float32Array;
  readonly threshold: Float32Array;
}

/** Cells on each side that make up the surroundings: 144 pixels across, in which no ship fills a quarter. */
const REACH_CELLS = 4;
/** Quantiles of the largest scores of cells that give the tail; ships may fill the quarter above them. */
const LOW_QUANTILE = 0.3;
const HIGH_QUANTILE = 0.75;
/** Cells on each side that these scores are taken of: a long ship touches an eighth of them. */
const TAIL_REACH_CELLS = 6;

/**
 * How unlike the water around it each pixel is. The middle colour is the median of the medians of cells, the covariance
 * the mean over the quieter half of them, so that ships do not hide themselves.
 *
 * @param sea 1 where pixels are scored
 * @param background 1 where pixels count as sea around
 */
export function localAnomaly(
  planes: readonly Float32Array[],
  sea: Uint8Array,
  background: Uint8Array,
  rect: PixelRect,
  { falseAlarmRate, leastVariance }: AnomalyOptions,
): Anomaly {
  const cells = cellGrid(rect);
  const bands = planes.length;
  const own = planes.map((plane) => cellMedians(plane, background, rect, cells));
  const centres = own.map((medians) => aroundEach(medians, cells, REACH_CELLS, 0.5));
  const roots = covarianceRoots(planes, own, background, rect, cells, leastVariance);
  const score = new Float32Array(rect.columns * rect.rows);
  const difference = new Float64Array(bands);
  for (let row = 0; row < rect.rows; row++) {
    const y = (row + rect.row - cells.top) / CELL_PX - 0.5 + 0.5 / CELL_PX;
    for (let column = 0; column < rect.columns; column++) {
      const i = row * rect.columns + column;
      if (sea[i] === 0) continue;
      const x = (column + rect.column - cells.left) / CELL_PX - 0.5 + 0.5 / CELL_PX;
      const cell = cells.of(column, row);
      const root = roots[cell];
      if (root === null || root === undefined) continue;
      for (let b = 0; b < bands; b++) difference[b] = planes[b]![i]! - between(centres[b]!, cells, x, y, cell);
      score[i] = squaredLength(root, difference);
    }
  }
  return { score, threshold: thresholds(score, background, rect, cells, bands, falseAlarmRate) };
}

/** Inverse Cholesky factors of the covariance around each cell, lower triangles row by row. */
function covarianceRoots(
  planes: readonly Float32Array[],
  centres: readonly Float64Array[],
  sea: Uint8Array,
  rect: PixelRect,
  cells: CellGrid,
  leastVariance: number,
): readonly (Float64Array | null)[] {
  const bands = planes.length;
  const size = (bands * (bands + 1)) / 2;
  const count = cells.columns * cells.rows;
  const covariances = new Float64Array(count * size);
  const traces = new Float64Array(count).fill(Number.NaN);
  eachCell(sea, rect, cells, (cell, positions) => {
    let trace = 0;
    for (let a = 0, k = 0; a < bands; a++) {
      for (let b = 0; b <= a; b++, k++) {
        const sum = product(planes[a]!, planes[b]!, centres[a]![cell]!, centres[b]![cell]!, positions);
        covariances[cell * size + k] = sum / positions.length;
        if (a === b) trace += sum / positions.length;
      }
    }
    traces[cell] = trace;
  });
  const limits = aroundEach(traces, cells, REACH_CELLS, 0.5);
  return Array.from({ length: count }, (_, cell) => {
    if (!(limits[cell]! >= 0)) return null;
    const mean = new Float64Array(size);
    let quiet = 0;
    eachNeighbour(cell, cells, REACH_CELLS, (near) => {
      if (!(traces[near]! <= limits[cell]!)) return;
      quiet++;
      for (let k = 0; k < size; k++) mean[k]! += covariances[near * size + k]!;
    });
    for (let a = 0, k = 0; a < bands; a++) {
      for (let b = 0; b <= a; b++, k++) mean[k] = mean[k]! / quiet + (a === b ? leastVariance : 0);
    }
    return choleskyInverse(mean, bands);
  });
}

function product(a: Float32Array, b: Float32Array, centreA: number, centreB: number, positions: Int32Array): number {
  let sum = 0;
  for (let k = 0; k < positions.length; k++) {
    const i = positions[k]!;
    sum += (a[i]! - centreA) * (b[i]! - centreB);
  }
  return sum;
}

function squaredLength(root: Float64Array, difference: Float64Array): number {
  let total = 0;
  for (let a = 0, k = 0; a < difference.length; a++) {
    let sum = 0;
    for (let b = 0; b <= a; b++, k++) sum += root[k]! * difference[b]!;
    total += sum * sum;
  }
  return total;
}

/**
 * Thresholds from the largest distances of the cells around: these follow Gumbel's law, whose two parameters come from two
 * of their quantiles. Ships raise few cells and hardly move either; a sea with foam, swell or the
 * blocks of a compressed picture moves both.
 */
function thresholds(
  score: Float32Array,
  sea: Uint8Array,
  rect: PixelRect,
  cells: CellGrid,
  bands: number,
  falseAlarmRate: number,
): Float32Array {
  const largest = cellQuantiles(score, sea, rect, cells, 1);
  const low = aroundEach(largest, cells, TAIL_REACH_CELLS, LOW_QUANTILE);
  const high = aroundEach(largest, cells, TAIL_REACH_CELLS, HIGH_QUANTILE);
  const least = chiSquareQuantile(falseAlarmRate, bands);
  const wanted = gumbel(1 - falseAlarmRate * CELL_PX ** 2);
  const reach = (wanted - gumbel(LOW_QUANTILE)) / (gumbel(HIGH_QUANTILE) - gumbel(LOW_QUANTILE));
  const limits = low.map((start, cell) => {
    const root = Math.sqrt(start);
    return Math.max(least, (root + reach * (Math.sqrt(high[cell]!) - root)) ** 2);
  });
  const threshold = new Float32Array(score.length);
  for (let row = 0; row < rect.rows; row++) {
    for (let column = 0; column < rect.columns; column++) {
      const limit = limits[cells.of(column, row)]!;
      if (limit === limit) threshold[row * rect.columns + column] = limit;
    }
  }
  return threshold;
}

/** The standard Gumbel variable that is not exceeded with probability p. */
function gumbel(p: number): number {
  return -Math.log(-Math.log(p));
}
