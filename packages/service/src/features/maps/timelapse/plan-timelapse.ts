import type { MapTypes } from "@swath/maps/registry";
import type { TimelapseRequest } from "@swath/contract/features/maps/timelapse-contract";
import type { Areas } from "../../../platform/geometry/areas.ts";
import { exportedFile } from "../export/planned-export.ts";
import type { ReleasePlan } from "../release/release-plan.ts";
import { releasedArea } from "../released-area.ts";
import { requireMapTypes } from "../require-map-types.ts";
import { refuse } from "../statistics/refuse.ts";

export interface PlanTimelapseDeps {
  readonly areas: Pick<Areas, "read">;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
}

/** Maps to make for an animation; null when the request names existing ones. @throws {ServiceError} VALIDATION-ERROR; as `Areas.read` */
export async function planTimelapse(
  { areas, mapTypes }: PlanTimelapseDeps,
  { mapIds, mapType: typeId, sceneIds, extent, fileName }: TimelapseRequest,
  signal: AbortSignal,
): Promise<ReleasePlan | null> {
  if (mapIds !== undefined) {
    const isBoth = typeId !== undefined || sceneIds !== undefined || extent !== undefined;
    if (isBoth) refuse("/mapIds", "excludes mapType, sceneIds and extent");
    return null;
  }
  if (typeId === undefined) refuse("/mapType", "is required unless mapIds is given");
  if (sceneIds === undefined) refuse("/sceneIds", "is required unless mapIds is given");
  if (extent === undefined) refuse("/extent", "is required unless mapIds is given");
  requireMapTypes(mapTypes, [typeId], () => "/mapType");
  const mapType = mapTypes.find(typeId);
  if (mapType === undefined) throw new Error(`the map type ${typeId} has no fault, but cannot be found`);
  exportedFile(mapType, { gridFile: "png", fileName });
  const unique = [...new Set(sceneIds)];
  return {
    typeIds: [typeId],
    mapTypes: [mapType],
    sceneIds: unique,
    area: await releasedArea(areas, extent, { path: "/extent", sceneIds: unique }, signal),
  };
}
