import { sunPosition } from "../orbits/sun.ts";
import type { Propagator } from "../orbits/sgp4.ts";
import { targetGeometry, type TargetGeometry } from "../orbits/target-geometry.ts";
import { closestApproaches, type GroundTarget } from "./closest-approaches.ts";
import type { OpticalLimits, RadarLimits, SensorLimits } from "./sensor-limits.ts";

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
const PASS_MS = 1_200_000;
/** The least angle of a pass comes some seconds at most before or after the least distance. */
const PEAK_SPREAD_MS = 30_000;
const EDGE_STEP_MS = 30_000;
const EDGE_PRECISION_MS = 1;

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
  const reachDeg = limits.kind === "optical" ? limits.maxOffNadirDeg : limits.maxIncidenceDeg;
  const windows: TargetWindow[] = [];
  for (const closestMs of closestApproaches(propagate, target, reachDeg, fromMs - PASS_MS, toMs + PASS_MS)) {
    const span =
      limits.kind === "optical"
        ? opticalSpan(propagate, target, limits, closestMs)
        : radarSpan(propagate, target, limits, closestMs);
    if (span === null) continue;
    const startMs = Math.max(span.startMs, fromMs);
    const endMs = Math.min(span.endMs, toMs);
    if (startMs >= endMs) continue;
    const sunElevationDeg = sunPosition((startMs + endMs) / 2, target.lonDeg, target.latDeg).elevationDeg;
    if (limits.kind === "optical" && sunElevationDeg < limits.minSunElevationDeg) continue;
    const { offNadirDeg, incidenceDeg, lookSide, pass } = geometryAt(propagate, target, closestMs);
    windows.push({ startMs, endMs, closestMs, offNadirDeg, incidenceDeg, lookSide, pass, sunElevationDeg });
  }
  return windows;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

function geometryAt(propagate: Propagator, target: GroundTarget, timeMs: number): TargetGeometry {
  return targetGeometry(propagate(timeMs), target.lonDeg, target.latDeg);
}

function opticalSpan(
  propagate: Propagator,
  target: GroundTarget,
  { maxOffNadirDeg }: OpticalLimits,
  closestMs: number,
): Span | null {
  const slackDeg = (timeMs: number): number => {
    const { offNadirDeg, elevationDeg } = geometryAt(propagate, target, timeMs);
    return Math.min(maxOffNadirDeg - offNadirDeg, elevationDeg);
  };
  const peakMs = slackDeg(closestMs) >= 0 ? closestMs : peakOf(slackDeg, closestMs);
  if (slackDeg(peakMs) < 0) return null;
  return { startMs: edgeOf(slackDeg, peakMs, -EDGE_STEP_MS), endMs: edgeOf(slackDeg, peakMs, EDGE_STEP_MS) };
}

/** Where a function with one peak near a moment is largest, by golden sections, to a millisecond. */
function peakOf(value: (timeMs: number) => number, nearMs: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [nearMs - PEAK_SPREAD_MS, nearMs + PEAK_SPREAD_MS];
  while (high - low > EDGE_PRECISION_MS) {
    const [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
    if (value(left) < value(right)) low = left;
    else high = right;
  }
  return (low + high) / 2;
}

/** Where a value that is positive at a moment turns negative, looking forwards or backwards. */
function edgeOf(value: (timeMs: number) => number, insideMs: number, stepMs: number): number {
  let inside = insideMs;
  let outside = insideMs + stepMs;
  while (value(outside) >= 0) {
    inside = outside;
    outside += stepMs;
  }
  while (Math.abs(outside - inside) > EDGE_PRECISION_MS) {
    const middle = (inside + outside) / 2;
    if (value(middle) >= 0) inside = middle;
    else outside = middle;
  }
  return (inside + outside) / 2;
}

function radarSpan(propagate: Propagator, target: GroundTarget, limits: RadarLimits, closestMs: number): Span | null {
  const { incidenceDeg, elevationDeg, lookSide } = geometryAt(propagate, target, closestMs);
  const isSeen = elevationDeg > 0 && limits.lookSides.includes(lookSide);
  if (!isSeen || incidenceDeg < limits.minIncidenceDeg || incidenceDeg > limits.maxIncidenceDeg) return null;
  const halfMs = (limits.dwellS * 1000) / 2;
  return { startMs: closestMs - halfMs, endMs: closestMs + halfMs };
}
