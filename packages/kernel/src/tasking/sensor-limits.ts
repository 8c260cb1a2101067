import type { TargetGeometry } from "../orbits/target-geometry.ts";

type LookSide = TargetGeometry["lookSide"];

/** An optical sensor looks anywhere within a cone around nadir, by day. */
export interface OpticalLimits {
  readonly kind: "optical";
  readonly maxOffNadirDeg: number;
  /** Of the target, degrees; -90 for a sensor that needs no sun. */
  readonly minSunElevationDeg: number;
}

/** A radar looks to its sides, at incidences between two limits, when the target passes through zero Doppler. */
export interface RadarLimits {
  readonly kind: "radar";
  readonly minIncidenceDeg: number;
  readonly maxIncidenceDeg: number;
  readonly lookSides: readonly LookSide[];
  /** How long the target is illuminated, seconds. */
  readonly dwellS: number;
}

export type SensorLimits = OpticalLimits | RadarLimits;
