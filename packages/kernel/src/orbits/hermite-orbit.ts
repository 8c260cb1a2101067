import type { Ecef, StateVector } from "./state-vector.ts";

/** A satellite's path between state vectors. */
export interface Orbit {
  /** In order of time, at least two, no two at one time. */
  readonly vectors: readonly StateVector[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** Position and velocity at one moment, earth-fixed. */
export interface OrbitState {
  readonly positionM: Ecef;
  readonly velocityMs: Ecef;
}

/** The orbit through state vectors in any order; null when fewer than two moments are left. */
export function orbitThrough(given: readonly StateVector[]): Orbit | null {
  const sorted = given
    .filter(({ timeMs, positionM, velocityMs }) => [timeMs, ...positionM, ...velocityMs].every(Number.isFinite))
    .toSorted((a, b) => a.timeMs - b.timeMs);
  const vectors = sorted.filter((vector, index) => index === 0 || vector.timeMs > (sorted[index - 1]?.timeMs ?? 0));
  const first = vectors[0];
  const last = vectors.at(-1);
  return first === undefined || last === undefined || vectors.length < 2
    ? null
    : { vectors, fromMs: first.timeMs, toMs: last.timeMs };
}

/** Index of the vector that begins the interval of a moment, given after the first vector; the first or last interval outside of the orbit. */
function intervalOf({ vectors, fromMs }: Orbit, afterMs: number): number {
  let low = 0;
  let high = vectors.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((vectors[middle]?.timeMs ?? 0) - fromMs <= afterMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The state at a moment: cubic Hermite interpolation on position and velocity of the two vectors around it, the velocity
 * its derivative. Vectors of a low orbit 10 s apart give the position to about 0.3 mm, 60 s apart to about 0.3 m; outside
 * of the vectors the error grows to 16 mm at 10 s and half a metre at 30 s.
 *
 * @param afterMs milliseconds after the first vector: a number since 1970 is too coarse, a satellite moves 2 mm per step
 */
export function stateAt(orbit: Orbit, afterMs: number): OrbitState {
  const index = intervalOf(orbit, afterMs);
  const a = orbit.vectors[index];
  const b = orbit.vectors[index + 1];
  if (a === undefined || b === undefined) throw new RangeError("an orbit has at least two state vectors");
  const stepS = (b.timeMs - a.timeMs) / 1000;
  const u = (afterMs - (a.timeMs - orbit.fromMs)) / 1000 / stepS;
  const w = u - 1;
  // Weights of the positions and velocities at both ends, and the derivatives of those weights.
  const p0 = (1 + 2 * u) * w * w;
  const p1 = u * u * (3 - 2 * u);
  const v0 = stepS * u * w * w;
  const v1 = stepS * u * u * w;
  const dp = (6 * u * w) / stepS;
  const dv0 = w * (3 * u - 1);
  const dv1 = u * (3 * u - 2);
  const position = (axis: 0 | 1 | 2): number =>
    p0 * a.positionM[axis] + p1 * b.positionM[axis] + v0 * a.velocityMs[axis] + v1 * b.velocityMs[axis];
  const velocity = (axis: 0 | 1 | 2): number =>
    dp * (a.positionM[axis] - b.positionM[axis]) + dv0 * a.velocityMs[axis] + dv1 * b.velocityMs[axis];
  return {
    positionM: [position(0), position(1), position(2)],
    velocityMs: [velocity(0), velocity(1), velocity(2)],
  };
}
