import type { Polygon } from "../geometry/geojson.ts";
import type { TargetWindow } from "./target-windows.ts";

/** A pass of a satellite in which it can image an area or a part of it. */
export interface PassWindow extends TargetWindow {
  /** Number of the satellite catalogue. */
  readonly catalogueNumber: number;
  readonly satellite: string;
  /** Share of the area that the pass can image, 0..1. */
  readonly coverageRatio: number;
  /** Outlines along the track, one for each turn of the sensor; one for an area no wider than the swath. */
  readonly strips: readonly Polygon[];
  /** When the elements of the orbit were determined, milliseconds since 1970, UTC. */
  readonly elementsEpochMs: number;
  /** The window may begin and end by so much earlier or later, seconds. */
  readonly uncertaintyS: number;
}
