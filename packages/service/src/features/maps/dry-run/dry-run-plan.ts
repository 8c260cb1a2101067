import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { DryRunRequest } from "@swath/contract/features/maps/dry-run-contract";
import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import { requireMapTypes } from "../require-map-types.ts";

/** A dry run in normal form. */
export interface DryRunPlan {
  readonly area: MultiPolygon;
  /** Of all groups, each once. */
  readonly sceneIds: readonly string[];
  readonly groups: readonly PlannedGroup[];
}

/** Scenes and the map types that are wanted of them. */
interface PlannedGroup {
  readonly mapTypes: readonly string[];
  /** Each once. */
  readonly sceneIds: readonly string[];
}

/** Maps are made, and credit is allocated, between these parallels. */
const MAX_LATITUDE_DEG = 85;

export interface PlanDryRunDeps {
  readonly areas: Pick<Areas, "read">;
  readonly mapTypes: Pick<MapTypes, "faultOf">;
}

/** @throws {ServiceError} VALIDATION-ERROR; as `Areas.read` */
export async function planDryRun(
  { areas, mapTypes: known }: PlanDryRunDeps,
  { dryRuns, extent }: DryRunRequest,
  signal: AbortSignal,
): Promise<DryRunPlan> {
  requireKnownTypes(known, dryRuns);
  const groups = dryRuns.flatMap(({ mapTypes, scenes }) =>
    scenes.map((group) => ({ mapTypes, sceneIds: Array.isArray(group) ? [...new Set(group)] : [group.sceneId] })),
  );
  const sceneIds = [...new Set(groups.flatMap((group) => group.sceneIds))];
  if (sceneIds.length > MAX_SCENES) {
    const message = `name ${sceneIds.length} scenes, expected at most ${MAX_SCENES}`;
    throw new ServiceError("VALIDATION-ERROR", `dryRuns ${message}`, { details: [{ path: "/dryRuns", message }] });
  }
  const rules = { path: "/extent", maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: sceneIds.length };
  const area = await areas.read(extent, rules, signal);
  return { area, sceneIds, groups };
}

function requireKnownTypes(known: Pick<MapTypes, "faultOf">, dryRuns: DryRunRequest["dryRuns"]): void {
  const at = dryRuns.flatMap(({ mapTypes }, run) =>
    mapTypes.map((id, index) => ({ id, path: `/dryRuns/${run}/mapTypes/${index}` })),
  );
  requireMapTypes(
    known,
    at.map(({ id }) => id),
    (index) => at[index]!.path,
  );
}
