import proj4 from "proj4";
import { normalForm } from "./antimeridian.ts";
import { roundDegrees } from "./canonical-degrees.ts";
import { centroid } from "./centroid.ts";
import type { MultiPolygon } from "./geojson.ts";
import { intersectionAreaKm2, prepareArea } from "./intersection-ratio.ts";

/** Points per tile edge: keeps a 390 km edge within metres of the straight line of the projection. */
const EDGE_POINTS = 16;
/** Vertices per edge when the extent is laid out in the projection. */
const EXTENT_EDGE_POINTS = 16;
const MAX_TILES = 100_000;
const MIN_COMMON_AREA_KM2 = 1e-9;

/**
 * Splits an extent in normal form into square tiles of a local equal-area grid, so that each can be searched alone.
 * The grid is a rectangle whose sides are multiples of the tile size; tiles without common area are dropped.
 *
 * @param tileSideM side of a tile, metres; at most 390 000 keeps every tile under the search limit
 * @returns tiles in normal form, row by row from the north-west, edges densified
 * @throws {RangeError} if the side is not positive or the grid would have more than 100 000 tiles
 * @see service interface, "Extent and geometry"
 */
export function splitExtent(extent: MultiPolygon, tileSideM: number): readonly MultiPolygon[] {
  if (!(tileSideM > 0)) throw new RangeError(`tile side must be positive, got ${tileSideM}`);
  const [lon0, lat0] = centroid(extent);
  const plane = proj4(
    "+proj=longlat +datum=WGS84 +no_defs",
    // Without x_0 and y_0 proj4 answers NaN for this projection.
    `+proj=laea +lat_0=${lat0} +lon_0=${lon0} +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs`,
  );
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  for (const ring of extent.coordinates.flat()) {
    for (let i = 1; i < ring.length; i += 1) {
      const from = ring[i - 1];
      const to = ring[i];
      if (from === undefined || to === undefined) continue;
      for (let s = 0; s < EXTENT_EDGE_POINTS; s += 1) {
        const t = s / EXTENT_EDGE_POINTS;
        const [x, y] = plane.forward([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
        west = Math.min(west, x);
        east = Math.max(east, x);
        south = Math.min(south, y);
        north = Math.max(north, y);
      }
    }
  }
  const columns = Math.max(1, Math.ceil((east - west) / tileSideM));
  const rows = Math.max(1, Math.ceil((north - south) / tileSideM));
  if (!(columns * rows <= MAX_TILES)) {
    throw new RangeError(`extent needs ${columns} x ${rows} tiles of ${tileSideM} m, at most ${MAX_TILES} are made`);
  }
  const left = (west + east - columns * tileSideM) / 2;
  const top = (south + north + rows * tileSideM) / 2;
  const prepared = prepareArea(extent);
  const tiles: MultiPolygon[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const x = left + column * tileSideM;
      const y = top - row * tileSideM;
      const ring: [number, number][] = [];
      const corners: [number, number][] = [
        [x, y],
        [x, y - tileSideM],
        [x + tileSideM, y - tileSideM],
        [x + tileSideM, y],
      ];
      for (const [i, from] of corners.entries()) {
        const to = corners[(i + 1) % 4] ?? from;
        for (let s = 0; s < EDGE_POINTS; s += 1) {
          const t = s / EDGE_POINTS;
          const [lon, lat] = plane.inverse([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
          ring.push([roundDegrees(lon), roundDegrees(lat)]);
        }
      }
      const first = ring[0];
      if (first === undefined) continue;
      ring.push(first);
      const tile: MultiPolygon = { type: "MultiPolygon", coordinates: normalForm([[ring]]) };
      const tileArea = prepareArea(tile);
      if (intersectionAreaKm2(prepared, tileArea) > MIN_COMMON_AREA_KM2) tiles.push(tile);
    }
  }
  return tiles;
}
