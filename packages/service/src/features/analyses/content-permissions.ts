import type { analysesContract } from "@swath/contract/features/analyses/contract";
import type { MapTypes } from "@swath/maps/registry";
import type { PermissionsByContent } from "../../platform/context.ts";
import { releasePermissions } from "../maps/content-permissions.ts";
import { SPAWNED_MAP_TYPE } from "./spawned-map-type.ts";

/** The permissions of the releases that make the maps of frames. */
export function analysesPermissions(mapTypes: MapTypes): PermissionsByContent<typeof analysesContract> {
  return {
    addMapTypes: ({ mapTypes: ids, sceneIds }) => releasePermissions(mapTypes, ids, sceneIds),
    spawnFromScene: ({ sceneId }) => releasePermissions(mapTypes, [SPAWNED_MAP_TYPE], [sceneId]),
  };
}
