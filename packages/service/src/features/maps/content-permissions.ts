import type { mapsContract } from "@swath/contract/features/maps/contract";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { MapTypes } from "@swath/maps/registry";
import type { PermissionsByContent } from "../../platform/context.ts";

/** `<map type namespace>.<provider>.<dataset>` for every map type and scene. */
export function mapsPermissions(mapTypes: MapTypes): PermissionsByContent<typeof mapsContract> {
  return {
    release: ({ mapTypes: ids, mapType, sceneIds }) =>
      releasePermissions(mapTypes, ids ?? (mapType === undefined ? [] : [mapType]), sceneIds),
    statistics: ({ mapTypes: ids = [], sceneIds = [] }) => releasePermissions(mapTypes, ids, sceneIds),
    legacyRelease: ({ mapType, sceneId }) => releasePermissions(mapTypes, [mapType], [sceneId]),
  };
}

/** Unknown map types and ids that name no dataset need no permission: the operation refuses them. */
export function releasePermissions(mapTypes: MapTypes, ids: readonly string[], sceneIds: readonly string[]): string[] {
  const required = new Set<string>();
  for (const id of ids) {
    const namespace = mapTypes.find(id)?.permissionNamespace;
    if (namespace === undefined) continue;
    for (const sceneId of sceneIds) {
      const parsed = parseSceneId(sceneId);
      if (parsed !== null) required.add(`${namespace}.${parsed.provider}.${parsed.dataset}`);
    }
  }
  return [...required];
}
