import type { Orbit } from "./hermite-orbit.ts";
import { addScaled, cross, dot, normalized, subtract, type Ecef } from "./state-vector.ts";
import { zeroDoppler, type ZeroDoppler } from "./zero-doppler.ts";

/** The separation of two radar acquisitions across the line of sight, metres. */
export interface Baseline {
  /** Positive where the secondary is above the reference's line of sight (SNAP, ASF); ISCE's has the other sign. */
  readonly perpendicularM: number;
  /** Positive towards the target. */
  readonly parallelM: number;
}

/** Farther apart two acquisitions are no pair. */
const MAX_BASELINE_M = 100_000;

/** The baseline between two places abeam of the target; null beyond 100 km. */
export function baselineBetween(reference: ZeroDoppler, secondary: ZeroDoppler, targetM: Ecef): Baseline | null {
  const along = normalized(reference.velocityMs);
  const apart = subtract(secondary.positionM, reference.positionM);
  // Orbits converge, so places abeam of one target are not abeam of each other.
  const across = addScaled(apart, -dot(along, apart), along);
  const sight = normalized(subtract(targetM, reference.positionM));
  const normal = normalized(cross(along, sight));
  // Below the line of sight when the radar looks to the right, above when it looks to the left.
  const up = dot(normal, reference.positionM) < 0 ? -1 : 1;
  const perpendicularM = up * dot(across, normal);
  return Math.abs(perpendicularM) > MAX_BASELINE_M ? null : { perpendicularM, parallelM: dot(across, sight) };
}

/**
 * The baseline of a pair at a target, from where each satellite was when the target lay abeam (zero Doppler).
 * Null when state vectors do not reach there or the satellites were more than 100 km apart.
 *
 * @param targetM earth-fixed, metres; the value varies by tens of metres across a wide swath
 */
export function perpendicularBaseline(reference: Orbit, secondary: Orbit, targetM: Ecef): Baseline | null {
  const m = zeroDoppler(reference, targetM);
  const s = m === null ? null : zeroDoppler(secondary, targetM);
  return m === null || s === null ? null : baselineBetween(m, s, targetM);
}
