import { geodeticOf, type GeodeticPosition } from "./ground-point.ts";
import type { Propagator } from "./sgp4.ts";

export interface TrackPoint extends GeodeticPosition {
  readonly timeMs: number;
}

const MAX_POINTS = 100_000;

/**
 * The points below a satellite at regular times, ends included.
 *
 * @throws {RangeError} if that is more than 100 000 points or the step is not positive
 */
export function groundTrack(propagate: Propagator, fromMs: number, toMs: number, stepMs: number): TrackPoint[] {
  const count = Math.floor((toMs - fromMs) / stepMs) + 1;
  if (!(stepMs > 0) || !(count <= MAX_POINTS)) {
    throw new RangeError(`a ground track has at most ${MAX_POINTS} points, got ${count} of step ${stepMs} ms`);
  }
  return Array.from({ length: Math.max(count, 0) }, (_, index) => {
    const timeMs = fromMs + index * stepMs;
    return { timeMs, ...geodeticOf(propagate(timeMs).positionM) };
  });
}
