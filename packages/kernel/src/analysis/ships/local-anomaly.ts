import { chiSquareQuantile } from "../../mathematics/distributions.ts";
import type { PixelRect } from "../block.ts";
import { choleskyInverse } from "./cholesky-inverse.ts";
import { nthSmallest } from "./nth-smallest.ts";

export interface AnomalyOptions {
  /** Probability that Gaussian sea exceeds the threshold, per pixel. */
  readonly falseAlarmRate: number;
  /** Variance of every band that is always assumed, such as that of rounding. */
  readonly leastVariance: number;
}

/** Squared Mahalanobis distances to the sea around, and what they must exceed; 0 where nothing is known. */
export interface Anomaly {
  readonly score: Float32Array;
  readonly threshold: Float32Array;
}

/** Side of the cells that statistics are taken of; cells lie on the grid, whatever the block. */
const CELL_PX = 16;
/** Cells on each side that make up the surroundings: 144 pixels across, in which no ship fills a quarter. */
const REACH_CELLS = 4;
const MIN_CELL_PIXELS = 64;
const MIN_CELLS = 9;
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

interface CellGrid {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly of: (column: number, row: number) => number;
}

function cellGrid(rect: PixelRect): CellGrid {
  const left = Math.floor(rect.column / CELL_PX) * CELL_PX;
  const top = Math.floor(rect.row / CELL_PX) * CELL_PX;
  const columns = Math.ceil((rect.column + rect.columns - left) / CELL_PX);
  const rows = Math.ceil((rect.row + rect.rows - top) / CELL_PX);
  const of = (column: number, row: number): number =>
    Math.floor((row + rect.row - top) / CELL_PX) * columns + Math.floor((column + rect.column - left) / CELL_PX);
  return { left, top, columns, rows, of };
}

/** Calls with the positions of the sea pixels of each cell that has enough. */
function eachCell(
  sea: Uint8Array,
  rect: PixelRect,
  cells: CellGrid,
  visit: (cell: number, positions: Int32Array) => void,
): void {
  const buffer = new Int32Array(CELL_PX * CELL_PX);
  for (let cell = 0; cell < cells.columns * cells.rows; cell++) {
    const firstColumn = cells.left + (cell % cells.columns) * CELL_PX - rect.column;
    const firstRow = cells.top + Math.floor(cell / cells.columns) * CELL_PX - rect.row;
    let count = 0;
    for (let row = Math.max(0, firstRow); row < Math.min(rect.rows, firstRow + CELL_PX); row++) {
      const end = Math.min(rect.columns, firstColumn + CELL_PX);
      for (let column = Math.max(0, firstColumn); column < end; column++) {
        const i = row * rect.columns + column;
        if (sea[i] !== 0) buffer[count++] = i;
      }
    }
    if (count >= MIN_CELL_PIXELS) visit(cell, buffer.subarray(0, count));
  }
}

function cellMedians(plane: Float32Array, sea: Uint8Array, rect: PixelRect, cells: CellGrid): Float64Array {
  return cellQuantiles(plane, sea, rect, cells, 0.5);
}

function cellQuantiles(
  plane: Float32Array,
  sea: Uint8Array,
  rect: PixelRect,
  cells: CellGrid,
  share: number,
): Float64Array {
  const quantiles = new Float64Array(cells.columns * cells.rows).fill(Number.NaN);
  const values = new Float32Array(CELL_PX * CELL_PX);
  eachCell(sea, rect, cells, (cell, positions) => {
    const own = values.subarray(0, positions.length);
    for (let k = 0; k < own.length; k++) own[k] = plane[positions[k]!]!;
    quantiles[cell] = nthSmallest(own, Math.min(own.length - 1, Math.floor(share * own.length)));
  });
  return quantiles;
}

/** A quantile of the known values in the surroundings of each cell; NaN where too few are known. */
function aroundEach(values: Float64Array, cells: CellGrid, reachCells: number, share: number): Float64Array {
  const figures = new Float64Array(values.length).fill(Number.NaN);
  const buffer = new Float64Array((2 * reachCells + 1) ** 2);
  for (let cell = 0; cell < values.length; cell++) {
    let count = 0;
    eachNeighbour(cell, cells, reachCells, (near) => {
      if (values[near] === values[near]) buffer[count++] = values[near]!;
    });
    if (count >= MIN_CELLS) figures[cell] = nthSmallest(buffer.subarray(0, count), Math.floor(share * count));
  }
  return figures;
}

function eachNeighbour(
  cell: number,
  { columns, rows }: CellGrid,
  reachCells: number,
  visit: (near: number) => void,
): void {
  const column = cell % columns;
  const row = Math.floor(cell / columns);
  const right = Math.min(columns - 1, column + reachCells);
  for (let y = Math.max(0, row - reachCells); y <= Math.min(rows - 1, row + reachCells); y++) {
    for (let x = Math.max(0, column - reachCells); x <= right; x++) visit(y * columns + x);
  }
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

/** A figure of cells on straight lines between their middles; that of the cell itself where a neighbour has none. */
function between(values: Float64Array, { columns, rows }: CellGrid, x: number, y: number, cell: number): number {
  const left = Math.min(Math.max(Math.floor(x), 0), columns - 1);
  const top = Math.min(Math.max(Math.floor(y), 0), rows - 1);
  const right = Math.min(left + 1, columns - 1);
  const bottom = Math.min(top + 1, rows - 1);
  const across = Math.min(Math.max(x - left, 0), 1);
  const down = Math.min(Math.max(y - top, 0), 1);
  const value =
    (values[top * columns + left]! * (1 - across) + values[top * columns + right]! * across) * (1 - down) +
    (values[bottom * columns + left]! * (1 - across) + values[bottom * columns + right]! * across) * down;
  return value === value ? value : values[cell]!;
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
