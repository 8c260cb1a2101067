import { intersection } from "../geometry/clip.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { storeTilesArea, storeTilesOf, type StoreTile, type StoreTileGrid } from "../tiles/store-tile.ts";

/** The part of a scene that a request has to pay for. */
export interface SoldArea {
  readonly area: MultiPolygon;
  /** The store tiles that it consists of, where a scene is sold by them; else null. */
  readonly tiles: readonly StoreTile[] | null;
}

/**
 * The requested area inside a scene; of a scene that is ingested in store tiles, all of the tiles that it touches,
 * inside the scene. Empty when they have no area in common.
 *
 * @param area normal form
 * @param grid the scene's store tiles; null when it is sold by the area itself
 * @throws {RangeError} if it takes more store tiles than a request may need
 */
export function soldArea(area: MultiPolygon, footprint: MultiPolygon, grid: StoreTileGrid | null): SoldArea {
  const inside = intersection(area, footprint);
  if (grid === null || inside.coordinates.length === 0) return { area: inside, tiles: grid === null ? null : [] };
  const tiles = storeTilesOf(inside, grid);
  return { area: intersection(storeTilesArea(tiles, grid), footprint), tiles };
}
