import type { ControlLattice } from "./control-lattice.ts";

/**
 * A window of pixels, row-major float32, NaN where there is no data. The outer three pixels on every side are padding:
 * positions are clamped into it, so it must be NaN wherever it lies outside the image.
 */
export interface PixelWindow {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly data: Float32Array;
}

export const WINDOW_PADDING_PX = 3;

/**
 * How output pixels are made from source pixels.
 * - nearest: the pixel under the point; for classes and palettes
 * - bilinear: 2 x 2 pixels
 * - triangle: the bilinear filter widened by `scaleX`, `scaleY` source pixels per output pixel (1 or more), so that
 *   downsampling does not alias; 4 x 4 pixels up to a scale of 2
 */
export type Resampling =
  | { readonly kind: "nearest" }
  | { readonly kind: "bilinear" }
  | { readonly kind: "triangle"; readonly scaleX: number; readonly scaleY: number };

/** A scale this near to a whole number is taken for it, as GDAL does: 1 means plain bilinear. */
const WHOLE_SCALE_TOLERANCE = 0.05;

/** The filter for smooth data at a sampling density of `scaleX`, `scaleY` source pixels per output pixel. */
export function smoothResampling(scaleX: number, scaleY: number): Resampling {
  const x = filterScale(scaleX);
  const y = filterScale(scaleY);
  return x === 1 && y === 1 ? { kind: "bilinear" } : { kind: "triangle", scaleX: x, scaleY: y };
}

function filterScale(scale: number): number {
  const whole = Math.round(scale);
  const rounded = Math.abs(scale - whole) < WHOLE_SCALE_TOLERANCE ? whole : scale;
  return Math.max(1, rounded);
}

/** Largest scale of the 4 x 4 filter, which the vector kernel has; wider ones are for scenes smaller than a thumbnail. */
export const MAX_VECTOR_SCALE = 2;

const f = Math.fround;

/**
 * Resamples a window along a lattice of positions inside it: the reference of the vector kernel that serves tiles,
 * which does the same float32 operations in the same order.
 * An output pixel is NaN when the source pixel under its centre is; weights are shared among the valid pixels.
 *
 * @returns row-major, `lattice.widthPx * lattice.heightPx`
 */
export function resample(source: PixelWindow, lattice: ControlLattice, resampling: Resampling): Float32Array {
  const { widthPx, heightPx, cellPx, columns, rows, x, y } = lattice;
  const output = new Float32Array(widthPx * heightPx).fill(Number.NaN);
  for (let cellRow = 0; cellRow < rows - 1; cellRow++) {
    for (let cellColumn = 0; cellColumn < columns - 1; cellColumn++) {
      const at = cellRow * columns + cellColumn;
      const [x00, x10, x01, x11] = [x[at]!, x[at + 1]!, x[at + columns]!, x[at + columns + 1]!];
      const [y00, y10, y01, y11] = [y[at]!, y[at + 1]!, y[at + columns]!, y[at + columns + 1]!];
      if (Number.isNaN(x00 + x10 + x01 + x11 + y00 + y10 + y01 + y11)) continue;
      const left = cellColumn * cellPx;
      const top = cellRow * cellPx;
      const cellW = Math.min(cellPx, widthPx - left);
      const cellH = Math.min(cellPx, heightPx - top);
      const half = resampling.kind === "nearest" ? 0 : 0.5;
      for (let row = 0; row < cellH; row++) {
        const t = (row + 0.5) / cellH;
        const xl = x00 + (x01 - x00) * t;
        const yl = y00 + (y01 - y00) * t;
        const dx = (x10 + (x11 - x10) * t - xl) / cellW;
        const dy = (y10 + (y11 - y10) * t - yl) / cellW;
        const sx = f(xl + 0.5 * dx - half);
        const sy = f(yl + 0.5 * dy - half);
        for (let i = 0; i < cellW; i++) {
          const u = clamp(f(sx + f(f(dx) * i)), source.widthPx - WINDOW_PADDING_PX);
          const v = clamp(f(sy + f(f(dy) * i)), source.heightPx - WINDOW_PADDING_PX);
          output[(top + row) * widthPx + left + i] = sample(source, u, v, resampling);
        }
      }
    }
  }
  return output;
}

function clamp(value: number, high: number): number {
  return Math.min(Math.max(1, value), high);
}

