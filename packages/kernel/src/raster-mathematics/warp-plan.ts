import { applyAffine, invertAffine } from "./affine.ts";
import type { Affine } from "./affine.ts";
import { crossResidual, fitThinPlate } from "./thin-plate.ts";
import type { PlaneMap } from "./thin-plate.ts";

/** A north-up grid and the way from its coordinates back to the pixels of the source. */
export interface WarpPlan {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixel corners of the grid to CRS coordinates; never rotated. */
  readonly transform: Affine;
  /** CRS coordinates to pixel corners of the source. */
  readonly toSource: PlaneMap;
  /** How far control points are missed by a fit through the others, source pixels; 0 for an affine source. */
  readonly residualPx: number;
}

export interface GroundPoint {
  readonly column: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

/** A grid has at most this many times the pixels of its source; coarser pixels are taken when it would have more. */
const MAX_GROWTH = 4;
const EDGE_SAMPLES = 32;
const SCALE_SAMPLES = 9;

/** Whether rows run east and columns south, so that pixels can be stored as they are. */
export function isNorthUp([a, b, , d, e]: Affine): boolean {
  return b === 0 && d === 0 && a > 0 && e < 0;
}

/**
 * A north-up grid over a rotated, sheared or mirrored source in the same CRS, with pixels of the same size.
 *
 * @throws {RangeError} if the transform has no area
 */
export function planFromAffine(transform: Affine, widthPx: number, heightPx: number): WarpPlan {
  const inverse = invertAffine(transform);
  const [a, b, , d, e] = transform;
  // A quarter turn swaps the axes, and with them the sizes of oblong pixels.
  const alongColumns = Math.hypot(a, d);
  const alongRows = Math.hypot(b, e);
  const [sizeX, sizeY] = Math.abs(a) >= Math.abs(d) ? [alongColumns, alongRows] : [alongRows, alongColumns];
  const forward: PlaneMap = (column, row) => applyAffine(transform, column, row);
  return {
    ...northUpGrid(forward, widthPx, heightPx, sizeX, sizeY, false),
    toSource: (x, y) => applyAffine(inverse, x, y),
    residualPx: 0,
  };
}

/**
 * A north-up grid over a source that is tied to the ground by control points only, by thin-plate splines.
 * Pixels are square and as large as the source's are on average.
 *
 * @param points coordinates in the CRS of the grid
 * @throws {RangeError} with fewer than three points, when they lie on one line, or when they span no area
 */
export function planFromGroundPoints(points: readonly GroundPoint[], widthPx: number, heightPx: number): WarpPlan {
  const forward = fitThinPlate(points.map(({ column, row, x, y }) => ({ x: column, y: row, u: x, v: y })));
  const pairs = points.map(({ column, row, x, y }) => ({ x, y, u: column, v: row }));
  const size = meanPixelSize(forward, widthPx, heightPx);
  if (!(size > 0) || !Number.isFinite(size)) throw new RangeError("ground control points span no area");
  return {
    ...northUpGrid(forward, widthPx, heightPx, size, size, true),
    toSource: fitThinPlate(pairs),
    residualPx: crossResidual(pairs),
  };
}

function meanPixelSize(forward: PlaneMap, widthPx: number, heightPx: number): number {
  const areas: number[] = [];
  for (let j = 0; j < SCALE_SAMPLES; j++) {
    for (let i = 0; i < SCALE_SAMPLES; i++) {
      const column = ((i + 0.5) / SCALE_SAMPLES) * widthPx;
      const row = ((j + 0.5) / SCALE_SAMPLES) * heightPx;
      const [x, y] = forward(column, row);
      const [rightX, rightY] = forward(column + 1, row);
      const [belowX, belowY] = forward(column, row + 1);
      areas.push(Math.abs((rightX - x) * (belowY - y) - (belowX - x) * (rightY - y)));
    }
  }
  return Math.sqrt(areas.reduce((sum, area) => sum + area, 0) / areas.length);
}

function northUpGrid(
  forward: PlaneMap,
  widthPx: number,
  heightPx: number,
  sizeX: number,
  sizeY: number,
  tidy: boolean,
): { readonly widthPx: number; readonly heightPx: number; readonly transform: Affine } {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i <= EDGE_SAMPLES; i++) {
    const column = (i / EDGE_SAMPLES) * widthPx;
    const row = (i / EDGE_SAMPLES) * heightPx;
    for (const [x, y] of [forward(column, 0), forward(column, heightPx), forward(0, row), forward(widthPx, row)]) {
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  const growth = (((east - west) / sizeX) * ((north - south) / sizeY)) / (widthPx * heightPx * MAX_GROWTH);
  const coarser = growth > 1 ? Math.sqrt(growth) : 1;
  const pixelX = tidy ? Number((sizeX * coarser).toPrecision(4)) : sizeX * coarser;
  const pixelY = tidy ? Number((sizeY * coarser).toPrecision(4)) : sizeY * coarser;
  const originX = tidy ? Math.floor(west / pixelX) * pixelX : west;
  const originY = tidy ? Math.ceil(north / pixelY) * pixelY : north;
  // A hair less than a pixel too much is rounding, not a further column.
  const columns = Math.max(Math.ceil((east - originX) / pixelX - 1e-6), 1);
  const rows = Math.max(Math.ceil((originY - south) / pixelY - 1e-6), 1);
  return { widthPx: columns, heightPx: rows, transform: [pixelX, 0, originX, 0, -pixelY, originY] };
}
