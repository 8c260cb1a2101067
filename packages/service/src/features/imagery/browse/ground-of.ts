import type { Geometry, MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";

/** Degrees: a tenth of a metre. */
const HALF_SIDE_DEG = 5e-7;

/** A geometry with area: a square of a tenth of a metre for a point, other geometries as they are. */
export function groundOf(geometry: Geometry): Geometry {
  if (geometry.type === "Point") return { type: "Polygon", coordinates: squareAround(geometry.coordinates) };
  if (geometry.type !== "MultiPoint" || !Array.isArray(geometry.coordinates)) return geometry;
  const points: readonly unknown[] = geometry.coordinates;
  return { type: "MultiPolygon", coordinates: points.map(squareAround) } satisfies MultiPolygon;
}

function squareAround(position: unknown): Polygon["coordinates"] {
  const [lon, lat] = (Array.isArray(position) ? position : []) as readonly number[];
  // The reader of the area refuses other values.
  const [x, y] = [Number(lon), Math.min(90 - HALF_SIDE_DEG, Math.max(HALF_SIDE_DEG - 90, Number(lat)))];
  const [west, south, east, north] = [x - HALF_SIDE_DEG, y - HALF_SIDE_DEG, x + HALF_SIDE_DEG, y + HALF_SIDE_DEG];
  return [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ];
}
