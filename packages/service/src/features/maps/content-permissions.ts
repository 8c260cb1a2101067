import type { mapsContract } from "@swath/contract/features/maps/contract";
import type { MosaicChoice } from "@swath/contract/features/maps/mosaic-contract";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { MapTypes } from "@swath/maps/registry";
import type { PermissionsByContent } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";

/** `<map type namespace>.<provider>.<dataset>` for every map type and scene. */
export function mapsPermissions(
  mapTypes: MapTypes,
  catalog: Pick<Catalog, "findDataset">,
): PermissionsByContent<typeof mapsContract> {
  return {
    release: ({ mapTypes: ids, mapType, sceneIds }) =>
      releasePermissions(mapTypes, ids ?? (mapType === undefined ? [] : [mapType]), sceneIds),
    statistics: ({ mapTypes: ids = [], sceneIds = [], datasets = [] }) => [
      ...releasePermissions(mapTypes, ids, sceneIds),
      ...searchPermissions(mapTypes, catalog, ids, datasets),
    ],
    mosaic: (request) => mosaicPermissions(mapTypes, catalog, request),
    mosaicDryRun: (request) => mosaicPermissions(mapTypes, catalog, request),
    timelapse: ({ mapType, sceneIds = [] }) =>
      releasePermissions(mapTypes, mapType === undefined ? [] : [mapType], sceneIds),
    legacyRelease: ({ mapType, sceneId }) => releasePermissions(mapTypes, [mapType], [sceneId]),
  };
}

/** Permissions of a release of the scenes of a mosaic, or of their datasets; of the index that decides, too. */
function mosaicPermissions(
  mapTypes: MapTypes,
  catalog: Pick<Catalog, "findDataset">,
  { mapType, index, sceneIds = [], datasets = [] }: MosaicChoice,
): string[] {
  const ids = index === undefined ? [mapType] : [mapType, index];
  return [
    ...releasePermissions(mapTypes, ids, sceneIds),
    ...(datasets.length === 0 ? [] : searchPermissions(mapTypes, catalog, ids, datasets)),
  ];
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

/** Those of a search of datasets, and of a release of map types of them. Unknown datasets are refused later. */
function searchPermissions(
  mapTypes: MapTypes,
  { findDataset }: Pick<Catalog, "findDataset">,
  ids: readonly string[],
  datasets: readonly { readonly provider: string; readonly dataset: string }[],
): string[] {
  const namespaces = ["imagery.images", ...ids.flatMap((id) => mapTypes.find(id)?.permissionNamespace ?? [])];
  return datasets.flatMap(({ provider, dataset }) => {
    const registered = findDataset(provider, dataset);
    if (registered === null) return [];
    return namespaces.map((namespace) => `${namespace}.${registered.provider.id}.${registered.dataset.dataset}`);
  });
}
