import { createProjection, type Projection } from "../crs/projection.ts";
import { utmProjString, utmZoneOfEpsg } from "../crs/utm.ts";
import { normalForm } from "../geometry/antimeridian.ts";
import { roundDegrees } from "../geometry/canonical-degrees.ts";
import { clipToConvex, shoelace, type FlatRing } from "../geometry/flat-ring.ts";
import type { LinearRing, MultiPolygon, PolygonCoordinates, Position } from "../geometry/geojson.ts";
import { lessHoles } from "../geometry/less-holes.ts";
import { MAX_STORE_TILES } from "./store-tile-limit.ts";
import { vectorize, type Corner } from "../raster-mathematics/vectorize.ts";

/*
 * Store tiles cut scenes that are ingested in parts into squares. Their grid is fixed by the coordinate reference
 * system alone, so that tiles of overlapping scenes in one system coincide: tile [x, y] spans side·x to side·(x+1)
 * eastwards and side·y to side·(y+1) northwards. In the UTM zones of WGS84 the side is 5 km of the zone's eastings
 * and northings; scenes in any other system are cut along longitude and latitude, by 0.05 degrees.
 */

/** Index of a store tile: x grows eastwards, y northwards; negative indices exist. */
export type StoreTile = readonly [x: number, y: number];

/** The grid that the store tiles of a scene belong to. */
export interface StoreTileGrid {
  /** Whether the plane is that of a UTM zone, in metres; otherwise longitude and latitude in degrees. */
  readonly projected: boolean;
  /** Side of a tile, metres or degrees. */
  readonly side: number;
  /** Tiles along the side of a store tile: 1, more where very fine scenes are kept in smaller pieces. */
  readonly divisor: number;
  /** Between longitude/latitude and the plane of the grid. */
  readonly projection: Projection;
}

/** `[west, south, east, north]` in the plane of the grid. */
export type StoreTileBounds = readonly [west: number, south: number, east: number, north: number];

const STORE_TILE_SIDE_M = 5_000;
const STORE_TILES_PER_DEGREE = 20;

/** An area must reach so far into a tile to need it: rounding to seven decimals moves edges by a centimetre. */
const TOUCH_M = 0.1;
const TOUCH_DEG = 1e-6;
/** Points per tile edge: 312 m apart, edges stay within millimetres of the plane's straight line. */
const EDGE_POINTS = 16;
/** Edges of an area are straight in longitude and latitude; pieces of this length stay within centimetres of that. */
const STEP_DEG = 0.01;
const MAX_RING_POINTS = 200_000;
const MAX_CELLS = 4_000_000;
/** No tile of any grid lies further out: the world is 20 000 km high. */
const MAX_INDEX = 10_000;

const geographic = createProjection("+proj=longlat +datum=WGS84 +no_defs");
const grids = new Map<string, StoreTileGrid>();

/**
 * The grid of a coordinate reference system; 0 stands for one without an EPSG code.
 *
 * @param divisor whole number; tiles of the grid are that many times smaller along each side than store tiles
 */
export function storeTileGrid(crsEpsg: number, divisor = 1): StoreTileGrid {
  const zone = utmZoneOfEpsg(crsEpsg);
  const key = `${zone === null ? 0 : crsEpsg}/${divisor}`;
  const known = grids.get(key);
  if (known !== undefined) return known;
  const grid: StoreTileGrid =
    zone === null
      ? { projected: false, side: 1 / (STORE_TILES_PER_DEGREE * divisor), divisor, projection: geographic }
      : {
          projected: true,
          side: STORE_TILE_SIDE_M / divisor,
          divisor,
          projection: createProjection(utmProjString(zone)),
        };
  grids.set(key, grid);
  return grid;
}

/** Whether a list of numbers names a tile that some grid may have. */
export function isStoreTile(tile: readonly number[]): tile is StoreTile {
  return tile.length === 2 && tile.every((index) => Number.isInteger(index) && Math.abs(index) <= MAX_INDEX);
}

/** Bounds of a tile in the plane of its grid. */
export function storeTileBounds([x, y]: StoreTile, grid: StoreTileGrid): StoreTileBounds {
  return [edgeOf(x, grid), edgeOf(y, grid), edgeOf(x + 1, grid), edgeOf(y + 1, grid)];
}

/** Order of tiles in answers: from the north, then from the west. */
export function compareStoreTiles(a: StoreTile, b: StoreTile): number {
  return b[1] - a[1] || a[0] - b[0];
}

/** Tiles without repeats, in their order. */
export function uniqueStoreTiles(tiles: readonly StoreTile[]): readonly StoreTile[] {
  const seen = new Map(tiles.map((tile) => [`${tile[0]} ${tile[1]}`, tile]));
  return [...seen.values()].toSorted(compareStoreTiles);
}

/**
 * The tiles that share area with an area, which must lie where the grid's projection is defined: cut it with the
 * scene first. An overlap of less than a decimetre does not count, so that the outline of a tile needs that tile only.
 *
 * @param area normal form
 * @returns tiles in the order of `compareStoreTiles`; empty when the area is thinner than a decimetre
 * @throws {RangeError} if more than `MAX_STORE_TILES` are needed
 */
