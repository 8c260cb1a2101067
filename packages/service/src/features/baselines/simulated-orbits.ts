import type { SceneModel } from "@swath/simulator/scene-model";
import type { StateVectorSource } from "./state-vector-source.ts";

/** The orbits of simulated scenes, from the models that their identifiers stand for. */
export function simulatedOrbits(modelOf: (sceneId: string) => SceneModel | null): StateVectorSource {
  return {
    stateVectors(sceneId) {
      const vectors = modelOf(sceneId)?.stateVectors ?? [];
      return Promise.resolve(vectors.length === 0 ? null : vectors);
    },
  };
}
