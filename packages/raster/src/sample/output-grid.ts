import {
  lonLatToWebMercator,
  WEB_MERCATOR_HALF_SIDE_M,
  WEB_MERCATOR_MAX_LAT_DEG,
  webMercatorToLonLat,
} from "@swath/kernel/crs/web-mercator";
import { TILE_ACCURACY } from "@swath/kernel/raster-mathematics/control-lattice";
import type { MercatorGrid } from "@swath/kernel/raster-mathematics/rasterize";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import { applyAffine, type Affine } from "@swath/kernel/raster-mathematics/affine";
import type { GridWindow, NativeWindow } from "./grid-window.ts";
import type { SceneGeometry } from "./scene-geometry.ts";

/** A rectangle of output pixels. */
export interface OutputArea {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The pixels to be made and where in the scene's CRS each of them is. */
export interface OutputGrid {
  readonly widthPx: number;
  readonly heightPx: number;
  /** The part that the scene's pixels can reach; null when none. */
  readonly area: OutputArea | null;
  /** Scene CRS coordinates of an output pixel corner; null where there are none. */
  readonly toCrs: (column: number, row: number) => readonly [x: number, y: number] | null;
  /** CRS units per output pixel along the CRS axes, measured at the scene's centre so that all tiles of a zoom agree. */
  readonly unitsPerPixelX: number;
  readonly unitsPerPixelY: number;
  /** Whether pixels coincide with the pixels of a band: values are taken as they are, nothing is interpolated. */
  readonly isExact?: boolean;
}

const MAX_OUTPUT_PIXELS = 4_096 * 4_096;

/** Margin around the measured bounds of the scene: some pixels, and a share of its size. */
const AREA_MARGIN_PX = 4;
const AREA_MARGIN_RATIO = 0.01;

/** Pixels of a tileless file are not made smaller than this share of the scene's. */
const SMALLEST_PIXEL_RATIO = 0.01;

/** The Web Mercator grid of a window; tileless windows are not finer than the scene. */
export function gridOfWindow(
  window: Exclude<GridWindow, NativeWindow>,
  geometry: SceneGeometry,
  finestBand: StoredBand,
): MercatorGrid {
  if (window.kind === "tile") {
    const sideM = (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** window.z;
    return {
      originXM: window.x * sideM - WEB_MERCATOR_HALF_SIDE_M,
      originYM: WEB_MERCATOR_HALF_SIDE_M - window.y * sideM,
      pixelSizeM: sideM / window.sizePx,
      widthPx: window.sizePx,
      heightPx: window.sizePx,
    };
  }
  if (window.kind === "grid") {
    const { originXM, originYM, pixelSizeM, widthPx, heightPx } = window;
    return { originXM, originYM, pixelSizeM, widthPx, heightPx };
  }
  const [west, south, east, north] =
    window.kind === "bounds"
      ? window.bounds
      : [geometry.westDeg, geometry.southDeg, geometry.eastDeg, geometry.northDeg];
  const [left, top] = lonLatToWebMercator(west, clampLatitude(north));
  const [right, bottom] = lonLatToWebMercator(east, clampLatitude(south));
  const nativeM = mercatorPixelM(geometry, finestBand);
  // An area smaller than a pixel of the scene becomes one pixel of its size, otherwise it would be invisible.
  const longestM = Math.max(right - left, top - bottom, nativeM * SMALLEST_PIXEL_RATIO);
  const limit = Math.min(window.maxSizePx, Math.sqrt(MAX_OUTPUT_PIXELS));
  const pixelSizeM = longestM / Math.max(1, Math.min(limit, Math.ceil(longestM / nativeM)));
  return {
    originXM: left,
    originYM: top,
    pixelSizeM,
    // A side that is a whole number of pixels must not gain one by rounding.
    widthPx: Math.max(1, Math.ceil((right - left) / pixelSizeM - 1e-6)),
    heightPx: Math.max(1, Math.ceil((top - bottom) / pixelSizeM - 1e-6)),
  };
}

function clampLatitude(latDeg: number): number {
  return Math.min(Math.max(latDeg, -WEB_MERCATOR_MAX_LAT_DEG), WEB_MERCATOR_MAX_LAT_DEG);
}

/** Shorter side of a pixel of a band at the centre of the scene, metres of the Web Mercator plane. */
export function mercatorPixelM(geometry: SceneGeometry, { geotransform }: Pick<StoredBand, "geotransform">): number {
  const units = unitsPerMetre(geometry);
  return Math.min(Math.abs(geotransform[0]) / units.x, Math.abs(geotransform[4]) / units.y);
}

/** The affine transform of the pixels of a window. */
export function nativeTransform(window: NativeWindow, { geotransform }: Pick<StoredBand, "geotransform">): Affine {
  const { column, row, reduction } = window;
  const [originX, originY] = applyAffine(geotransform, column * reduction, row * reduction);
  return [geotransform[0] * reduction, 0, originX, 0, geotransform[4] * reduction, originY];
}

export function nativeOutput(window: NativeWindow, band: Pick<StoredBand, "geotransform">): OutputGrid {
  const { widthPx, heightPx } = window;
  const transform = nativeTransform(window, band);
  return {
    widthPx,
    heightPx,
    area: { x: 0, y: 0, widthPx, heightPx },
    toCrs: (column, row) => applyAffine(transform, column, row),
    unitsPerPixelX: Math.abs(transform[0]),
    unitsPerPixelY: Math.abs(transform[4]),
    isExact: window.reduction === 1,
  };
}

/** CRS units per Web Mercator metre at the scene's centre, along the CRS axes. */
function unitsPerMetre(geometry: SceneGeometry): { readonly x: number; readonly y: number } {
  const stepM = 100;
  const [x, y] = lonLatToWebMercator(geometry.centreLonDeg, clampLatitude(geometry.centreLatDeg));
  const at = (xM: number, yM: number): readonly [number, number] =>
    geometry.toCrs(...webMercatorToLonLat(xM, yM)) ?? [Number.NaN, Number.NaN];
  const origin = at(x, y);
  const along = at(x + stepM, y);
  const up = at(x, y + stepM);
  return {
    x: Math.hypot(along[0] - origin[0], up[0] - origin[0]) / stepM,
    y: Math.hypot(along[1] - origin[1], up[1] - origin[1]) / stepM,
  };
}

export function mercatorOutput(grid: MercatorGrid, geometry: SceneGeometry): OutputGrid {
  const { originXM, originYM, pixelSizeM, widthPx, heightPx } = grid;
  const units = unitsPerMetre(geometry);
  return {
    widthPx,
    heightPx,
    area: reachableArea(grid, geometry),
    toCrs: (column, row) =>
      geometry.toCrs(...webMercatorToLonLat(originXM + column * pixelSizeM, originYM - row * pixelSizeM)),
    unitsPerPixelX: units.x * pixelSizeM,
    unitsPerPixelY: units.y * pixelSizeM,
  };
}

/** Output pixels within the scene's bounds; projections answer nonsense far from where they are meant. */
function reachableArea(grid: MercatorGrid, geometry: SceneGeometry): OutputArea | null {
  const { originXM, originYM, pixelSizeM, widthPx, heightPx } = grid;
  const marginLon = (geometry.eastDeg - geometry.westDeg) * AREA_MARGIN_RATIO;
  const marginLat = (geometry.northDeg - geometry.southDeg) * AREA_MARGIN_RATIO;
  const columnOf = (lonDeg: number): number => (lonLatToWebMercator(lonDeg, 0)[0] - originXM) / pixelSizeM;
  const rowOf = (latDeg: number): number => (originYM - lonLatToWebMercator(0, clampLatitude(latDeg))[1]) / pixelSizeM;
  let [left, right] = [Infinity, -Infinity];
  for (const turn of [-720, -360, 0, 360, 720]) {
    const west = Math.floor(columnOf(geometry.westDeg - marginLon + turn));
    const east = Math.ceil(columnOf(geometry.eastDeg + marginLon + turn));
    if (east <= 0 || west >= widthPx) continue;
    const from = Math.max(0, west - AREA_MARGIN_PX);
    const to = Math.min(widthPx, east + AREA_MARGIN_PX);
    left = Math.min(left, from);
    right = Math.max(right, to);
  }
  const top = Math.max(0, Math.floor(rowOf(geometry.northDeg + marginLat)) - AREA_MARGIN_PX);
  const bottom = Math.min(heightPx, Math.ceil(rowOf(geometry.southDeg - marginLat)) + AREA_MARGIN_PX);
  if (!(right > left) || bottom <= top) return null;
  // Lattice nodes at the same places in every tile: neighbours then interpolate the same positions.
  const cell = TILE_ACCURACY.firstCellPx;
  const x = Math.floor(left / cell) * cell;
  const y = Math.floor(top / cell) * cell;
  return {
    x,
    y,
    widthPx: Math.min(widthPx, Math.ceil(right / cell) * cell) - x,
    heightPx: Math.min(heightPx, Math.ceil(bottom / cell) * cell) - y,
  };
}
