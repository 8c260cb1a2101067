import { comparableScenes, sameDatetime } from "@swath/kernel/scenes/pairing";
import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypeDescriptor } from "@swath/maps/map-type";

/** A scene and what else is known of it. */
interface Known {
  readonly scene: Scene;
}

export interface SceneGroups<S extends Known> {
  /** Scenes of each map, in order of time. */
  readonly groups: readonly (readonly S[])[];
  /** Scenes that no map is made of, by the id of the latest of those that belong together, and why. */
  readonly refusals: readonly { readonly sceneId: string; readonly error: ServiceError }[];
}

/**
 * Which scenes a map type that compares scenes puts together, of those that can be compared (radar scenes of one orbit,
 * pass, side and mode): pairs of each with the one before it, or all of them in one series.
 */
export function sceneGroups<S extends Known>(mapType: MapTypeDescriptor, scenes: readonly S[]): SceneGroups<S> {
  const known = new Map(scenes.map((one) => [one.scene.sceneId, one]));
  const { min, max } = mapType.analysis?.scenes ?? { min: 1, max: 1 };
  const groups: (readonly S[])[] = [];
  const refusals: { readonly sceneId: string; readonly error: ServiceError }[] = [];
  for (const comparable of comparableScenes([...known.values()].map(({ scene }) => scene))) {
    const error = refusalOf(mapType, comparable);
    if (error !== null) {
      refusals.push({ sceneId: comparable.at(-1)?.sceneId ?? "", error });
      continue;
    }
    const ordered = comparable.flatMap(({ sceneId }) => known.get(sceneId) ?? []);
    if (max > 2) groups.push(ordered);
    else groups.push(...ordered.slice(min - 1).map((_, i) => ordered.slice(i, i + min)));
  }
  return { groups, refusals };
}

/** Why comparable scenes, in order of time, make no map. */
function refusalOf(mapType: MapTypeDescriptor, comparable: readonly Scene[]): ServiceError | null {
  const { min, max } = mapType.analysis?.scenes ?? { min: 1, max: 1 };
  const count = comparable.length;
  if (count < min || (max > 2 && count > max)) {
    const expected = max > 2 ? `${min} to ${max}` : `at least ${min}`;
    const message = `${mapType.id} compares scenes: got ${count} that can be compared, expected ${expected}`;
    return new ServiceError("UNSUPPORTED-IMAGERY", message);
  }
  const same = sameDatetime([comparable]);
  if (same === null) return null;
  return new ServiceError(
    "SCENES-WITH-SAME-DATETIME",
    `${same[0].sceneId} and ${same[1].sceneId} were both taken at ${same[0].datetime}, expected each time once`,
  );
}
