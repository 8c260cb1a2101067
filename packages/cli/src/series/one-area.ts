import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { UsageError } from "../exit-code.ts";

/** All polygons of an area as one. @throws {UsageError} without a polygon */
export function oneArea(extent: GeoJson): MultiPolygon {
  const area = extentArea(extent);
  if (area === null) throw new UsageError("--area holds no polygon with an area");
  return area;
}
