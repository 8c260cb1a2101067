import type { AreaGeometry, Bounds } from "@swath/kernel/geometry/geojson";
import { ringBounds } from "@swath/kernel/geometry/ring-bounds";

/** The box around a polygon in its own coordinates: a footprint split at the antimeridian reaches from -180 to 180. */
export function extentBounds(geometry: AreaGeometry): Bounds {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return ringBounds(polygons.flat());
}
