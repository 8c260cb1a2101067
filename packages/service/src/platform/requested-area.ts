import { ServiceError, type ErrorDetail } from "@swath/kernel/errors/service-error";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { readArea, type AreaReading, type AreaResult } from "@swath/kernel/geometry/read-area";

export interface AreaRules {
  /** JSON Pointer of the member, such as "/extent". */
  readonly path: string;
  /** Largest absolute latitude. */
  readonly maxLatitudeDeg: number;
  /** Number of footprints that will clip the area. */
  readonly sceneCount: number;
  /** 10,000 unless given. */
  readonly maxPositions?: number;
}

/** Clipping and uniting 10 000 positions takes 0.5 s of a core; no area drawn by hand has more. */
const MAX_POSITIONS = 10_000;
/** Deeper collections are not meaningful areas. */
const MAX_DEPTH = 32;
/** Positions times scenes of one request: a page of scenes under an outline of a thousand positions. */
const MAX_WORK = 1_000_000;

function refuse(details: readonly ErrorDetail[]): never {
  throw new ServiceError("VALIDATION-ERROR", details.map(({ path, message }) => `${path} ${message}`).join("; "), {
    details,
  });
}

/** Number of positions of all polygons, before validation; deeper parts are refused later. */
function ringPositions(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 0;
  if (Array.isArray(value)) return sumOf(value, (one) => ringPositions(one, depth + 1));
  if ("type" in value && "coordinates" in value && (value.type === "Polygon" || value.type === "MultiPolygon")) {
    return positionsIn(value.coordinates, 0);
  }
  const parts = [
    "geometry" in value ? value.geometry : null,
    "geometries" in value ? value.geometries : null,
    "features" in value ? value.features : null,
  ];
  return sumOf(parts, (one) => ringPositions(one, depth + 1));
}

/** Coordinates of a polygon are lists of lists of positions, of a MultiPolygon one level deeper. */
function positionsIn(coordinates: unknown, depth: number): number {
  if (!Array.isArray(coordinates) || depth > 2) return 0;
  const [first] = coordinates as readonly unknown[];
  if (Array.isArray(first) && typeof first[0] === "number") return coordinates.length;
  return sumOf(coordinates, (part) => positionsIn(part, depth + 1));
}

function sumOf(items: readonly unknown[], count: (item: unknown) => number): number {
  return items.reduce((sum: number, item) => sum + count(item), 0);
}

/** Reads the area of a member of a request. @throws {ServiceError} VALIDATION-ERROR when it is too detailed */
export function readRequestedArea(geojson: GeoJson, rules: AreaRules): AreaReading {
  const { path, maxLatitudeDeg, sceneCount, maxPositions = MAX_POSITIONS } = rules;
  const most = Math.min(maxPositions, Math.floor(MAX_WORK / Math.max(1, sceneCount)));
  // Counted first: visiting a quarter of a million positions delays other requests.
  const positions = ringPositions(geojson);
  if (positions > most) {
    refuse([{ path, message: `has ${positions} positions, expected at most ${most} for ${sceneCount} scenes` }]);
  }
  return readArea(geojson, path, { maxLatitudeDeg });
}

/** @throws {ServiceError} VALIDATION-ERROR when the area is not valid or empty */
export function areaOf(result: AreaResult, path: string): MultiPolygon {
  switch (result.kind) {
    case "area":
      return result.area;
    case "faulty":
      return refuse(result.faults);
    case "empty":
      break;
  }
  return refuse([{ path, message: "must have a Polygon or MultiPolygon with an area" }]);
}
