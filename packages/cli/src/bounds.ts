import type { AreaGeometry, Bounds } from "@swath/kernel/geometry/geojson";

/** The box around a polygon in its own coordinates: a footprint split at the antimeridian reaches from -180 to 180. */
export function extentBounds(geometry: AreaGeometry): Bounds {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const [lon, lat] of polygons.flat(2)) {
    west = Math.min(west, lon);
    south = Math.min(south, lat);
    east = Math.max(east, lon);
    north = Math.max(north, lat);
  }
  return [west, south, east, north];
}
