import { WGS84_A_M } from "../geometry/wgs84.ts";
import { ecefOf } from "../orbits/geodetic.ts";
import type { Propagator } from "../orbits/sgp4.ts";
import { dot, subtract, type Ecef, type StateVector } from "../orbits/state-vector.ts";

/** A place on the ellipsoid. */
export interface GroundTarget {
  readonly lonDeg: number;
  readonly latDeg: number;
}

const RADIAN = 180 / Math.PI;
/** The smallest radius of the ellipsoid sees least far: a bound needs the largest. */
const MARGIN_DEG = 0.5;
/** Orbits with eccentricities up to 0.02 turn up to 4 % faster than at the moment looked at. */
const FASTEST_TURN = 1.05;
const SHORTEST_STEP_MS = 15_000;
/** An hour at least lies between two approaches of one orbit. */
const AFTER_APPROACH_MS = 600_000;

/** Angle at the centre of the earth within which a satellite sees places, at most `maxOffNadirDeg` from its nadir. */
function reachDeg(radiusM: number, maxOffNadirDeg: number): number {
  const sinEdge = (radiusM / WGS84_A_M) * Math.sin(maxOffNadirDeg / RADIAN);
  if (sinEdge >= 1) return Math.acos(WGS84_A_M / radiusM) * RADIAN;
  return Math.asin(sinEdge) * RADIAN - maxOffNadirDeg;
}

/** Change of the distance between satellite and target times that distance: negative while they approach. */
export function approachRate(state: StateVector, targetM: Ecef): number {
  return -dot(subtract(targetM, state.positionM), state.velocityMs);
}

/**
 * Moments at which a satellite is nearest to a target, while it may see it within an angle from its nadir. Ascending.
 * The orbit is looked at only as often as its angular speed demands: some 2,000 times in 14 days.
 *
 * @param fromMs milliseconds since 1970, UTC; so is `toMs`
 * @param radiusDeg of an area around the target, at the centre of the earth: it is enough to see a part of that area
 * @throws {RangeError} when the orbit has decayed by then
 */
export function closestApproaches(
  propagate: Propagator,
  target: GroundTarget,
  maxOffNadirDeg: number,
  fromMs: number,
  toMs: number,
  radiusDeg = 0,
): readonly number[] {
  const targetM = ecefOf(target.lonDeg, target.latDeg);
  const targetRadiusM = Math.hypot(...targetM);
  const found: number[] = [];
  let timeMs = fromMs;
  while (timeMs <= toMs) {
    const state = propagate(timeMs);
    const radiusM = Math.hypot(...state.positionM);
    const cosine = dot(state.positionM, targetM) / (radiusM * targetRadiusM);
    const centralDeg = Math.acos(Math.min(Math.max(cosine, -1), 1)) * RADIAN;
    const beyondDeg = centralDeg - reachDeg(radiusM, maxOffNadirDeg) - radiusDeg - MARGIN_DEG;
    const turnDegPerMs = ((Math.hypot(...state.velocityMs) / radiusM) * RADIAN * FASTEST_TURN) / 1000;
    if (beyondDeg > 0) {
      timeMs += Math.max(SHORTEST_STEP_MS, beyondDeg / turnDegPerMs);
      continue;
    }
    if (approachRate(state, targetM) >= 0) {
      timeMs += AFTER_APPROACH_MS;
      continue;
    }
    const closestMs = zeroOfRate(propagate, targetM, timeMs);
    if (closestMs <= toMs) found.push(closestMs);
    timeMs = closestMs + AFTER_APPROACH_MS;
  }
  return found;
}

/** The moment of the closest approach after one while they approach, to 0.1 ms. */
function zeroOfRate(propagate: Propagator, targetM: Ecef, approachingMs: number): number {
  let before = approachingMs;
  let after = approachingMs + SHORTEST_STEP_MS;
  while (approachRate(propagate(after), targetM) < 0) {
    before = after;
    after += SHORTEST_STEP_MS;
  }
  while (after - before > 0.1) {
    const middle = (before + after) / 2;
    if (approachRate(propagate(middle), targetM) < 0) before = middle;
    else after = middle;
  }
  return (before + after) / 2;
}
