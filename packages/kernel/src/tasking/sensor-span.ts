import type { Propagator } from "../orbits/sgp4.ts";
import { targetGeometry } from "../orbits/target-geometry.ts";
import type { GroundTarget } from "./closest-approaches.ts";
import type { OpticalLimits, RadarLimits, SensorLimits } from "./sensor-limits.ts";

/** Milliseconds since 1970, UTC. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The least angle of a pass comes some seconds at most before or after the least distance. */
const PEAK_SPREAD_MS = 30_000;
/** With eccentricities up to 0.02, the angles at these two moments differ by less than this. */
const PEAK_SPREAD_DEG = 2;
const EDGE_STEP_MS = 30_000;
const EDGE_PRECISION_MS = 1;

/** The largest angle from nadir at which a sensor looks; the incidence is larger than that angle. */
export function reachOfSensorDeg(limits: SensorLimits): number {
  return limits.kind === "optical" ? limits.maxOffNadirDeg : limits.maxIncidenceDeg;
}

/**
 * When a sensor sees a place during one pass; null when the place stays outside of its limits. The sun is not asked.
 *
 * @param closestMs when the satellite is nearest to the place, milliseconds since 1970, UTC
 */
export function sensorSpan(
  propagate: Propagator,
  target: GroundTarget,
  limits: SensorLimits,
  closestMs: number,
): Span | null {
  return limits.kind === "optical"
    ? opticalSpan(propagate, target, limits, closestMs)
    : radarSpan(propagate, target, limits, closestMs);
}

/**
 * Degrees between the view of a place and the nearest limit of the sensor; negative outside. A radar sees a place at its
 * closest approach only; there the limits of incidence count, on an allowed side.
 */
export function sensorSlackDeg(
  propagate: Propagator,
  target: GroundTarget,
  limits: SensorLimits,
  timeMs: number,
): number {
  const { offNadirDeg, elevationDeg, incidenceDeg, lookSide } = targetGeometry(
    propagate(timeMs),
    target.lonDeg,
    target.latDeg,
  );
  if (limits.kind === "optical") return Math.min(limits.maxOffNadirDeg - offNadirDeg, elevationDeg);
  if (!limits.lookSides.includes(lookSide)) return -Infinity;
  return Math.min(limits.maxIncidenceDeg - incidenceDeg, incidenceDeg - limits.minIncidenceDeg, elevationDeg);
}

function opticalSpan(
  propagate: Propagator,
  target: GroundTarget,
  limits: OpticalLimits,
  closestMs: number,
): Span | null {
  const slackDeg = (timeMs: number): number => sensorSlackDeg(propagate, target, limits, timeMs);
  const slackAtClosestDeg = slackDeg(closestMs);
  if (slackAtClosestDeg < -PEAK_SPREAD_DEG) return null;
  const peakMs = slackAtClosestDeg >= 0 ? closestMs : peakOf(slackDeg, closestMs);
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
  if (sensorSlackDeg(propagate, target, limits, closestMs) < 0) return null;
  const halfMs = (limits.dwellS * 1000) / 2;
  return { startMs: closestMs - halfMs, endMs: closestMs + halfMs };
}
