import { componentMembers, connectedComponents } from "@swath/kernel/raster-mathematics/connected-components";
import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";
import type { AnalysisBlock, BlockAlgorithm, FoundObject, PixelRect } from "../../analysis/block.ts";
import { emission } from "./emission.ts";

/** Pixels per side of the cells that the background is taken from; blocks begin at multiples of it. */
const CELL_PX = 16;
/** Cells of the ring around a cell: beyond `INNER`, a plume's own reach, up to `OUTER`. About 50 to 290 km at 1.1 km. */
const INNER_CELLS = 3;
const OUTER_CELLS = 16;
/** Pixels that the background of a block's edge looks at. */
export const METHANE_MARGIN_PX = (OUTER_CELLS + 1) * CELL_PX;
/** Share of a cell that must be valid for it to count, and of a ring's cells for there to be a background. */
const MIN_CELL_PIXELS = 8;
const MIN_RING_CELLS = 12;
/** Standard deviations of a normal distribution in a median absolute deviation. */
const SIGMA_PER_MAD = 1.4826;
const MIN_SIGNIFICANCE = 3;
export const MIN_PLUME_PIXELS = 2;
/** A plume whose excess follows what else changes the retrieval this closely is none. */
const MAX_CORRELATION = 0.5;
/** Pixels around a plume that the correlation looks at, and how many of them it needs. */
const CORRELATION_REACH_PX = 8;
const MIN_CORRELATED_PIXELS = 30;
/** Layer of classes. */
export const NO_PLUME = 1;
export const PLUME = 2;

/**
 * Column methane, its excess over what surrounds it, and pixels whose excess is significant.
 *
 * The background of a cell of 16 pixels is the median of the medians of the cells around it, its noise the median of
 * their median absolute deviations. Layers: ppb as measured, excess in ppb, classes.
 *
 * Planes: methane; those named by `screens` (aerosol, albedo), which a plume must not follow; those named by `winds` (the
 * speed 10 m above ground, or its two components, m/s), without which there is no emission rate.
 */
export const methanePlumes: BlockAlgorithm<MethaneParameters> = {
  compute(block, _model, { screens, winds }) {
    const { rect, scenes, core } = block;
    const values = scenes[0]![0]!;
    const confounders = scenes[0]!.slice(1, 1 + screens.length);
    const wind = scenes[0]!.slice(1 + screens.length, 1 + screens.length + winds.length);
    const { background, sigma } = surroundings(values, rect.columns, rect.rows);
    const excess = new Float32Array(values.length);
    const classes = new Uint8Array(values.length);
    const hot = new Uint8Array(values.length);
    for (let i = 0; i < values.length; i++) {
      excess[i] = values[i]! - background[i]!;
      if (Number.isNaN(excess[i]!)) continue;
      classes[i] = NO_PLUME;
      if (excess[i]! >= MIN_SIGNIFICANCE * sigma[i]!) hot[i] = 1;
    }
    const objects: FoundObject[] = [];
    for (const members of componentMembers(connectedComponents(hot, rect.columns, rect.rows))) {
      if (members.length < MIN_PLUME_PIXELS) continue;
      if (confounders.some((plane) => follows(excess, plane, rect, members))) continue;
      for (const member of members) classes[member] = PLUME;
      const object = plumeOf(block, members, excess, sigma, wind);
      if (isIn(object.centre, core)) objects.push(object);
    }
    return { layers: [values, excess, classes], objects };
  },
};

/** Names of the planes after methane. */
export interface MethaneParameters {
  readonly screens: readonly string[];
  readonly winds: readonly string[];
}

/** Whether the excess around a plume follows another quantity: it is then made by that, not by methane. */
function follows(
  excess: Float32Array,
  other: Float32Array,
  { columns, rows }: PixelRect,
  members: Int32Array,
): boolean {
  const of = (reduce: (a: number, b: number) => number, at: (member: number) => number, start: number): number =>
    members.reduce((best, member) => reduce(best, at(member)), start);
  const rowOf = (member: number): number => Math.floor(member / columns);
  const columnOf = (member: number): number => member % columns;
  const top = Math.max(0, of(Math.min, rowOf, rows) - CORRELATION_REACH_PX);
  const bottom = Math.min(rows - 1, of(Math.max, rowOf, 0) + CORRELATION_REACH_PX);
  const left = Math.max(0, of(Math.min, columnOf, columns) - CORRELATION_REACH_PX);
  const right = Math.min(columns - 1, of(Math.max, columnOf, 0) + CORRELATION_REACH_PX);
  let [count, sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0];
  for (let row = top; row <= bottom; row++) {
    for (let i = row * columns + left; i <= row * columns + right; i++) {
      const [x, y] = [excess[i]!, other[i]!];
      if (Number.isNaN(x) || Number.isNaN(y)) continue;
      count += 1;
      sx += x;
      sy += y;
      sxx += x * x;
      syy += y * y;
      sxy += x * y;
    }
  }
  if (count < MIN_CORRELATED_PIXELS) return false;
  const spread = (sxx - (sx * sx) / count) * (syy - (sy * sy) / count);
  return spread > 0 && Math.abs(sxy - (sx * sy) / count) >= MAX_CORRELATION * Math.sqrt(spread);
}

/** Mean wind over the pixels of a plume, m/s; null where nothing is known of it. */
function meanWindMs(wind: readonly Float32Array[], members: Int32Array): number | null {
  if (wind.length === 0) return null;
  const means = wind.map((plane) => {
    const known = [...members].map((member) => plane[member]!).filter((value) => !Number.isNaN(value));
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  });
  const speed = Math.hypot(...means);
  return Number.isNaN(speed) ? null : speed;
}

