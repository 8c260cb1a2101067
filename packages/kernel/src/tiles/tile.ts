import type { Bounds } from "../geometry/geojson.ts";
import { DEGREE, WGS84_A_M } from "../geometry/wgs84.ts";

/** A tile of the Web Mercator pyramid (OGC WebMercatorQuad): x grows eastwards, y southwards, `0 <= x, y < 2^z`. */
export type Tile = readonly [z: number, x: number, y: number];

/** Latitude where the Web Mercator square ends: atan(sinh π). */
export const MAX_MERCATOR_LATITUDE_DEG = Math.atan(Math.sinh(Math.PI)) / DEGREE;
/** Half the side of the Web Mercator square, metres: π · a. */
export const MERCATOR_HALF_SIDE_M = Math.PI * WGS84_A_M;
/** Zooms beyond this one have tiles under 3 m. */
export const MAX_TILE_ZOOM = 24;

/** `[west, south, east, north]` in EPSG:3857 metres. */
export type MercatorBounds = readonly [westM: number, southM: number, eastM: number, northM: number];

/** Longitude as a share of the world from the west edge; not limited to 0..1. */
export function mercatorX(lonDeg: number): number {
  return (lonDeg + 180) / 360;
}

/** Latitude as a share of the world from the north edge, latitudes beyond the square clamped to it. */
export function mercatorY(latDeg: number): number {
  if (latDeg >= MAX_MERCATOR_LATITUDE_DEG) return 0;
  if (latDeg <= -MAX_MERCATOR_LATITUDE_DEG) return 1;
  return 0.5 - Math.atanh(Math.sin(latDeg * DEGREE)) / (2 * Math.PI);
}

function latitudeOf(y: number): number {
  return Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / DEGREE;
}

/** Bounds of a tile in degrees. A tile holds its west and north edge; the others belong to its neighbours. */
export function tileBounds([z, x, y]: Tile): Bounds {
  const n = 2 ** z;
  return [(x / n) * 360 - 180, latitudeOf((y + 1) / n), ((x + 1) / n) * 360 - 180, latitudeOf(y / n)];
}

/** Bounds of a tile in EPSG:3857 metres. */
export function tileMercatorBounds([z, x, y]: Tile): MercatorBounds {
  const side = (2 * MERCATOR_HALF_SIDE_M) / 2 ** z;
  const west = x * side - MERCATOR_HALF_SIDE_M;
  const north = MERCATOR_HALF_SIDE_M - y * side;
  return [west, north - side, west + side, north];
}

/** The tile that holds a position. Longitude 180 belongs to the last column, latitudes beyond the square to the edge rows. */
export function tileAt(lonDeg: number, latDeg: number, z: number): Tile {
  const n = 2 ** z;
  const clamp = (value: number) => Math.min(n - 1, Math.max(0, Math.floor(value)));
  return [z, clamp(mercatorX(lonDeg) * n), clamp(mercatorY(latDeg) * n)];
}

/** Whether three numbers name a tile that exists. */
export function isTile(z: number, x: number, y: number): boolean {
  const n = 2 ** z;
  const inside = (value: number) => Number.isInteger(value) && value >= 0 && value < n;
  return Number.isInteger(z) && z >= 0 && z <= MAX_TILE_ZOOM && inside(x) && inside(y);
}

/** Whether `tile` is `ancestor` or lies within it. */
export function isWithin(tile: Tile, ancestor: Tile): boolean {
  const levels = tile[0] - ancestor[0];
  if (levels < 0) return false;
  const scale = 2 ** levels;
  return Math.floor(tile[1] / scale) === ancestor[1] && Math.floor(tile[2] / scale) === ancestor[2];
}

/** The four tiles that make up a tile, north-west first, row by row. */
export function childTiles([z, x, y]: Tile): readonly [Tile, Tile, Tile, Tile] {
  return [
    [z + 1, 2 * x, 2 * y],
    [z + 1, 2 * x + 1, 2 * y],
    [z + 1, 2 * x, 2 * y + 1],
    [z + 1, 2 * x + 1, 2 * y + 1],
  ];
}