function sample(source: PixelWindow, u: number, v: number, resampling: Resampling): number {
  const { data, widthPx } = source;
  if (resampling.kind === "nearest") return data[Math.trunc(v) * widthPx + Math.trunc(u)]!;
  if (resampling.kind === "bilinear") return bilinear(data, widthPx, u, v);
  if (resampling.scaleX > MAX_VECTOR_SCALE || resampling.scaleY > MAX_VECTOR_SCALE)
    return wide(source, u, v, resampling);
  return triangle(data, widthPx, u, v, f(1 / resampling.scaleX), f(1 / resampling.scaleY));
}

function bilinear(data: Float32Array, widthPx: number, u: number, v: number): number {
  const column = Math.floor(u);
  const row = Math.floor(v);
  const fx = f(u - column);
  const fy = f(v - row);
  const gx = f(1 - fx);
  const gy = f(1 - fy);
  const at = row * widthPx + column;
  const p00 = data[at]!;
  const p01 = data[at + 1]!;
  const p10 = data[at + widthPx]!;
  const p11 = data[at + widthPx + 1]!;
  const top = f(f(p00 * gx) + f(p01 * fx));
  const bottom = f(f(p10 * gx) + f(p11 * fx));
  const value = f(f(top * gy) + f(bottom * fy));
  if (!Number.isNaN(value)) return value;
  const nearest = fy < 0.5 ? (fx < 0.5 ? p00 : p01) : fx < 0.5 ? p10 : p11;
  if (Number.isNaN(nearest)) return Number.NaN;
  let sum = 0;
  let weight = 0;
  for (const [p, w] of [
    [p00, f(gx * gy)],
    [p01, f(fx * gy)],
    [p10, f(gx * fy)],
    [p11, f(fx * fy)],
  ] as const) {
    if (Number.isNaN(p)) continue;
    sum = f(sum + f(p * w));
    weight = f(weight + w);
  }
  return f(sum / weight);
}

function triangle(
  data: Float32Array,
  widthPx: number,
  u: number,
  v: number,
  inverseX: number,
  inverseY: number,
): number {
  const column = Math.floor(u);
  const row = Math.floor(v);
  const fx = f(u - column);
  const fy = f(v - row);
  const wx = triangleWeights(fx, inverseX);
  const wy = triangleWeights(fy, inverseY);
  const at = (row - 1) * widthPx + column - 1;
  const norm = f(1 / f(sum4(wx) * sum4(wy)));
  const columns: number[] = [];
  for (let i = 0; i < 4; i++) {
    const term = (j: number): number => f(data[at + j * widthPx + i]! * wy[j]!);
    columns.push(f(f(f(term(0) + term(1)) + f(term(2) + term(3))) * wx[i]!));
  }
  const value = f(sum4(columns) * norm);
  if (!Number.isNaN(value)) return value;
  if (Number.isNaN(data[at + (fy < 0.5 ? 1 : 2) * widthPx + (fx < 0.5 ? 1 : 2)]!)) return Number.NaN;
  let sum = 0;
  let weight = 0;
  for (let j = 0; j < 4; j++) {
    for (let i = 0; i < 4; i++) {
      const p = data[at + j * widthPx + i]!;
      if (Number.isNaN(p)) continue;
      const w = f(wy[j]! * wx[i]!);
      sum = f(sum + f(p * w));
      weight = f(weight + w);
    }
  }
  return f(sum / weight);
}

/** The triangle filter over as many pixels as it covers. */
function wide(
  { data, widthPx, heightPx }: PixelWindow,
  u: number,
  v: number,
  { scaleX, scaleY }: { readonly scaleX: number; readonly scaleY: number },
): number {
  if (Number.isNaN(data[Math.floor(v + 0.5) * widthPx + Math.floor(u + 0.5)]!)) return Number.NaN;
  let sum = 0;
  let weight = 0;
  for (let row = Math.max(0, Math.ceil(v - scaleY)); row <= Math.min(heightPx - 1, v + scaleY); row++) {
    const rowWeight = 1 - Math.abs(row - v) / scaleY;
    for (let column = Math.max(0, Math.ceil(u - scaleX)); column <= Math.min(widthPx - 1, u + scaleX); column++) {
      const p = data[row * widthPx + column]!;
      if (Number.isNaN(p)) continue;
      const w = rowWeight * (1 - Math.abs(column - u) / scaleX);
      sum += p * w;
      weight += w;
    }
  }
  return sum / weight;
}

function triangleWeights(fraction: number, inverseScale: number): readonly number[] {
  return [-1, 0, 1, 2].map((tap) => Math.max(0, f(1 - f(Math.abs(f(tap - fraction)) * inverseScale))));
}

/** In the order of the vector kernel: lanes 0 and 2, lanes 1 and 3, then both. */
function sum4(values: readonly number[]): number {
  return f(f(values[0]! + values[2]!) + f(values[1]! + values[3]!));
}
