import { referenceRevolution, type RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import type { Ecef } from "@swath/kernel/orbits/state-vector";

export interface TrackState {
  readonly positionM: Ecef;
  readonly velocityMs: Ecef;
}

/** State `sinceNodeMs` after the ascending node at longitude 0, for up to half a revolution more than one. */
export type ReferenceTrack = (sinceNodeMs: number) => TrackState;

/** Hermite interpolation over ten seconds is exact to a millimetre. */
const STEP_MS = 10_000;
/** Samples before the node, for frames and state vectors that start there. */
const BEFORE = 60;

const tracks = new WeakMap<RepeatOrbit, ReferenceTrack>();

/** The first revolution of an orbit, propagated once. */
export function referenceTrack(orbit: RepeatOrbit): ReferenceTrack {
  const known = tracks.get(orbit);
  if (known !== undefined) return known;
  const track = sampled(orbit);
  tracks.set(orbit, track);
  return track;
}

function sampled(orbit: RepeatOrbit): ReferenceTrack {
  const { epochMs, propagate } = referenceRevolution(orbit);
  const count = Math.ceil((1.5 * orbit.nodalPeriodMs) / STEP_MS) + BEFORE + 2;
  const samples = new Float64Array(count * 6);
  for (let i = 0; i < count; i += 1) {
    const { positionM, velocityMs } = propagate(epochMs + (i - BEFORE) * STEP_MS);
    samples.set(positionM, i * 6);
    samples.set(velocityMs, i * 6 + 3);
  }
  return (sinceNodeMs) => {
    const at = sinceNodeMs / STEP_MS + BEFORE;
    const index = Math.min(Math.max(Math.floor(at), 0), count - 2);
    const s = at - index;
    if (s < 0 || s > 1) throw new RangeError(`the track covers one revolution and a half, got ${sinceNodeMs} ms`);
    return interpolate(samples, index * 6, s);
  };
}

function interpolate(samples: Float64Array, from: number, s: number): TrackState {
  const h = STEP_MS / 1000;
  const position: [number, number, number] = [0, 0, 0];
  const velocity: [number, number, number] = [0, 0, 0];
  const s2 = s * s;
  const s3 = s2 * s;
  for (let axis = 0; axis < 3; axis += 1) {
    const p0 = samples[from + axis] ?? 0;
    const v0 = (samples[from + 3 + axis] ?? 0) * h;
    const p1 = samples[from + 6 + axis] ?? 0;
    const v1 = (samples[from + 9 + axis] ?? 0) * h;
    position[axis] = (2 * s3 - 3 * s2 + 1) * p0 + (s3 - 2 * s2 + s) * v0 + (3 * s2 - 2 * s3) * p1 + (s3 - s2) * v1;
    velocity[axis] = (6 * (s2 - s) * (p0 - p1) + (3 * s2 - 4 * s + 1) * v0 + (3 * s2 - 2 * s) * v1) / h;
  }
  return { positionM: position, velocityMs: velocity };
}

/** The same state with the earth turned: for revolutions whose node is at that longitude. */
export function turned(state: TrackState, lonDeg: number): TrackState {
  const c = Math.cos((lonDeg * Math.PI) / 180);
  const s = Math.sin((lonDeg * Math.PI) / 180);
  const turn = ([x, y, z]: Ecef): Ecef => [c * x - s * y, s * x + c * y, z];
  return { positionM: turn(state.positionM), velocityMs: turn(state.velocityMs) };
}
