import { ecefOf } from "../orbits/geodetic.ts";
import type { Propagator } from "../orbits/sgp4.ts";
import { targetGeometry } from "../orbits/target-geometry.ts";
import type { AreaSample, AreaSamples } from "./area-samples.ts";
import { approachRate, type GroundTarget } from "./closest-approaches.ts";
import type { ImagingSatellite } from "./imaging-satellite.ts";
import { sensorSlackDeg, sensorSpan, type Span } from "./sensor-span.ts";

/** The part of an area that a sensor sees during one pass, and when. */
export interface SeenArea {
  /** From the first moment at which a place is seen to the last; not cut by the interval. */
  readonly span: Span;
  readonly isCentreSeen: boolean;
  /** Places of the grid that are seen within the interval. At least one. */
  readonly places: readonly AreaSample[];
}

/** A place that is seen, and when the satellite is nearest to it. */
interface Sight {
  readonly place: AreaSample;
  readonly closestMs: number;
}

/** Newton's steps to the closest approach of a place; each makes the error some fifty times smaller. */
const APPROACH_STEPS = 6;
const APPROACH_PRECISION_MS = 0.1;
const EDGE_MS = 1;

/**
 * The part of an area that a sensor sees in the pass that is nearest to its centre at a moment; null for nothing.
 *
 * @param centreMs milliseconds since 1970, UTC
 */
export function seenArea(
  satellite: ImagingSatellite,
  area: AreaSamples,
  centreMs: number,
  interval: Span,
): SeenArea | null {
  const see = (place: AreaSample): Sight | null => sightOf(satellite, place, centreMs);
  const centre = see(area.centre);
  const rim = area.rim.flatMap((place) => see(place) ?? []);
  // On one side of the track the ground within the limits is convex: a sensor that sees the rim sees all places.
  const isWhole = centre !== null && rim.length === area.rim.length && isOneSided(satellite, rim);
  const grid = isWhole ? [] : area.grid.flatMap((place) => see(place) ?? []);
  if (!isWhole && grid.length === 0) return null;
  const span = unionOfSpans(satellite, isWhole ? [centre, ...rim] : [...rim, ...grid]);
  if (span === null) return null;
  const places = isWhole ? area.grid : grid.map(({ place }) => place);
  const isCentreSeen = centre !== null;
  if (span.startMs >= interval.startMs && span.endMs <= interval.endMs) return { span, isCentreSeen, places };
  const during = places.filter((place) => {
    const own = spanNear(satellite, place, centreMs);
    return own !== null && own.startMs < interval.endMs && own.endMs > interval.startMs;
  });
  return during.length === 0 ? null : { span, isCentreSeen, places: during };
}

/** When a sensor sees a place during the pass around a moment; null for a place outside of its limits. */
export function spanNear(satellite: ImagingSatellite, place: GroundTarget, nearMs: number): Span | null {
  const { propagate, limits } = satellite;
  return sensorSpan(propagate, place, limits, approachNear(propagate, place, nearMs));
}

/** When a satellite is nearest to a place, from a moment at which it is nearest to another one not far away. */
export function approachNear(propagate: Propagator, { lonDeg, latDeg }: GroundTarget, nearMs: number): number {
  const targetM = ecefOf(lonDeg, latDeg);
  let timeMs = nearMs;
  for (let step = 0; step < APPROACH_STEPS; step += 1) {
    const state = propagate(timeMs);
    const [vx, vy, vz] = state.velocityMs;
    const [x, y, z] = state.positionM;
    // The satellite falls towards the centre by v² / r, so the rate grows by v² (T · r) / r².
    const slope =
      ((vx * vx + vy * vy + vz * vz) * (targetM[0] * x + targetM[1] * y + targetM[2] * z)) / (x * x + y * y + z * z);
    const stepMs = (-approachRate(state, targetM) / slope) * 1000;
    timeMs += stepMs;
    if (Math.abs(stepMs) < APPROACH_PRECISION_MS) break;
  }
  return timeMs;
}

function sightOf({ propagate, limits }: ImagingSatellite, place: AreaSample, centreMs: number): Sight | null {
  const closestMs = approachNear(propagate, place, centreMs);
  const isSeen =
    sensorSlackDeg(propagate, place, limits, closestMs) >= 0 ||
    sensorSpan(propagate, place, limits, closestMs) !== null;
  return isSeen ? { place, closestMs } : null;
}

function isOneSided({ propagate, limits }: ImagingSatellite, rim: readonly Sight[]): boolean {
  if (limits.kind === "optical") return true;
  const sides = rim.map(
    ({ place, closestMs }) => targetGeometry(propagate(closestMs), place.lonDeg, place.latDeg).lookSide,
  );
  return new Set(sides).size === 1;
}

function unionOfSpans({ propagate, limits }: ImagingSatellite, sights: readonly Sight[]): Span | null {
  const ordered = sights.toSorted((a, b) => a.closestMs - b.closestMs);
  const first = ordered[0];
  const last = ordered.at(-1);
  if (first === undefined || last === undefined) return null;
  let union: Span = { startMs: Infinity, endMs: -Infinity };
  for (const { place, closestMs } of [first, last, ...ordered]) {
    const { startMs, endMs } = union;
    // A span that neither edge of the union cuts and whose middle is inside adds nothing.
    const isInside =
      closestMs >= startMs &&
      closestMs <= endMs &&
      (limits.kind === "radar"
        ? closestMs > first.closestMs && closestMs < last.closestMs
        : sensorSlackDeg(propagate, place, limits, startMs - EDGE_MS) < 0 &&
          sensorSlackDeg(propagate, place, limits, endMs + EDGE_MS) < 0);
    const own = isInside ? null : sensorSpan(propagate, place, limits, closestMs);
    if (own !== null) union = { startMs: Math.min(startMs, own.startMs), endMs: Math.max(endMs, own.endMs) };
  }
  return union.startMs < union.endMs ? union : null;
}
