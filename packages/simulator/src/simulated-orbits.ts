import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import { modelOf, planOf } from "./constellation/catalogue.ts";
import { orbitingAt } from "./constellation/orbiting.ts";

/** The orbits of the simulated constellation. */
export const simulatedOrbits: OrbitSource = {
  stateVectors(sceneId) {
    const vectors = modelOf(sceneId)?.stateVectors ?? [];
    return Promise.resolve(vectors.length === 0 ? null : vectors);
  },

  satellites(provider, dataset, atMs) {
    const satellites = planOf(provider, dataset)?.satellites ?? [];
    return Promise.resolve(satellites.flatMap((satellite) => orbitingAt(satellite, atMs)));
  },
};
