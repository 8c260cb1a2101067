import { sunPosition } from "../orbits/sun.ts";
import type { Propagator } from "../orbits/sgp4.ts";
import { targetGeometry, type TargetGeometry } from "../orbits/target-geometry.ts";
import { closestApproaches, type GroundTarget } from "./closest-approaches.ts";
import type { SensorLimits } from "./sensor-limits.ts";
import { reachOfSensorDeg, sensorSpan } from "./sensor-span.ts";

/** A time in which a sensor can image a place. */
export interface TargetWindow {
  /** Milliseconds since 1970, UTC, cut by the interval asked for. */
  readonly startMs: number;
  readonly endMs: number;
  /** When the satellite is nearest; the angles below are those at this moment. */
  readonly closestMs: number;
  readonly offNadirDeg: number;
  readonly incidenceDeg: number;
  readonly lookSide: TargetGeometry["lookSide"];
  readonly pass: TargetGeometry["pass"];
  /** Of the target in the middle of the window, degrees. */
  readonly sunElevationDeg: number;
}

/** An approach within this before or after an interval can reach into it: a pass of 1,500 km height takes 20 minutes. */
export const PASS_MS = 1_200_000;

/**
 * Times in which a satellite can image a place, ascending.
 *
 * @param propagate orbit of the satellite
 * @param fromMs milliseconds since 1970, UTC; so is `toMs`
 * @throws {RangeError} when the orbit has decayed by then
 * @see domain notes, "Feasibility by SGP4"
 */
export function targetWindows(
  propagate: Propagator,
  target: GroundTarget,
  limits: SensorLimits,
  fromMs: number,
  toMs: number,
): readonly TargetWindow[] {
  const reachDeg = reachOfSensorDeg(limits);
  const windows: TargetWindow[] = [];
  for (const closestMs of closestApproaches(propagate, target, reachDeg, fromMs - PASS_MS, toMs + PASS_MS)) {
    const span = sensorSpan(propagate, target, limits, closestMs);
    if (span === null) continue;
    const startMs = Math.max(span.startMs, fromMs);
    const endMs = Math.min(span.endMs, toMs);
    if (startMs >= endMs) continue;
    const sunElevationDeg = sunPosition((startMs + endMs) / 2, target.lonDeg, target.latDeg).elevationDeg;
    if (limits.kind === "optical" && sunElevationDeg < limits.minSunElevationDeg) continue;
    const { offNadirDeg, incidenceDeg, lookSide, pass } = targetGeometry(
      propagate(closestMs),
      target.lonDeg,
      target.latDeg,
    );
    windows.push({ startMs, endMs, closestMs, offNadirDeg, incidenceDeg, lookSide, pass, sunElevationDeg });
  }
  return windows;
}
