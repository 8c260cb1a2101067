import type { Propagator } from "../orbits/sgp4.ts";
import type { SensorLimits } from "./sensor-limits.ts";

/** A satellite with a sensor. */
export interface ImagingSatellite {
  readonly name: string;
  readonly catalogueNumber: number;
  readonly propagate: Propagator;
  /** When the elements of the orbit were determined, milliseconds since 1970, UTC. */
  readonly elementsEpochMs: number;
  readonly limits: SensorLimits;
  readonly swathKm: number;
  /** Between the end of a strip and the beginning of the next, seconds. */
  readonly setupGapS: number;
}
