import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { validateGeoJson } from "@swath/kernel/geometry/validate-geometry";
import { ServiceError } from "../../errors.ts";

/** Credits are allocated between these parallels only. */
const MAX_LATITUDE_DEG = 85;

/** The area a request pays for. @throws {ServiceError} VALIDATION-ERROR */
export function creditArea(geojson: GeoJson): MultiPolygon {
  const details = validateGeoJson(geojson, "/geojson", { maxLatitudeDeg: MAX_LATITUDE_DEG });
  if (details.length > 0) {
    throw new ServiceError("VALIDATION-ERROR", details.map(({ path, message }) => `${path} ${message}`).join("; "), {
      details,
    });
  }
  const area = extentArea(geojson);
  if (area === null) {
    const message = "must have a Polygon or MultiPolygon with an area";
    throw new ServiceError("VALIDATION-ERROR", `/geojson ${message}`, { details: [{ path: "/geojson", message }] });
  }
  return area;
}
