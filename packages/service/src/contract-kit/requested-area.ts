import { areaParts, extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { validateGeoJson } from "@swath/kernel/geometry/validate-geometry";
import { ServiceError, type ErrorDetail } from "../errors.ts";

export interface AreaRules {
  /** JSON Pointer of the member, such as "/extent". */
  readonly path: string;
  /** Largest absolute latitude. */
  readonly maxLatitudeDeg: number;
  /** How many footprints the area will be cut with. */
  readonly sceneCount: number;
}

/** Cutting and uniting 10 000 positions takes 0.5 s of a processor; nobody draws an area of more by hand. */
const MAX_POSITIONS = 10_000;
/** Positions times scenes: bounds what one request costs to 5 s. */
const MAX_WORK = 100_000;

function refuse(details: readonly ErrorDetail[]): never {
  throw new ServiceError("VALIDATION-ERROR", details.map(({ path, message }) => `${path} ${message}`).join("; "), {
    details,
  });
}

/**
 * The area that a member of a request means, in normal form.
 *
 * @throws {ServiceError} VALIDATION-ERROR when it is not valid, has no area, or is too detailed
 */
export function requestedArea(geojson: GeoJson, { path, maxLatitudeDeg, sceneCount }: AreaRules): MultiPolygon {
  const faults = validateGeoJson(geojson, path, { maxLatitudeDeg });
  if (faults.length > 0) refuse(faults);
  const positions = areaParts(geojson)
    .flat()
    .reduce((sum, ring) => sum + ring.length, 0);
  const most = Math.min(MAX_POSITIONS, Math.floor(MAX_WORK / Math.max(1, sceneCount)));
  if (positions > most) {
    refuse([{ path, message: `has ${positions} positions, expected at most ${most} for ${sceneCount} scenes` }]);
  }
  const area = extentArea(geojson);
  return area ?? refuse([{ path, message: "must have a Polygon or MultiPolygon with an area" }]);
}
