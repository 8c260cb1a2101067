import { stateAt, type Orbit, type OrbitState } from "./hermite-orbit.ts";
import { dot, subtract, type Ecef } from "./state-vector.ts";

/** The satellite when a target lies abeam: where a radar image has the target. */
export interface ZeroDoppler extends OrbitState {
  /** Milliseconds after the first state vector. */
  readonly afterMs: number;
}

/** Beyond the state vectors the interpolation is trusted this far, milliseconds. */
const MAX_EXTRAPOLATION_MS = 10_000;
const MAX_STEPS = 60;
const TOLERANCE_MS = 1e-6;
/** A step from far away may overshoot; the path is not extended further than this. */
const MAX_REACH_MS = 120_000;

/**
 * The moment at which the satellite moves neither towards the target nor away from it, by Newton's method on
 * `v(t) · (target − p(t)) = 0`; null when that is more than 10 s before the first or after the last state vector.
 *
 * @param targetM earth-fixed, metres
 */
export function zeroDoppler(orbit: Orbit, targetM: Ecef): ZeroDoppler | null {
  const endMs = orbit.toMs - orbit.fromMs;
  let afterMs = endMs / 2;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const state = stateAt(orbit, afterMs);
    const towards = subtract(targetM, state.positionM);
    const changeMs = (1000 * dot(state.velocityMs, towards)) / dot(state.velocityMs, state.velocityMs);
    if (!Number.isFinite(changeMs)) return null;
    if (Math.abs(changeMs) < TOLERANCE_MS) {
      const outside = afterMs < -MAX_EXTRAPOLATION_MS || afterMs > endMs + MAX_EXTRAPOLATION_MS;
      return outside ? null : { ...state, afterMs };
    }
    afterMs = Math.min(endMs + MAX_REACH_MS, Math.max(-MAX_REACH_MS, afterMs + changeMs));
  }
  return null;
}
