import type { mapsContract } from "@swath/contract/features/maps/contract";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import { findMapType } from "@swath/maps/find-map-type";
import type { PermissionsByContent } from "../../platform/context.ts";

/** `<map type namespace>.<provider>.<dataset>` for every map type and scene. */
export const mapsPermissions: PermissionsByContent<typeof mapsContract> = {
  release: ({ mapTypes, mapType, sceneIds }) =>
    releasePermissions(mapTypes ?? (mapType === undefined ? [] : [mapType]), sceneIds),
  legacyRelease: ({ mapType, sceneId }) => releasePermissions([mapType], [sceneId]),
};

/** Unknown map types and ids that name no dataset need no permission: the operation refuses them. */
function releasePermissions(mapTypes: readonly string[], sceneIds: readonly string[]): readonly string[] {
  const required = new Set<string>();
  for (const id of mapTypes) {
    const namespace = findMapType(id)?.permissionNamespace;
    if (namespace === undefined) continue;
    for (const sceneId of sceneIds) {
      const parsed = parseSceneId(sceneId);
      if (parsed !== null) required.add(`${namespace}.${parsed.provider}.${parsed.dataset}`);
    }
  }
  return [...required];
}
