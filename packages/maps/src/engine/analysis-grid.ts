import type { PixelGround, PixelRect } from "../analysis/block.ts";
import { controlGridProjection } from "@swath/kernel/crs/control-grid";
import { createProjection, type Projection } from "@swath/kernel/crs/projection";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { DEGREE, meridianRadiusM, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import { applyAffine, type Affine } from "@swath/kernel/raster-mathematics/affine";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";

/** Pixel grid of an analysis: the grid of one band of a scene, or integer multiples of it. Plain data. */
export interface AnalysisGrid {
  /** The raster whose CRS the grid is in. */
  readonly raster: StoredRaster;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Of the grid's own pixels. */
  readonly geotransform: Affine;
  /** Blocks begin at multiples of this, whatever area was asked for: the same pixels give the same result. */
  readonly blockPx: number;
}

/** Side of a block, unless an analysis wants larger ones on large grids. */
export const ANALYSIS_BLOCK_PX = 512;

/** On a grid of this size large blocks still occupy all threads. */
const LARGE_GRID_PX = 4096;

/** Points per edge of an outline that is brought to the grid: edges are straight in longitude and latitude only. */
const EDGE_POINTS = 8;

/**
 * @param gridPosition band of the raster
 * @param reduction pixels of the band per pixel of the grid
 * @param largeBlockPx side of the blocks of a large grid
 */
export function analysisGrid(
  raster: StoredRaster,
  gridPosition: number,
  reduction: number,
  largeBlockPx: number = ANALYSIS_BLOCK_PX,
): AnalysisGrid {
  const band = raster.bands[gridPosition];
  if (band === undefined) throw new RangeError(`band ${gridPosition} of a scene that has ${raster.bands.length}`);
  const [a, b, c, d, e, f] = band.geotransform;
  const widthPx = Math.ceil(band.widthPx / reduction);
  const heightPx = Math.ceil(band.heightPx / reduction);
  return {
    raster,
    widthPx,
    heightPx,
    geotransform: [a * reduction, b * reduction, c, d * reduction, e * reduction, f],
    blockPx: Math.min(widthPx, heightPx) >= LARGE_GRID_PX ? largeBlockPx : ANALYSIS_BLOCK_PX,
  };
}

/** Longitude and latitude of a pixel corner. @throws {RangeError} where there is none */
export function gridToLonLat(grid: AnalysisGrid): (column: number, row: number) => readonly [number, number] {
  const projection = projectionOf(grid.raster);
  return (column, row) => projection.inverse(...applyAffine(grid.geotransform, column, row));
}

const projections = new WeakMap<StoredRaster, Projection>();

function projectionOf(raster: StoredRaster): Projection {
  let projection = projections.get(raster);
  if (projection === undefined) {
    projection =
      raster.controlGrid === null ? createProjection(raster.proj4) : controlGridProjection(raster.controlGrid);
    projections.set(raster, projection);
  }
  return projection;
}

/** Size and direction of the pixels at the middle of a rectangle. */
export function groundOf(grid: AnalysisGrid, { column, row, columns, rows }: PixelRect): PixelGround {
  const toLonLat = gridToLonLat(grid);
  const x = Math.min(Math.max(column + columns / 2, 0), grid.widthPx);
  const y = Math.min(Math.max(row + rows / 2, 0), grid.heightPx);
  const [lonDeg, latDeg] = toLonLat(x, y);
  const step = 1;
  const east = metresBetween([lonDeg, latDeg], toLonLat(x + step, y));
  const up = metresBetween([lonDeg, latDeg], toLonLat(x, y - step));
  return {
    metresPerPixelX: Math.hypot(...east) / step,
    metresPerPixelY: Math.hypot(...up) / step,
    northDeg: (Math.atan2(up[0], up[1]) / DEGREE + 360) % 360,
    lonDeg,
    latDeg,
  };
}

/** Metres east and north from one nearby point to another. */
function metresBetween(
  [lonDeg, latDeg]: readonly [number, number],
  [lon, lat]: readonly [number, number],
): readonly [eastM: number, northM: number] {
  const turn = lon - lonDeg - 360 * Math.round((lon - lonDeg) / 360);
  return [
    turn * DEGREE * primeVerticalRadiusM(latDeg) * Math.cos(latDeg * DEGREE),
    (lat - latDeg) * DEGREE * meridianRadiusM(latDeg),
  ];
}

/**
 * The whole blocks of a grid that an area touches; null when it touches none.
 *
 * @throws {ServiceError} SCENE-UNREADABLE when the area cannot be brought to the grid
 */
export function blocksTouched(grid: AnalysisGrid, area: MultiPolygon): PixelRect | null {
  const { toCrs } = sceneGeometry(grid.raster);
  const [a, , c, , e, f] = grid.geotransform;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of area.coordinates.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [lonA, latA] = ring[i - 1]!;
      const [lonB, latB] = ring[i]!;
      for (let step = 0; step <= EDGE_POINTS; step++) {
        const share = step / EDGE_POINTS;
        const point = toCrs(lonA + (lonB - lonA) * share, latA + (latB - latA) * share);
        if (point === null) continue;
        const column = (point[0] - c) / a;
        const row = (point[1] - f) / e;
        left = Math.min(left, column);
        right = Math.max(right, column);
        top = Math.min(top, row);
        bottom = Math.max(bottom, row);
      }
    }
  }
  if (!(right >= left)) {
    throw new ServiceError("SCENE-UNREADABLE", "the area has no place on the grid of the scene");
  }
  const { blockPx } = grid;
  const down = (value: number): number => Math.floor(value / blockPx) * blockPx;
  const column = Math.max(0, down(left - 1));
  const row = Math.max(0, down(top - 1));
  const endColumn = Math.min(grid.widthPx, down(right + 1) + blockPx);
  const endRow = Math.min(grid.heightPx, down(bottom + 1) + blockPx);
  if (endColumn <= column || endRow <= row) return null;
  return { column, row, columns: endColumn - column, rows: endRow - row };
}

/** Cores of the blocks of a window, row by row. */
export function blockRowsOf(window: PixelRect, blockPx: number): readonly (readonly PixelRect[])[] {
  const rows: PixelRect[][] = [];
  for (let row = window.row; row < window.row + window.rows; row += blockPx) {
    const line: PixelRect[] = [];
    for (let column = window.column; column < window.column + window.columns; column += blockPx) {
      line.push({
        column,
        row,
        columns: Math.min(blockPx, window.column + window.columns - column),
        rows: Math.min(blockPx, window.row + window.rows - row),
      });
    }
    rows.push(line);
  }
  return rows;
}