export function storeTilesOf(area: MultiPolygon, grid: StoreTileGrid): readonly StoreTile[] {
  const found = new Map<string, StoreTile>();
  for (const polygon of area.coordinates) {
    const rings = polygon.map((ring) => planeRing(ring, grid));
    for (const tile of candidates(rings[0] ?? [], grid)) {
      const key = `${tile[0]} ${tile[1]}`;
      if (found.has(key) || !shares(rings, tile, grid)) continue;
      found.set(key, tile);
      if (found.size > MAX_STORE_TILES) throw new RangeError(`the area needs more than ${MAX_STORE_TILES} store tiles`);
    }
  }
  return [...found.values()].toSorted(compareStoreTiles);
}

/** Outline of a tile in longitude and latitude: normal form, seven decimals, exterior counter-clockwise, densified. */
export function storeTilePolygon(tile: StoreTile, grid: StoreTileGrid): MultiPolygon {
  return storeTilesArea([tile], grid);
}

/**
 * The ground that tiles cover together, in longitude and latitude, without the edges between them.
 *
 * @throws {RangeError} if a tile lies where the projection is not defined, or the tiles lie too far apart
 */
export function storeTilesArea(tiles: readonly StoreTile[], grid: StoreTileGrid): MultiPolygon {
  if (tiles.length === 0) return { type: "MultiPolygon", coordinates: [] };
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of tiles) {
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  const columns = east - west + 1;
  const rows = north - south + 1;
  if (!(columns * rows <= MAX_CELLS)) {
    throw new RangeError(`store tiles ${columns} x ${rows} apart, expected at most ${MAX_CELLS} between them`);
  }
  const bitmap = new Uint8Array(columns * rows);
  for (const [x, y] of tiles) bitmap[(north - y) * columns + x - west] = 1;
  const polygons = vectorize(bitmap, columns, rows).map((region): PolygonCoordinates =>
    [region.exterior, ...region.holes].map((ring) => outline(ring, west, north, grid)),
  );
  return { type: "MultiPolygon", coordinates: normalForm(polygons) };
}

/** Coordinate of a tile's west or south edge; degrees by division, which is exact at whole degrees. */
function edgeOf(index: number, { projected, divisor }: StoreTileGrid): number {
  return projected ? (index * STORE_TILE_SIDE_M) / divisor : index / (STORE_TILES_PER_DEGREE * divisor);
}

/** A ring of corners of cells (rows grow southwards) as positions; screen clockwise becomes counter-clockwise. */
function outline(corners: readonly Corner[], west: number, north: number, grid: StoreTileGrid): LinearRing {
  const positions: Position[] = [];
  for (let i = corners.length - 1; i > 0; i -= 1) {
    const from = corners[i];
    const to = corners[i - 1];
    if (from === undefined || to === undefined) continue;
    // Steps of one fixed lattice: neighbours have the same points on the edge between them.
    const steps = EDGE_POINTS * (Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]));
    for (let s = 0; s < steps; s += grid.projected ? 1 : steps) {
      const column = from[0] + ((to[0] - from[0]) * s) / steps;
      const row = from[1] + ((to[1] - from[1]) * s) / steps;
      const [lon, lat] = grid.projection.inverse(edgeOf(west + column, grid), edgeOf(north + 1 - row, grid));
      positions.push([roundDegrees(lon), roundDegrees(lat)]);
    }
  }
  const [first] = positions;
  return first === undefined ? positions : [...positions, first];
}

/** A ring in the plane of the grid, without its closing point. */
function planeRing(ring: LinearRing, { projection }: StoreTileGrid): FlatRing {
  const flat: number[] = [];
  for (let i = 1; i < ring.length; i += 1) {
    const from = ring[i - 1];
    const to = ring[i];
    if (from === undefined || to === undefined) continue;
    const longest = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
    const steps = Math.max(1, Math.ceil(longest / STEP_DEG));
    if (flat.length / 2 + steps > MAX_RING_POINTS) throw new RangeError("the outline is too long for store tiles");
    for (let s = 0; s < steps; s += 1) {
      const t = s / steps;
      flat.push(...projection.forward(from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])));
    }
  }
  return flat;
}

/** Tiles of the bounding box of a ring. */
function candidates(ring: FlatRing, grid: StoreTileGrid): readonly StoreTile[] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    west = Math.min(west, ring[i] ?? west);
    east = Math.max(east, ring[i] ?? east);
    south = Math.min(south, ring[i + 1] ?? south);
    north = Math.max(north, ring[i + 1] ?? north);
  }
  if (!(west < east && south < north)) return [];
  const [left, right] = [Math.floor(west / grid.side), Math.floor(east / grid.side)];
  const [bottom, top] = [Math.floor(south / grid.side), Math.floor(north / grid.side)];
  const count = (right - left + 1) * (top - bottom + 1);
  if (!(count <= 4 * MAX_STORE_TILES)) throw new RangeError(`the area needs about ${count} store tiles`);
  const tiles: StoreTile[] = [];
  for (let y = top; y >= bottom; y -= 1) for (let x = left; x <= right; x += 1) tiles.push([x, y]);
  return tiles;
}

/** Whether a polygon, its holes taken out, has area in a tile that is drawn in by the tolerance on every side. */
function shares(rings: readonly FlatRing[], tile: StoreTile, grid: StoreTileGrid): boolean {
  const bounds = storeTileBounds(tile, grid);
  const touch = grid.projected ? TOUCH_M : TOUCH_DEG;
  const [west, south] = [bounds[0] + touch, bounds[1] + touch];
  const [east, north] = [bounds[2] - touch, bounds[3] - touch];
  const box: FlatRing = [west, south, east, south, east, north, west, north];
  return lessHoles(rings, (ring) => Math.abs(shoelace(clipToConvex(ring, box)))) > touch * touch;
}
