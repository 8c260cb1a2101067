import { MAX_MOSAIC_PIXELS } from "@swath/contract/features/maps/export-contract";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection } from "@swath/kernel/geometry/clip";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { lonLatToWebMercator, WEB_MERCATOR_HALF_SIDE_M } from "@swath/kernel/crs/web-mercator";
import { MAX_MERCATOR_LATITUDE_DEG, tileAt, tileBounds, type Tile } from "@swath/kernel/tiles/tile";
import type { GridWindow, NativeWindow } from "@swath/raster/sample/grid-window";
import { includesTile, type ListedTile } from "../signed-map-id.ts";

export type WebGrid = Extract<GridWindow, { readonly kind: "grid" }>;
/** The pixels of a file: of the Web Mercator plane, or of the raster itself. */
export type PixelGrid = WebGrid | NativeWindow;

export const BLOCK_PX = 512;
/** Of a mosaic of any shape, and tiles of the deepest zoom of an archive: as many pixels of both. */
export const MAX_BLOCKS = MAX_MOSAIC_PIXELS / BLOCK_PX ** 2;
/** Before compression; on disk until the file is in the store. */
export const MAX_MOSAIC_BYTES = 10 ** 9;
/** One picture is drawn in one piece: 16 million pixels. */
export const MAX_PICTURE_SIDE_PX = 4096;
export const MAX_ZIP_TILES = 64;
/** Beyond this many tiles around an area, which of them it touches is not looked at. */
const MAX_CANDIDATES = 16 * MAX_ZIP_TILES;

/** The nearest latitude within the Web Mercator square. */
export function clampLatitude(latDeg: number): number {
  return Math.min(Math.max(latDeg, -MAX_MERCATOR_LATITUDE_DEG), MAX_MERCATOR_LATITUDE_DEG);
}

/** The pixels of the tiles of a zoom that the bounds of an area touch. */
export function pixelGridOf(area: MultiPolygon, zoom: number, tileSidePx: number): WebGrid {
  const [west, south, east, north] = mbr(area);
  const pixelSizeM = (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** zoom / tileSidePx;
  const [leftM, topM] = lonLatToWebMercator(west, clampLatitude(north));
  const [rightM, bottomM] = lonLatToWebMercator(east, clampLatitude(south));
  const left = Math.floor((leftM + WEB_MERCATOR_HALF_SIDE_M) / pixelSizeM + 1e-6);
  const top = Math.floor((WEB_MERCATOR_HALF_SIDE_M - topM) / pixelSizeM + 1e-6);
  const right = Math.ceil((rightM + WEB_MERCATOR_HALF_SIDE_M) / pixelSizeM - 1e-6);
  const bottom = Math.ceil((WEB_MERCATOR_HALF_SIDE_M - bottomM) / pixelSizeM - 1e-6);
  return {
    kind: "grid",
    originXM: left * pixelSizeM - WEB_MERCATOR_HALF_SIDE_M,
    originYM: WEB_MERCATOR_HALF_SIDE_M - top * pixelSizeM,
    pixelSizeM,
    widthPx: Math.max(1, right - left),
    heightPx: Math.max(1, bottom - top),
  };
}

/** The deepest zoom whose pixels are not smaller than pixels of the scene. */
export function zoomOfPixels(pixelM: number, tileSidePx: number): number {
  // A pixel of the scene is measured at its centre; a thousandth is not finer.
  return Math.floor(Math.log2(((2 * WEB_MERCATOR_HALF_SIDE_M) / tileSidePx / pixelM) * 1.001));
}

export function blockCount({ widthPx, heightPx }: Pick<PixelGrid, "heightPx" | "widthPx">): number {
  return Math.ceil(widthPx / BLOCK_PX) * Math.ceil(heightPx / BLOCK_PX);
}

/** The full resolution and its overviews, each half as large, down to one block. */
export function pyramidOf(grid: PixelGrid): readonly PixelGrid[] {
  const levels = [grid];
  for (let last = grid; last.widthPx > BLOCK_PX || last.heightPx > BLOCK_PX;) {
    last = halfOf(last);
    levels.push(last);
  }
  return levels;
}

function halfOf(grid: PixelGrid): PixelGrid {
  const size = { widthPx: Math.ceil(grid.widthPx / 2), heightPx: Math.ceil(grid.heightPx / 2) };
  return grid.kind === "grid"
    ? { ...grid, ...size, pixelSizeM: grid.pixelSizeM * 2 }
    : { ...grid, ...size, reduction: grid.reduction * 2, column: grid.column / 2, row: grid.row / 2 };
}

/** Blocks of a level, row by row, all of full size. */
export function blocksOf(grid: PixelGrid): readonly PixelGrid[] {
  const columns = Math.ceil(grid.widthPx / BLOCK_PX);
  return Array.from({ length: blockCount(grid) }, (_, index) => {
    const right = (index % columns) * BLOCK_PX;
    const down = Math.floor(index / columns) * BLOCK_PX;
    const size = { widthPx: BLOCK_PX, heightPx: BLOCK_PX };
    return grid.kind === "grid"
      ? {
          ...grid,
          ...size,
          originXM: grid.originXM + right * grid.pixelSizeM,
          originYM: grid.originYM - down * grid.pixelSizeM,
        }
      : { ...grid, ...size, column: grid.column + right, row: grid.row + down };
  });
}

/**
 * Tiles of a zoom within the listed ones that have area in common with the area; only their number when they are far
 * too many. Gives way to others by elapsed time: a detailed area and a thousand tiles take a second.
 */
export async function tilesOf(
  area: MultiPolygon,
  listed: readonly ListedTile[],
  zoom: number,
  signal?: AbortSignal,
): Promise<{ readonly count: number; readonly tiles: readonly Tile[] }> {
  const [west, south, east, north] = mbr(area);
  const [, left, top] = tileAt(west, clampLatitude(north), zoom);
  const [, right, bottom] = tileAt(east, clampLatitude(south), zoom);
  const count = (right - left + 1) * (bottom - top + 1);
  if (count > MAX_CANDIDATES) return { count, tiles: [] };
  const tiles: Tile[] = [];
  const share = loopShare();
  for (let y = top; y <= bottom; y++) {
    const [, rowSouth, , rowNorth] = tileBounds([zoom, left, y]);
    const row = inBounds(area, [-180, rowSouth, 180, rowNorth]);
    for (let x = left; x <= right; x++) {
      if (isUsedUp(share)) await giveWay(share, signal);
      const tile: Tile = [zoom, x, y];
      if (includesTile(listed, tile) && areaKm2(inBounds(row, tileBounds(tile))) > 0) tiles.push(tile);
    }
  }
  return { count: tiles.length, tiles };
}

function inBounds(area: MultiPolygon, bounds: Bounds): MultiPolygon {
  return intersection(area, { type: "MultiPolygon", coordinates: [boundsPolygon(bounds).coordinates] });
}
