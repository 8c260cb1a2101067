import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { MapTypes } from "@swath/maps/registry";
import type { Areas } from "../../../platform/geometry/areas.ts";
import { releasedPart } from "../released-part.ts";
import { sceneGroups } from "../scene-groups.ts";

/** A map that a release would make. */
export interface WantedMap {
  /** Whether pixels are analysed, or only drawn. */
  readonly isAnalyzed: boolean;
  /** Area of the map. */
  readonly km2: number;
}

/** A map type of some scenes: one map of each, or of pairs and series. */
export interface WantedType {
  readonly mapType: string;
  readonly scenes: readonly Scene[];
}

/** Area that scenes have in common inside the extent. */
export type CommonKm2 = (scenes: readonly Scene[]) => Promise<number>;

/** Each set of scenes is clipped once, however many maps it has. */
export function commonKm2In(areas: Pick<Areas, "intersection">, area: MultiPolygon, signal: AbortSignal): CommonKm2 {
  const known = new Map<string, number>();
  return async (scenes) => {
    const key = scenes.map(({ sceneId }) => sceneId).join(" ");
    const km2 = known.get(key) ?? areaKm2((await releasedPart(areas, scenes, area, signal)).inside);
    known.set(key, km2);
    return km2;
  };
}

/** The maps that a release of a map type of some scenes would make; none without an area. */
export async function wantedMaps(
  mapTypes: Pick<MapTypes, "find">,
  { mapType, scenes }: WantedType,
  commonKm2: CommonKm2,
): Promise<readonly WantedMap[]> {
  const descriptor = mapTypes.find(mapType);
  if (descriptor === undefined) return [];
  const isAnalyzed = descriptor.rendering.kind !== "composite";
  const isSingle = (descriptor.analysis?.scenes.max ?? 1) === 1;
  const found = scenes.map((scene) => ({ scene }));
  const groups = isSingle ? found.map((one) => [one]) : sceneGroups(descriptor, found).groups;
  const maps: WantedMap[] = [];
  for (const group of groups) {
    const km2 = await commonKm2(group.map(({ scene }) => scene));
    if (km2 > 0) maps.push({ isAnalyzed, km2 });
  }
  return maps;
}
