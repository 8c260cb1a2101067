import { flatten, isConvex, isInsideConvex, reversed, shoelace, type FlatRing } from "./flat-ring.ts";
import type { MultiPolygon, PolygonCoordinates } from "./geojson.ts";

/** The polygon of an area that has one; else null. */
export function onlyPolygon(area: MultiPolygon): PolygonCoordinates | null {
  return area.coordinates.length === 1 ? (area.coordinates[0] ?? null) : null;
}

/** The exterior of a convex polygon without holes, counter-clockwise; null for any other. */
export function convexExterior(polygon: PolygonCoordinates | null): number[] | null {
  const exterior = polygon?.[0];
  if (polygon?.length !== 1 || exterior === undefined) return null;
  const flat = flatten(exterior);
  if (!isConvex(flat)) return null;
  return shoelace(flat) < 0 ? reversed(flat) : flat;
}

/** Whether every position of an area lies inside a convex counter-clockwise ring or on it, which then has all of the area. */
export function isWithinConvex(area: MultiPolygon, convex: FlatRing): boolean {
  return area.coordinates.every((rings) =>
    rings.every((ring) => ring.every((position) => isInsideConvex(position[0], position[1], convex))),
  );
}
