import type { PixelRect } from "../../../analysis/block.ts";
import { kQuantile } from "../../../analysis/clutter/k-distribution.ts";
import { nthSmallest } from "../sea/nth-smallest.ts";

/** Where clutter is asked whether it is ice. */
export interface IceEvidence {
  /** Linear power of one polarisation. */
  readonly power: Float32Array;
  /** 1 on sea. */
  readonly sea: Uint8Array;
  /** Place of the pixels on the grid. */
  readonly rect: PixelRect;
}

/** Textures of smaller shape are no water: floes, ridges and leads. */
const ICE_NU = 0.3;
/** Where more of the sea than this is ice, nothing on it is a ship for sure. */
const MOST = 0.5;
/** Side of the cells that are asked, which lie on the grid, whatever the block; a ship with its side lobes fills less than a tenth. */
const CELL_PX = 32;
const MIN_CELL_PIXELS = 256;
/** Upper and middle quantile whose ratio tells the texture; moments would take a ship for one. */
const HIGH = 0.9;
const MIDDLE = 0.5;

/** Ratio of the quantiles of clutter whose texture has the shape of ice. */
export function iceRatio(looks: number): number {
  return kQuantile(1 - HIGH, looks, ICE_NU) / kQuantile(1 - MIDDLE, looks, ICE_NU, 0.1);
}

interface IceCells {
  readonly columns: number;
  readonly rows: number;
  /** 1 ice, 0 water, 2 not known. */
  readonly kinds: Uint8Array;
  readonly left: number;
  readonly top: number;
}

const UNKNOWN = 2;

function cellsOf({ power, sea, rect }: IceEvidence, limit: number): IceCells {
  const left = Math.floor(rect.column / CELL_PX);
  const top = Math.floor(rect.row / CELL_PX);
  const columns = Math.ceil((rect.column + rect.columns) / CELL_PX) - left;
  const rows = Math.ceil((rect.row + rect.rows) / CELL_PX) - top;
  const kinds = new Uint8Array(columns * rows).fill(UNKNOWN);
  const values = new Float32Array(CELL_PX * CELL_PX);
  for (let cell = 0; cell < kinds.length; cell++) {
    const x = (left + (cell % columns)) * CELL_PX - rect.column;
    const y = (top + Math.floor(cell / columns)) * CELL_PX - rect.row;
    let count = 0;
    for (let row = Math.max(0, y); row < Math.min(rect.rows, y + CELL_PX); row++) {
      for (let column = Math.max(0, x); column < Math.min(rect.columns, x + CELL_PX); column++) {
        const i = row * rect.columns + column;
        if (sea[i] !== 0) values[count++] = power[i]!;
      }
    }
    if (count < MIN_CELL_PIXELS) continue;
    const own = values.subarray(0, count);
    const middle = nthSmallest(own, Math.floor(MIDDLE * count));
    const high = nthSmallest(own, Math.floor(HIGH * count));
    kinds[cell] = high > limit * middle ? 1 : 0;
  }
  return { columns, rows, kinds, left, top };
}

/** Share of the sea of some windows whose clutter is as spiky as ice; 0 without sea. @param limit `iceRatio` */
export function iceShare(windows: readonly IceEvidence[], limit: number): number {
  let [ice, all] = [0, 0];
  for (const window of windows) {
    for (const kind of cellsOf(window, limit).kinds) {
      if (kind === UNKNOWN) continue;
      ice += kind;
      all++;
    }
  }
  return all === 0 ? 0 : ice / all;
}

/** Whether a scene as a whole shows ice and no sea. */
export function isIcy(sceneShare: number): boolean {
  return sceneShare > MOST;
}

/**
 * 1 where no ship is looked for: all of the sea where ice covers most of the scene, else the cells that are mostly ice with
 * their neighbours.
 *
 * @param limit `iceRatio`
 */
export function iceOf(evidence: IceEvidence, limit: number, sceneShare: number): Uint8Array {
  const { sea, rect } = evidence;
  if (isIcy(sceneShare)) return sea;
  const ice = new Uint8Array(sea.length);
  const { kinds, columns, rows, left, top } = cellsOf(evidence, limit);
  if (!kinds.includes(1)) return ice;
  const icy = kinds.map((_, cell) => (isMostlyIce(kinds, columns, rows, cell) ? 1 : 0));
  for (let row = 0; row < rect.rows; row++) {
    const line = (Math.floor((rect.row + row) / CELL_PX) - top) * columns;
    for (let column = 0; column < rect.columns; column++) {
      ice[row * rect.columns + column] = icy[line + Math.floor((rect.column + column) / CELL_PX) - left]!;
    }
  }
  return ice;
}

function isMostlyIce(kinds: Uint8Array, columns: number, rows: number, cell: number): boolean {
  const column = cell % columns;
  const row = Math.floor(cell / columns);
  let [ice, all] = [0, 0];
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      const kind = kinds[y * columns + x]!;
      if (kind === UNKNOWN) continue;
      ice += kind;
      all++;
    }
  }
  return ice > MOST * all;
}
