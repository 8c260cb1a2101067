import type { Layer } from "./layers.ts";

/**
 * Layers to show and to hide for the date of a scene: among maps of one type, the one of the scene. Types without a map
 * of the scene stay as they are.
 */
export function layersOfDate(
  layers: readonly Pick<Layer, "facts" | "isShown" | "mapId" | "mapType">[],
  sceneId: string,
): readonly { readonly mapId: string; readonly isShown: boolean }[] {
  const types = new Set(layers.filter((layer) => sceneOf(layer) === sceneId).map(({ mapType }) => mapType));
  return layers
    .filter((layer) => types.has(layer.mapType) && sceneOf(layer) !== null)
    .map((layer) => ({ mapId: layer.mapId, isShown: sceneOf(layer) === sceneId, was: layer.isShown }))
    .filter(({ isShown, was }) => isShown !== was)
    .map(({ mapId, isShown }) => ({ mapId, isShown }));
}

function sceneOf({ facts }: Pick<Layer, "facts">): string | null {
  return facts === null || facts === "failed" ? null : facts.sceneId;
}
