import type { StateVector } from "@swath/kernel/orbits/state-vector";

/** Who else knows the orbits of scenes that were not ingested. */
export interface StateVectorSource {
  /** Null when it does not know the scene or its orbit. */
  stateVectors(sceneId: string): Promise<readonly StateVector[] | null>;
}
