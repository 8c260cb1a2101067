import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Areas } from "../../platform/geometry/areas.ts";

/** The Web Mercator square ends there. */
const MAX_LATITUDE_DEG = 85.051129;

/** The area of maps that a member of a request asks for. @throws {ServiceError} as `Areas.read` */
export async function releasedArea(
  areas: Pick<Areas, "read">,
  geojson: GeoJson,
  { path, sceneIds }: { readonly path: string; readonly sceneIds: readonly string[] },
  signal: AbortSignal,
): Promise<MultiPolygon> {
  const rules = { path, maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: new Set(sceneIds).size };
  return await areas.read(geojson, rules, signal);
}
