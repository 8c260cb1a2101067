import { flatten, clipToConvex, shoelace, type FlatRing } from "../geometry/flat-ring.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { mbr } from "../geometry/mbr.ts";
import { mercatorX, mercatorY, tileBounds, type Tile } from "./tile.ts";

const MAX_RELEASED_TILES = 4;

/** An extent that is a tile itself, computed elsewhere, may exceed it by rounding. */
const SIDE_TOLERANCE = 1e-9;
/** Common area, relative to the area, that floating point leaves where a tile only touches. */
const TOUCH_TOLERANCE = 1e-9;

function commonAreaDeg2(area: MultiPolygon, tile: Tile): number {
  const [west, south, east, north] = tileBounds(tile);
  const box: FlatRing = [west, south, east, south, east, north, west, north];
  let common = 0;
  for (const polygon of area.coordinates) {
    for (const [index, ring] of polygon.entries()) {
      const inside = Math.abs(shoelace(clipToConvex(flatten(ring), box))) / 2;
      common += index === 0 ? inside : -inside;
    }
  }
  return common;
}

function areaDeg2(area: MultiPolygon): number {
  let sum = 0;
  for (const polygon of area.coordinates) {
    for (const [index, ring] of polygon.entries()) {
      const size = Math.abs(shoelace(flatten(ring))) / 2;
      sum += index === 0 ? size : -size;
    }
  }
  return sum;
}

function tilesAt(zoom: number, span: readonly [number, number, number, number], area: MultiPolygon): readonly Tile[] {
  const n = 2 ** zoom;
  const [west, north, east, south] = span;
  const whole = areaDeg2(area);
  const tiles: Tile[] = [];
  for (let y = Math.floor(north * n); y < Math.min(n, south * n); y += 1) {
    for (let column = Math.floor(west * n); column < east * n; column += 1) {
      const x = ((column % n) + n) % n;
      const tile: Tile = [zoom, x, y];
      if (tiles.some((one) => one[1] === x && one[2] === y)) continue;
      if (commonAreaDeg2(area, tile) > TOUCH_TOLERANCE * whole) tiles.push(tile);
    }
  }
  return tiles;
}

/**
 * The tiles a map is released with: at the deepest zoom, not above `maxZoom`, whose tile side is at least the larger
 * side of the extent's Web Mercator bounding box; of those, the ones that share area with `area`; never more than
 * four. Empty when none shares area inside the Web Mercator square.
 *
 * @param extent the extent asked for, in normal form; decides the zoom
 * @param area the part of it that has data, in normal form; decides which tiles remain
 * @returns tiles of one zoom, row by row from the north-west
 * @see service interface, "Map service", release retrieve
 */
export function coverTiles(extent: MultiPolygon, area: MultiPolygon, maxZoom: number): readonly Tile[] {
  if (area.coordinates.length === 0) return [];
  const [west, south, east, north] = mbr(extent);
  const span = [mercatorX(west), mercatorY(north), mercatorX(east), mercatorY(south)] as const;
  const side = Math.max(span[2] - span[0], span[3] - span[1]);
  let zoom = Math.min(maxZoom, side > 0 ? Math.floor(Math.log2((1 + SIDE_TOLERANCE) / side)) : maxZoom);
  for (; zoom > 0; zoom -= 1) {
    const tiles = tilesAt(zoom, span, area);
    if (tiles.length <= MAX_RELEASED_TILES) return tiles;
  }
  return tilesAt(0, span, area);
}
