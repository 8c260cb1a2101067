import type { AnalysisBlock, AnalysisSurvey } from "../../../analysis/block.ts";
import { eroded } from "../../../analysis/texture/mask-morphology.ts";

/** Pixels of the overview per side of a cell. */
const CELL_PX = 24;
/** Share of a cell that must be sea for it to speak for itself. */
const MIN_SEA_SHARE = 0.25;
/** Cells whose level is further from the middle of all than this many times their usual spread are no sea. */
const MAX_ODDNESS = 8;

/** Appearance of the open sea of a scene, by cell and plane. Plain data. */
export interface SeaLevel {
  /** Side of a cell in pixels of the grid. */
  readonly cellPx: number;
  readonly columns: number;
  readonly rows: number;
  /** `medians[p][cell]`: the middle value of the sea in plane p. */
  readonly medians: readonly Float32Array[];
  /** `spreads[p]`: typical deviation of pixels from the median of their cell, as a standard deviation. */
  readonly spreads: readonly number[];
  /** Middle value of land in each plane, NaN when the scene shows none. */
  readonly land: readonly number[];
}

/**
 * Learns the level of the sea from the overview: medians of cells over what the coastlines call sea, kept away from the
 * coast. Cells without sea take the level of the nearest that have some.
 *
 * @param stepPx pixels of the grid per pixel of the overview
 * @param value how a pixel enters, such as its decibels; NaN where it does not
 */
export function learnSeaLevel(
  { overview }: AnalysisSurvey,
  stepPx: number,
  shorePx: number,
  value: (power: number) => number,
): SeaLevel {
  const { columns, rows } = overview.rect;
  const sea = openSea(overview, shorePx);
  const cellColumns = Math.ceil(columns / CELL_PX);
  const cellRows = Math.ceil(rows / CELL_PX);
  const medians: Float32Array[] = [];
  const spreads: number[] = [];
  const land: number[] = [];
  for (const plane of overview.scenes[0] ?? []) {
    const levels = new Float32Array(cellColumns * cellRows);
    const deviations: number[] = [];
    for (let cell = 0; cell < levels.length; cell++) {
      const values = cellValues(plane, sea, overview, cell, cellColumns, value);
      levels[cell] = values === null ? Number.NaN : middle(values);
      if (values !== null) deviations.push(1.4826 * middle(values.map((v) => Math.abs(v - levels[cell]!)).toSorted()));
    }
    dropOddCells(levels);
    fillFromNearest(levels, cellColumns);
    medians.push(levels);
    spreads.push(deviations.length === 0 ? Number.NaN : middle(Float64Array.from(deviations).toSorted()));
    land.push(landLevel(plane, overview.land, value));
  }
  return { cellPx: CELL_PX * stepPx, columns: cellColumns, rows: cellRows, medians, spreads, land };
}

function openSea({ land, rect }: AnalysisBlock, shorePx: number): Uint8Array {
  const sea = new Uint8Array(rect.columns * rect.rows).fill(1);
  if (land === null) return sea;
  for (let i = 0; i < sea.length; i++) sea[i] = land[i] === 0 ? 1 : 0;
  const open = eroded(sea, rect.columns, rect.rows, shorePx);
  if (open.includes(1)) return open;
  return sea.includes(1) ? sea : sea.fill(1);
}

function cellValues(
  plane: Float32Array,
  sea: Uint8Array,
  { rect }: AnalysisBlock,
  cell: number,
  cellColumns: number,
  value: (power: number) => number,
): Float64Array | null {
  const left = (cell % cellColumns) * CELL_PX;
  const top = Math.floor(cell / cellColumns) * CELL_PX;
  const values: number[] = [];
  for (let row = top; row < Math.min(top + CELL_PX, rect.rows); row++) {
    for (let column = left; column < Math.min(left + CELL_PX, rect.columns); column++) {
      const i = row * rect.columns + column;
      const v = sea[i] === 0 ? Number.NaN : value(plane[i]!);
      if (v === v) values.push(v);
    }
  }
  return values.length < MIN_SEA_SHARE * CELL_PX ** 2 ? null : Float64Array.from(values).toSorted();
}

function middle(sorted: ArrayLike<number>): number {
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)]!;
}

/** Coastlines err, and clouds lie on the sea: what is far from all other cells is none. */
function dropOddCells(levels: Float32Array): void {
  const known = Float64Array.from(levels.filter((v) => v === v)).toSorted();
  if (known.length < 4) return;
  const centre = middle(known);
  const spread = 1.4826 * middle(known.map((v) => Math.abs(v - centre)).toSorted());
  for (let i = 0; i < levels.length; i++) {
    if (Math.abs(levels[i]! - centre) > MAX_ODDNESS * spread && spread > 0) levels[i] = Number.NaN;
  }
}

function fillFromNearest(levels: Float32Array, columns: number): void {
  const known = [...levels.keys()].filter((i) => levels[i] === levels[i]);
  if (known.length === 0 || known.length === levels.length) return;
  const at = known.map((i) => [i % columns, Math.floor(i / columns), levels[i]!] as const);
  for (let i = 0; i < levels.length; i++) {
    if (levels[i] === levels[i]) continue;
    let least = Infinity;
    for (const [column, row, level] of at) {
      const distance = (column - (i % columns)) ** 2 + (row - Math.floor(i / columns)) ** 2;
      if (distance >= least) continue;
      least = distance;
      levels[i] = level;
    }
  }
}

function landLevel(plane: Float32Array, land: Uint8Array | null, value: (power: number) => number): number {
  if (land === null) return Number.NaN;
  const values: number[] = [];
  for (let i = 0; i < plane.length; i += 3) {
    const v = land[i] === 0 ? Number.NaN : value(plane[i]!);
    if (v === v) values.push(v);
  }
  return values.length < 100 ? Number.NaN : middle(Float64Array.from(values).toSorted());
}

/** Levels along a row of pixels of the grid, between the middles of cells on straight lines. */
export function seaLevelRow(sea: SeaLevel, plane: number, column: number, row: number, into: Float32Array): void {
  const { cellPx, columns, rows } = sea;
  const levels = sea.medians[plane]!;
  const y = Math.min(Math.max((row + 0.5) / cellPx - 0.5, 0), rows - 1);
  const top = Math.floor(y);
  const bottom = Math.min(top + 1, rows - 1);
  const down = y - top;
  for (let c = 0; c < into.length; c++) {
    const x = Math.min(Math.max((column + c + 0.5) / cellPx - 0.5, 0), columns - 1);
    const left = Math.floor(x);
    const right = Math.min(left + 1, columns - 1);
    const across = x - left;
    const above = levels[top * columns + left]! * (1 - across) + levels[top * columns + right]! * across;
    const below = levels[bottom * columns + left]! * (1 - across) + levels[bottom * columns + right]! * across;
    into[c] = above * (1 - down) + below * down;
  }
}
