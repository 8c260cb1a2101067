import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { validateGeoJson } from "@swath/kernel/geometry/validate-geometry";
import { ServiceError } from "../../errors.ts";

/** The Web Mercator square ends there. */
const MAX_LATITUDE_DEG = 85.051129;

/**
 * The area a request means maps of.
 *
 * @param path JSON Pointer of the member, such as "/extent"
 * @throws {ServiceError} VALIDATION-ERROR
 */
export function releasedArea(geojson: GeoJson, path: string): MultiPolygon {
  const details = validateGeoJson(geojson, path, { maxLatitudeDeg: MAX_LATITUDE_DEG });
  if (details.length > 0) {
    throw new ServiceError("VALIDATION-ERROR", details.map((fault) => `${fault.path} ${fault.message}`).join("; "), {
      details,
    });
  }
  const area = extentArea(geojson);
  if (area === null) {
    const message = "must have a Polygon or MultiPolygon with an area";
    throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
  }
  return area;
}
