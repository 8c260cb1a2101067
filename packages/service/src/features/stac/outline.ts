import type { MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";

/** RFC 7946 wants exteriors counter-clockwise and holes clockwise, the opposite of the interface. */
function turned(rings: Polygon["coordinates"]): Polygon["coordinates"] {
  return rings.map((ring) => ring.toReversed());
}

/** A footprint as a geometry of RFC 7946. */
export function outlineOf(footprint: MultiPolygon): MultiPolygon | Polygon {
  const [only, ...others] = footprint.coordinates;
  if (only !== undefined && others.length === 0) return { type: "Polygon", coordinates: turned(only) };
  return { type: "MultiPolygon", coordinates: footprint.coordinates.map(turned) };
}

/** West, south, east, north; west is greater than east across the antimeridian. */
export function boxOf({ coordinates }: MultiPolygon): readonly number[] {
  const positions = coordinates.flat(2);
  const lons = positions.map(([lon]) => lon);
  const lats = positions.map(([, lat]) => lat);
  const [west, east] = [least(lons), greatest(lons)];
  const [south, north] = [least(lats), greatest(lats)];
  if (west > -180 || east < 180) return [west, south, east, north];
  const eastern = lons.filter((lon) => lon > 0);
  const western = lons.filter((lon) => lon <= 0);
  // Parts that meet at the antimeridian leave a gap around the prime meridian.
  const crosses = least(eastern) > 0 && greatest(western) < 0 && coordinates.length > 1;
  return crosses ? [least(eastern), south, greatest(western), north] : [west, south, east, north];
}

function least(values: readonly number[]): number {
  return values.reduce((one, other) => Math.min(one, other), Infinity);
}

function greatest(values: readonly number[]): number {
  return values.reduce((one, other) => Math.max(one, other), -Infinity);
}
