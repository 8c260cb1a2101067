import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { MapTypes } from "@swath/maps/registry";
import { MAX_MOSAIC_KM2, type MosaicChoice } from "@swath/contract/features/maps/mosaic-contract";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { ReleasePlan } from "../release/release-plan.ts";
import { releasedArea } from "../released-area.ts";
import { requireMapTypes } from "../require-map-types.ts";
import { refuse } from "../statistics/refuse.ts";
import { scoreOf } from "./kept-mosaic.ts";

export interface PlanMosaicDeps {
  readonly areas: Pick<Areas, "read">;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
}

/** A mosaic in normal form: the release of its scenes, and how they become one map. */
export interface MosaicPlan extends ReleasePlan {
  readonly mapType: MapTypeDescriptor;
  /** Index that decides by the rule `max` of a picture; else null. */
  readonly index: string | null;
}

/** @throws {ServiceError} VALIDATION-ERROR; as `Areas.read` */
export async function planMosaic(
  deps: PlanMosaicDeps,
  request: MosaicChoice,
  sceneIds: readonly string[],
  signal: AbortSignal,
): Promise<MosaicPlan> {
  const { mapTypes, areas } = deps;
  const { extent, mapType: typeId } = request;
  requireMapTypes(mapTypes, [typeId], () => "/mapType");
  const mapType = mapTypes.find(typeId);
  if (mapType === undefined) throw new Error(`the map type ${typeId} has no fault, but cannot be found`);
  if (mapType.analysis !== undefined) {
    refuse("/mapType", `got ${typeId}, an analysis: expected imagery or an index, which are drawn from scenes`);
  }
  const area = await releasedArea(areas, extent, { path: "/extent", sceneIds }, signal);
  const km2 = areaKm2(area);
  if (km2 > MAX_MOSAIC_KM2) refuse("/extent", `has ${Math.round(km2)} km2, expected at most ${MAX_MOSAIC_KM2}`);
  return { typeIds: [typeId], mapTypes: [mapType], mapType, sceneIds, area, index: indexOf(deps, request, mapType) };
}

function indexOf(
  deps: Pick<PlanMosaicDeps, "mapTypes">,
  { rule, index }: MosaicChoice,
  { rendering }: MapTypeDescriptor,
): string | null {
  const needsIndex = rule === "max" && rendering.kind === "composite";
  if (index === undefined) {
    if (needsIndex) refuse("/index", "is required by the rule max of a picture");
    return null;
  }
  if (!needsIndex) refuse("/index", "is for the rule max of a picture only");
  if (scoreOf(deps, index) === null) refuse("/index", `got ${index}, expected the map type of an index`);
  return index;
}
