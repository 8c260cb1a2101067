import { MAX_DATASETS, type imageryContract } from "@swath/contract/features/imagery/contract";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { PermissionsByContent } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { imagesPermission } from "./dataset-listing.ts";

/** `imagery.images.<provider>.<dataset>` of the datasets in a request, by identifier or alias of the catalogue. */
export function imageryPermissions({
  findDataset,
}: Pick<Catalog, "findDataset">): PermissionsByContent<typeof imageryContract> {
  /** A dataset that does not exist needs no permission: the operation refuses it. */
  function ofDataset(provider: unknown, dataset: unknown): readonly string[] {
    if (typeof provider !== "string" || typeof dataset !== "string") return [];
    const registered = findDataset(provider, dataset);
    return registered === null ? [] : [imagesPermission(registered)];
  }
  return {
    search(request: unknown) {
      const datasets = member(request, "datasets");
      const named = Array.isArray(datasets) ? datasets.slice(0, MAX_DATASETS) : [request];
      return named.flatMap((one) => ofDataset(member(one, "provider"), member(one, "dataset")));
    },
    thumbnail({ scene_id: sceneId }) {
      const parts = typeof sceneId === "string" ? parseSceneId(sceneId) : null;
      return parts === null ? [] : ofDataset(parts.provider, parts.dataset);
    },
  };
}

/** A member of a request that no schema has checked. */
function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
