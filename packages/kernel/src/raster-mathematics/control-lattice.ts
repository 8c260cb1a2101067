/**
 * Where output pixels come from: exact source positions on a lattice of output pixel corners, bilinear in between.
 * Node (column, row) belongs to output corner `min(column * cellPx, widthPx)`, `min(row * cellPx, heightPx)`;
 * positions are pixel corners of the source, row-major, NaN where the output has no source.
 */
export interface ControlLattice {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly cellPx: number;
  /** Nodes, not cells. */
  readonly columns: number;
  readonly rows: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Source position of an output pixel corner; null where there is none. */
export type PixelMapping = (column: number, row: number) => readonly [x: number, y: number] | null;

export interface LatticeAccuracy {
  /** Largest error allowed at the middle of a cell and of its edges, source pixels. */
  readonly maxErrorPx: number;
  readonly firstCellPx: number;
  /** Cells are not made smaller than this, whatever the error. */
  readonly minCellPx: number;
}

/** A hundredth of a pixel cannot be seen; 128-pixel cells reach it for nearly every tile. */
export const TILE_ACCURACY: LatticeAccuracy = { maxErrorPx: 0.01, firstCellPx: 128, minCellPx: 8 };

/**
 * The coarsest lattice that meets the accuracy, found by halving the cells.
 *
 * @param widthPx output width, at least 1
 */
export function buildControlLattice(
  widthPx: number,
  heightPx: number,
  mapping: PixelMapping,
  accuracy: LatticeAccuracy = TILE_ACCURACY,
): ControlLattice {
  let cellPx = accuracy.firstCellPx;
  for (;;) {
    const lattice = sampleLattice(widthPx, heightPx, cellPx, mapping);
    if (cellPx / 2 < accuracy.minCellPx || meets(lattice, mapping, accuracy.maxErrorPx)) return lattice;
    cellPx /= 2;
  }
}

/** The lattice of a mapping that is affine: exact with one cell. */
export function affineLattice(widthPx: number, heightPx: number, mapping: PixelMapping): ControlLattice {
  return sampleLattice(widthPx, heightPx, Math.max(widthPx, heightPx), mapping);
}

function sampleLattice(widthPx: number, heightPx: number, cellPx: number, mapping: PixelMapping): ControlLattice {
  const columns = Math.ceil(widthPx / cellPx) + 1;
  const rows = Math.ceil(heightPx / cellPx) + 1;
  const x = new Float64Array(columns * rows).fill(Number.NaN);
  const y = new Float64Array(columns * rows).fill(Number.NaN);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const position = mapping(Math.min(column * cellPx, widthPx), Math.min(row * cellPx, heightPx));
      if (position === null) continue;
      x[row * columns + column] = position[0];
      y[row * columns + column] = position[1];
    }
  }
  return { widthPx, heightPx, cellPx, columns, rows, x, y };
}

function meets(lattice: ControlLattice, mapping: PixelMapping, maxErrorPx: number): boolean {
  const { widthPx, heightPx, cellPx, columns, rows } = lattice;
  for (let row = 0; row < rows - 1; row++) {
    for (let column = 0; column < columns - 1; column++) {
      const left = column * cellPx;
      const top = row * cellPx;
      const right = Math.min(left + cellPx, widthPx);
      const bottom = Math.min(top + cellPx, heightPx);
      // The centre alone would miss a saddle, whose edge errors have opposite signs.
      for (const [s, t] of [
        [0.5, 0.5],
        [0.5, 0],
        [0, 0.5],
      ] as const) {
        const exact = mapping(left + (right - left) * s, top + (bottom - top) * t);
        const x = cellValue(lattice, lattice.x, column, row, s, t);
        const y = cellValue(lattice, lattice.y, column, row, s, t);
        if (exact === null || Number.isNaN(x) || Number.isNaN(y)) {
          if (exact === null && Number.isNaN(x)) continue;
          return false;
        }
        if (Math.abs(x - exact[0]) > maxErrorPx || Math.abs(y - exact[1]) > maxErrorPx) return false;
      }
    }
  }
  return true;
}

function cellValue(
  lattice: ControlLattice,
  values: Float64Array,
  column: number,
  row: number,
  s: number,
  t: number,
): number {
  const at = row * lattice.columns + column;
  const top = values[at]! * (1 - s) + values[at + 1]! * s;
  const bottom = values[at + lattice.columns]! * (1 - s) + values[at + lattice.columns + 1]! * s;
  return top * (1 - t) + bottom * t;
}

/** Smallest and largest source position of all nodes: `[minX, minY, maxX, maxY]`, or null when no node has one. */
export function latticeExtent(
  lattice: ControlLattice,
): readonly [minX: number, minY: number, maxX: number, maxY: number] | null {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < lattice.x.length; i++) {
    const x = lattice.x[i]!;
    const y = lattice.y[i]!;
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  return maxX >= minX ? [minX, minY, maxX, maxY] : null;
}

/** Whether a pixel of a rectangle of the output is needed. */
export type IsNeeded = (column: number, row: number, widthPx: number, heightPx: number) => boolean;

/** A lattice of which cells without a needed pixel have no source, except between needed ones. */
export function neededCells(lattice: ControlLattice, isNeeded: IsNeeded): ControlLattice {
  const { widthPx, heightPx, cellPx, columns, rows } = lattice;
  const x = new Float64Array(lattice.x.length).fill(Number.NaN);
  const y = new Float64Array(lattice.y.length).fill(Number.NaN);
  for (let row = 0; row < rows - 1; row++) {
    for (let column = 0; column < columns - 1; column++) {
      const [left, top] = [column * cellPx, row * cellPx];
      if (!isNeeded(left, top, Math.min(cellPx, widthPx - left), Math.min(cellPx, heightPx - top))) continue;
      const node = row * columns + column;
      for (const corner of [node, node + 1, node + columns, node + columns + 1]) {
        x[corner] = lattice.x[corner]!;
        y[corner] = lattice.y[corner]!;
      }
    }
  }
  return { ...lattice, x, y };
}