function isIn([x, y]: readonly [number, number], { column, row, columns, rows }: AnalysisBlock["core"]): boolean {
  return x >= column && x < column + columns && y >= row && y < row + rows;
}

function plumeOf(
  { rect, ground }: AnalysisBlock,
  members: Int32Array,
  excess: Float32Array,
  sigma: Float32Array,
  wind: readonly Float32Array[],
): FoundObject {
  let [sum, peak, significance, x, y] = [0, 0, 0, 0, 0];
  for (const member of members) {
    const value = excess[member]!;
    const row = Math.floor(member / rect.columns);
    sum += value;
    x += value * (member - row * rect.columns + 0.5);
    y += value * (row + 0.5);
    peak = Math.max(peak, value);
    significance = Math.max(significance, value / sigma[member]!);
  }
  const { corners } = pixelsRectangle(members, rect.columns);
  const pixelM2 = ground.metresPerPixelX * ground.metresPerPixelY;
  return {
    className: "plume",
    centre: [rect.column + x / sum, rect.row + y / sum],
    corners: corners.map(([column, row]) => [rect.column + column, rect.row + row]),
    areaM2: members.length * pixelM2,
    count: 1,
    confidence: 1 - Math.exp(-(significance - MIN_SIGNIFICANCE) / MIN_SIGNIFICANCE),
    properties: {
      excessPpb: Number((sum / members.length).toFixed(2)),
      peakExcessPpb: Number(peak.toFixed(2)),
      significance: Number(significance.toFixed(2)),
      ...emission(sum, members.length * pixelM2, pixelM2, meanWindMs(wind, members)),
      source: "rule",
    },
  };
}

/** Background and noise of every pixel; NaN where too little around it is valid. */
function surroundings(
  values: Float32Array,
  columns: number,
  rows: number,
): { readonly background: Float32Array; readonly sigma: Float32Array } {
  const across = Math.ceil(columns / CELL_PX);
  const down = Math.ceil(rows / CELL_PX);
  const medians = new Float64Array(across * down).fill(Number.NaN);
  const deviations = new Float64Array(across * down).fill(Number.NaN);
  for (let cy = 0; cy < down; cy++) {
    for (let cx = 0; cx < across; cx++) {
      const own = cellValues(values, columns, rows, cx, cy);
      if (own.length < MIN_CELL_PIXELS) continue;
      const median = middle(own);
      medians[cy * across + cx] = median;
      deviations[cy * across + cx] = middle(own.map((value) => Math.abs(value - median)));
    }
  }
  const backgrounds = new Float64Array(across * down);
  const sigmas = new Float64Array(across * down);
  for (let cy = 0; cy < down; cy++) {
    for (let cx = 0; cx < across; cx++) {
      backgrounds[cy * across + cx] = ringMedian(medians, across, down, cx, cy);
      sigmas[cy * across + cx] = SIGMA_PER_MAD * ringMedian(deviations, across, down, cx, cy);
    }
  }
  return {
    background: interpolated(backgrounds, across, down, columns, rows),
    sigma: interpolated(sigmas, across, down, columns, rows),
  };
}

function cellValues(values: Float32Array, columns: number, rows: number, cx: number, cy: number): Float64Array {
  const found = new Float64Array(CELL_PX * CELL_PX);
  let count = 0;
  for (let row = cy * CELL_PX; row < Math.min(rows, (cy + 1) * CELL_PX); row++) {
    for (let column = cx * CELL_PX; column < Math.min(columns, (cx + 1) * CELL_PX); column++) {
      const value = values[row * columns + column]!;
      if (!Number.isNaN(value)) found[count++] = value;
    }
  }
  return found.subarray(0, count);
}

function middle(values: Float64Array): number {
  const sorted = values.toSorted();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

function ringMedian(cells: Float64Array, across: number, down: number, cx: number, cy: number): number {
  const ring = new Float64Array((2 * OUTER_CELLS + 1) ** 2);
  let count = 0;
  for (let y = Math.max(0, cy - OUTER_CELLS); y <= Math.min(down - 1, cy + OUTER_CELLS); y++) {
    for (let x = Math.max(0, cx - OUTER_CELLS); x <= Math.min(across - 1, cx + OUTER_CELLS); x++) {
      if (Math.max(Math.abs(x - cx), Math.abs(y - cy)) <= INNER_CELLS) continue;
      const value = cells[y * across + x]!;
      if (!Number.isNaN(value)) ring[count++] = value;
    }
  }
  return count < MIN_RING_CELLS ? Number.NaN : middle(ring.subarray(0, count));
}

/** Bilinear between the middles of the cells. */
function interpolated(cells: Float64Array, across: number, down: number, columns: number, rows: number): Float32Array {
  const result = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const v = Math.min(Math.max((row + 0.5) / CELL_PX - 0.5, 0), down - 1);
    const y0 = Math.min(Math.floor(v), Math.max(0, down - 2));
    const y1 = Math.min(y0 + 1, down - 1);
    const fy = v - y0;
    for (let column = 0; column < columns; column++) {
      const u = Math.min(Math.max((column + 0.5) / CELL_PX - 0.5, 0), across - 1);
      const x0 = Math.min(Math.floor(u), Math.max(0, across - 2));
      const x1 = Math.min(x0 + 1, across - 1);
      const fx = u - x0;
      const top = cells[y0 * across + x0]! * (1 - fx) + cells[y0 * across + x1]! * fx;
      const bottom = cells[y1 * across + x0]! * (1 - fx) + cells[y1 * across + x1]! * fx;
      result[row * columns + column] = top * (1 - fy) + bottom * fy;
    }
  }
  return result;
}
