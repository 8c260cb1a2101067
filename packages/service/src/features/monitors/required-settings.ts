import { MAX_MONITOR_AREAS } from "@swath/contract/features/monitors/contract";
import { DATACUBE_NAMES } from "@swath/contract/features/datacube/names";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { measureOf, ruleFault, type MonitorRule } from "@swath/kernel/monitors/rule";

const AREA_ID = new RegExp(DATACUBE_NAMES.aoiId);

/** @throws {ServiceError} VALIDATION-ERROR for too many areas, and for areas without a name or with the same one */
export function requireNamedAreas(areas: GeoJson): void {
  const features: readonly GeoJson[] = areas.type === "FeatureCollection" ? areas.features : [areas];
  if (features.length > MAX_MONITOR_AREAS) {
    refuse("/areas", `has ${features.length} features, expected at most ${MAX_MONITOR_AREAS}`);
  }
  const known = new Set<string>();
  for (const [index, feature] of features.entries()) {
    const id = String((feature.type === "Feature" ? feature.id : undefined) ?? index);
    const path = `/areas/features/${index}/id`;
    if (!AREA_ID.test(id)) refuse(path, "is no name of an area, expected letters, digits and . _ : - only");
    if (known.has(id)) refuse(path, `is ${id}, which an earlier feature has`);
    known.add(id);
  }
}

/** @throws {ServiceError} VALIDATION-ERROR for rules that cannot be evaluated */
export function requireRule(rule: MonitorRule, mapTypes: readonly string[]): void {
  const fault = ruleFault(rule);
  if (fault !== null) refuse(`/rule${fault.path}`, fault.message);
  const { mapType } = measureOf(rule);
  if (!mapTypes.includes(mapType)) {
    refuse(
      rule.kind === "objects" ? "/rule/mapType" : "/rule/measure/mapType",
      `is ${mapType}, which is none of mapTypes`,
    );
  }
}

function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}
