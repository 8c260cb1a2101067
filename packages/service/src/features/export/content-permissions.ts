import type { exportContract } from "@swath/contract/features/export/contract";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { PermissionsByContent } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";

/** `imagery.images.<provider>.<dataset>` of the scene; a provider may be named by an alias of the catalogue. */
export function exportPermissions({
  findProvider,
}: Pick<Catalog, "findProvider">): PermissionsByContent<typeof exportContract> {
  return {
    getImage({ sceneId }) {
      const parts = parseSceneId(sceneId);
      if (parts === null) return [];
      return [`imagery.images.${findProvider(parts.provider)?.id ?? parts.provider}.${parts.dataset}`];
    },
  };
}
