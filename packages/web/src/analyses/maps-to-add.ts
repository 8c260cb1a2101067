import type { Layer } from "../maps/layers.ts";

/** Maps that one call adds: each type of each scene. */
export interface MapsToAdd {
  readonly sceneIds: readonly string[];
  readonly mapTypes: readonly string[];
}

/** The maps of the shown layers, in calls that add no other map; layers without a scene are left out. */
export function mapsOfLayers(layers: readonly Layer[]): readonly MapsToAdd[] {
  const typesByScene = new Map<string, Set<string>>();
  for (const { facts } of layers) {
    if (facts === null || facts === "failed" || facts.sceneId === null) continue;
    const types = typesByScene.get(facts.sceneId) ?? new Set();
    typesByScene.set(facts.sceneId, types.add(facts.mapType));
  }
  const scenes = [...typesByScene].map(([sceneId, types]) => ({ sceneId, mapTypes: [...types].toSorted() }));
  return [...Map.groupBy(scenes, ({ mapTypes }) => mapTypes.join()).values()].map((alike) => ({
    sceneIds: alike.map(({ sceneId }) => sceneId),
    mapTypes: alike[0]?.mapTypes ?? [],
  }));
}
