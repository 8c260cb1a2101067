import type { PlacedObject } from "../analysis/placed-object.ts";
import type { MultiPolygon, Position } from "@swath/kernel/geometry/geojson";
import { tileAt } from "@swath/kernel/tiles/tile";

/**
 * Objects whose centre lies in the area, when one is given, and in the tile, when there is one. Tiles are half-open, so
 * that an object on the edge of two belongs to one of them.
 */
export function objectsIn(
  objects: readonly PlacedObject[],
  area: MultiPolygon | null,
  tile: { readonly z: number; readonly x: number; readonly y: number } | null,
): readonly PlacedObject[] {
  return objects.filter(({ centre: [lonDeg, latDeg] }) => {
    if (tile !== null) {
      const [, x, y] = tileAt(lonDeg, latDeg, tile.z);
      if (x !== tile.x || y !== tile.y) return false;
    }
    return area === null || isInside(lonDeg, latDeg, area);
  });
}

/** Even-odd rule over all rings of the polygon that holds the point. */
function isInside(lonDeg: number, latDeg: number, { coordinates }: MultiPolygon): boolean {
  return coordinates.some((rings) => {
    let inside = false;
    for (const ring of rings) if (crossesOddly(lonDeg, latDeg, ring)) inside = !inside;
    return inside;
  });
}

function crossesOddly(lonDeg: number, latDeg: number, ring: readonly Position[]): boolean {
  let odd = false;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1]!;
    const [x1, y1] = ring[i]!;
    if (y0 > latDeg !== y1 > latDeg && lonDeg < x0 + ((latDeg - y0) / (y1 - y0)) * (x1 - x0)) odd = !odd;
  }
  return odd;
}
