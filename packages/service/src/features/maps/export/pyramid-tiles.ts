import type { MultiPolygon, PolygonCoordinates } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { Tile } from "@swath/kernel/tiles/tile";
import type { ListedTile } from "../signed-map-id.ts";
import { tilesOf } from "./export-plan.ts";

const WHOLE_WORLD: readonly ListedTile[] = [{ zoom: 0, x: 0, y: 0 }];

/** Tiles of a zoom that an area touches, on both sides of the antimeridian; only their number when they are too many. */
export async function tilesOfArea(
  area: MultiPolygon,
  zoom: number,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly tiles: readonly Tile[] }> {
  const [, , eastDeg] = mbr(area);
  if (eastDeg <= 180) return await tilesOf(area, WHOLE_WORLD, zoom, signal);
  const [east, west] = await Promise.all(
    [false, true].map(async (wanted) => {
      const coordinates = area.coordinates.filter((polygon) => isWestern(polygon) === wanted);
      return await tilesOf({ type: "MultiPolygon", coordinates }, WHOLE_WORLD, zoom, signal);
    }),
  );
  return { count: east!.count + west!.count, tiles: [...east!.tiles, ...west!.tiles] };
}

/** The tiles of a zoom and all their ancestors. */
export function withAncestors(tiles: readonly Tile[]): readonly Tile[] {
  const all = [...tiles];
  for (let level = tiles; (level[0]?.[0] ?? 0) > 0;) {
    const parents = level.map(([z, x, y]): Tile => [z - 1, x >> 1, y >> 1]);
    level = [...new Map(parents.map((tile) => [tile.join("/"), tile])).values()];
    all.push(...level);
  }
  return all;
}

function isWestern([ring]: PolygonCoordinates): boolean {
  return ring!.some(([lonDeg]) => lonDeg < 0);
}
