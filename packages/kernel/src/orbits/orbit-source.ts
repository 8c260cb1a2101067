import type { MeanElements } from "./sgp4.ts";
import type { StateVector } from "./state-vector.ts";

/** A satellite in orbit. */
export interface OrbitingSatellite {
  readonly name: string;
  /** Number of the satellite catalogue. */
  readonly catalogueNumber: number;
  readonly elements: MeanElements;
}

/** A source of satellites and their orbits. */
export interface OrbitSource {
  /** State vectors around the acquisition of a scene. Null when the source does not know the scene or its orbit. */
  stateVectors(sceneId: string): Promise<readonly StateVector[] | null>;
  /**
   * Satellites that image for a dataset and work at that moment, each with its newest elements until then. Empty for a
   * dataset that the source does not know.
   */
  satellites(provider: string, dataset: string, atMs: number): Promise<readonly OrbitingSatellite[]>;
}
