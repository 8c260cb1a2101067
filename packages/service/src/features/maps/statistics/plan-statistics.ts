import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { MapTypes } from "@swath/maps/registry";
import {
  MAX_STATISTICS_AREAS,
  MAX_STATISTICS_ROWS,
  type StatisticsRequest,
} from "@swath/contract/features/maps/statistics-contract";
import { MAX_RELEASED_MAPS } from "@swath/contract/features/maps/release-contract";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { ReleasePlan } from "../release/release-plan.ts";
import { requireMapTypes } from "../require-map-types.ts";
import { refuse } from "./refuse.ts";

export interface PlanStatisticsDeps {
  readonly areas: Pick<Areas, "read">;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
}

/** Ten thousand fields of ten corners. */
export const MAX_AREA_POSITIONS = 100_000;
/** A search takes no more. */
const MAX_PERIOD_POSITIONS = 50_000;
/** The Web Mercator square ends there. */
export const MAX_LATITUDE_DEG = 85.051129;

/** The features of a request; a geometry is one. @throws {ServiceError} VALIDATION-ERROR for too many, or for one without an area */
export function requestedFeatures(areas: GeoJson): readonly { readonly id: string; readonly geometry: GeoJson }[] {
  const features: readonly GeoJson[] = areas.type === "FeatureCollection" ? areas.features : [areas];
  if (features.length === 0) refuse("/areas/features", "has no feature, expected at least one");
  if (features.length > MAX_STATISTICS_AREAS) {
    refuse("/areas/features", `has ${features.length} features, expected at most ${MAX_STATISTICS_AREAS}`);
  }
  return features.map((feature, index) => {
    const geometry = feature.type === "Feature" ? feature.geometry : feature;
    if (geometry === null || (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon")) {
      const path = areas.type === "FeatureCollection" ? `/areas/features/${index}` : "/areas";
      refuse(path, `has a ${geometry?.type ?? "null geometry"}, expected a Polygon or MultiPolygon`);
    }
    const id = feature.type === "Feature" ? feature.id : undefined;
    return { id: String(id ?? index), geometry };
  });
}

/** Maps to make for statistics; null when the request names existing ones. @throws {ServiceError} VALIDATION-ERROR; as `Areas.read` */
export async function planStatistics(
  { areas, mapTypes: known }: PlanStatisticsDeps,
  request: StatisticsRequest,
  signal: AbortSignal,
): Promise<ReleasePlan | null> {
  const { datasets, mapIds, mapTypes, sceneIds, histogram } = request;
  const features = requestedFeatures(request.areas);
  if (histogram !== undefined && !(histogram.high > histogram.low)) {
    refuse("/histogram/high", `is ${histogram.high}, expected more than ${histogram.low}`);
  }
  requireRows(features.length, mapCount(request));
  if (mapIds !== undefined) return null;
  const typeIds = [...new Set(mapTypes)];
  requireMapTypes(known, typeIds, (index) => `/mapTypes/${index}`);
  const unique = [...new Set(sceneIds)];
  if (typeIds.length * unique.length > MAX_RELEASED_MAPS) {
    refuse("/sceneIds", `make ${typeIds.length * unique.length} maps, expected at most ${MAX_RELEASED_MAPS}`);
  }
  const rules = {
    path: "/areas",
    maxLatitudeDeg: MAX_LATITUDE_DEG,
    sceneCount: unique.length,
    maxPositions: datasets === undefined ? MAX_AREA_POSITIONS : MAX_PERIOD_POSITIONS,
  };
  return {
    typeIds,
    mapTypes: typeIds.flatMap((id) => known.find(id) ?? []),
    sceneIds: unique,
    area: await areas.read(request.areas, rules, signal),
  };
}

function mapCount({ allocate, mapIds, mapTypes, sceneIds }: StatisticsRequest): number {
  if (mapIds !== undefined) {
    if (allocate === true) refuse("/allocate", "needs mapTypes: existing maps are paid for");
    if (mapTypes !== undefined || sceneIds !== undefined) refuse("/mapIds", "excludes mapTypes and sceneIds");
    return mapIds.length;
  }
  if (mapTypes === undefined) refuse("/mapTypes", "is required unless mapIds is given");
  if (sceneIds === undefined) refuse("/sceneIds", "is required unless datasets or mapIds is given");
  return mapTypes.length * sceneIds.length;
}

function requireRows(areas: number, maps: number): void {
  if (areas * maps <= MAX_STATISTICS_ROWS) return;
  refuse(
    "/areas",
    `of ${areas} features by ${maps} maps are ${areas * maps} rows, expected at most ${MAX_STATISTICS_ROWS}`,
  );
}
