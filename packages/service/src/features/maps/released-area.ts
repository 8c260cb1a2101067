import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { requestedArea } from "../../platform/requested-area.ts";

/** The Web Mercator square ends there. */
const MAX_LATITUDE_DEG = 85.051129;

/** The area of maps that a member of a request asks for. @throws {ServiceError} VALIDATION-ERROR */
export function releasedArea(geojson: GeoJson, path: string, sceneIds: readonly string[]): MultiPolygon {
  return requestedArea(geojson, { path, maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: new Set(sceneIds).size });
}
