import type { PixelRect } from "../../../analysis/block.ts";
import { nthSmallest } from "../sea/nth-smallest.ts";

/** Side of the cells that statistics are taken of; cells lie on the grid, whatever the block. */
export const CELL_PX = 16;
const MIN_CELL_PIXELS = 64;
const MIN_CELLS = 9;

/** Cells that cover a block. */
export interface CellGrid {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly of: (column: number, row: number) => number;
}

/** The cells of a part of the grid. */
export function cellGrid(rect: PixelRect): CellGrid {
  const left = Math.floor(rect.column / CELL_PX) * CELL_PX;
  const top = Math.floor(rect.row / CELL_PX) * CELL_PX;
  const columns = Math.ceil((rect.column + rect.columns - left) / CELL_PX);
  const rows = Math.ceil((rect.row + rect.rows - top) / CELL_PX);
  const of = (column: number, row: number): number =>
    Math.floor((row + rect.row - top) / CELL_PX) * columns + Math.floor((column + rect.column - left) / CELL_PX);
  return { left, top, columns, rows, of };
}

/** Calls with the positions of the sea pixels of each cell that has enough. */
export function eachCell(
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

/** Middle values of cells; NaN where a cell has too few pixels. */
export function cellMedians(plane: Float32Array, sea: Uint8Array, rect: PixelRect, cells: CellGrid): Float64Array {
  return cellQuantiles(plane, sea, rect, cells, 0.5);
}

/** Quantiles of cells; NaN where a cell has too few pixels. */
export function cellQuantiles(
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
export function aroundEach(values: Float64Array, cells: CellGrid, reachCells: number, share: number): Float64Array {
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

/** Calls with the cell and those around it. */
export function eachNeighbour(
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

/** A figure of cells on straight lines between their middles; that of the cell itself where a neighbour has none. */
export function between(values: Float64Array, { columns, rows }: CellGrid, x: number, y: number, cell: number): number {
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
