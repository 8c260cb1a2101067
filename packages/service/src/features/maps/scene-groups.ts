import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "../../errors.ts";
import type { MapTypeDescriptor } from "../../map-types/map-type.ts";

/** A scene and what else is known of it. */
interface Known {
  readonly scene: Pick<Scene, "sceneId" | "datetime">;
}

export interface SceneGroups<S extends Known> {
  /** Scenes of each map, in order of time. */
  readonly groups: readonly (readonly S[])[];
  /** Why there is none. */
  readonly refusal: ServiceError | null;
}

/**
 * Which scenes a map type that compares scenes puts together: pairs of each with the one before it, or all of them in
 * one series.
 */
export function sceneGroups<S extends Known>(mapType: MapTypeDescriptor, scenes: readonly S[]): SceneGroups<S> {
  const { min, max } = mapType.analysis?.scenes ?? { min: 1, max: 1 };
  const ordered = scenes.toSorted((a, b) => compare(a, b));
  if (ordered.length < min || (max > 2 && ordered.length > max)) {
    const expected = max > 2 ? `${min} to ${max}` : `at least ${min}`;
    return refused(
      new ServiceError(
        "UNSUPPORTED-IMAGERY",
        `${mapType.id} compares scenes: got ${ordered.length}, expected ${expected}`,
      ),
    );
  }
  const same = ordered.find((scene, i) => i > 0 && scene.scene.datetime === ordered[i - 1]?.scene.datetime);
  if (same !== undefined) {
    return refused(
      new ServiceError(
        "SCENES-WITH-SAME-DATETIME",
        `two scenes were taken at ${same.scene.datetime}, expected each time once`,
      ),
    );
  }
  if (max > 2) return { groups: [ordered], refusal: null };
  return { groups: ordered.slice(1).map((scene, i) => [ordered[i]!, scene]), refusal: null };
}

function refused(refusal: ServiceError): SceneGroups<never> {
  return { groups: [], refusal };
}

function compare(a: Known, b: Known): number {
  if (a.scene.datetime !== b.scene.datetime) return a.scene.datetime < b.scene.datetime ? -1 : 1;
  return a.scene.sceneId < b.scene.sceneId ? -1 : 1;
}
