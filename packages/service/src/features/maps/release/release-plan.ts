import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { MapTypes } from "@swath/maps/registry";
import { MAX_RELEASED_MAPS, type ReleaseRequest } from "@swath/contract/features/maps/release-contract";
import type { Areas } from "../../../platform/geometry/areas.ts";
import { releasedArea } from "../released-area.ts";
import { requireMapTypes } from "../require-map-types.ts";

/** A release request in normal form, worked out once when it is accepted and once when it runs. */
export interface ReleasePlan {
  /** The names of the request, each once. */
  readonly typeIds: readonly string[];
  /** In the order of `typeIds`. */
  readonly mapTypes: readonly MapTypeDescriptor[];
  /** Each once. */
  readonly sceneIds: readonly string[];
  readonly area: MultiPolygon;
}

export interface PlanReleaseDeps {
  readonly areas: Pick<Areas, "read">;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
}

/** @throws {ServiceError} VALIDATION-ERROR; as `Areas.read` */
export async function planRelease(
  { areas, mapTypes: known }: PlanReleaseDeps,
  request: ReleaseRequest,
  signal: AbortSignal,
): Promise<ReleasePlan> {
  const typeIds = requestedTypes(known, request);
  const { extent, sceneIds } = request;
  const mapCount = typeIds.length * sceneIds.length;
  if (mapCount > MAX_RELEASED_MAPS) {
    const message = `${sceneIds.length} scenes of ${typeIds.length} map types are ${mapCount} maps, expected at most ${MAX_RELEASED_MAPS}`;
    throw new ServiceError("VALIDATION-ERROR", message, { details: [{ path: "/sceneIds", message }] });
  }
  return {
    typeIds,
    mapTypes: typeIds.flatMap((id) => known.find(id) ?? []),
    sceneIds: [...new Set(sceneIds)],
    area: await releasedArea(areas, extent, { path: "/extent", sceneIds }, signal),
  };
}

/** The requested map types, of either form, without repeats. */
function requestedTypes(known: Pick<MapTypes, "faultOf">, { mapTypes, mapType }: ReleaseRequest): readonly string[] {
  if (mapTypes !== undefined) {
    requireMapTypes(known, mapTypes, (index) => `/mapTypes/${index}`);
    return [...new Set(mapTypes)];
  }
  if (mapType === undefined) {
    const message = "is required";
    throw new ServiceError("VALIDATION-ERROR", `mapTypes ${message}`, { details: [{ path: "/mapTypes", message }] });
  }
  requireMapTypes(known, [mapType], () => "/mapType");
  return [mapType];
}
