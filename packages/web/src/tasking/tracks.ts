import { groundTrack } from "@swath/kernel/orbits/ground-track";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import type { Shape } from "../map/shape.ts";

type Position = readonly [longitude: number, latitude: number];

/** The part of an opportunity that is drawn. */
export interface Passing {
  readonly windowId: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly strips: readonly { readonly coordinates: unknown }[];
  readonly orbit: {
    readonly epoch: string;
    readonly meanMotion: number;
    readonly eccentricity: number;
    readonly inclination: number;
    readonly raOfAscNode: number;
    readonly argOfPericenter: number;
    readonly meanAnomaly: number;
  } | null;
}

/** The track is drawn from so long before the window to so long after it: some 700 km. */
const AROUND_MS = 90_000;
const STEP_MS = 5_000;

/** Ground tracks of opportunities; one whose provider names no orbit has none. */
export function trackShapes(opportunities: readonly Passing[]): readonly Shape[] {
  return opportunities.flatMap(({ windowId, startTime, endTime, orbit }) => {
    if (orbit === null) return [];
    const propagate = propagatorOfElements({
      epochMs: Date.parse(orbit.epoch),
      meanMotionRevPerDay: orbit.meanMotion,
      eccentricity: orbit.eccentricity,
      inclinationDeg: orbit.inclination,
      nodeDeg: orbit.raOfAscNode,
      perigeeDeg: orbit.argOfPericenter,
      meanAnomalyDeg: orbit.meanAnomaly,
    });
    const points = groundTrack(propagate, Date.parse(startTime) - AROUND_MS, Date.parse(endTime) + AROUND_MS, STEP_MS);
    const coordinates = continuous(points.map(({ lonDeg, latDeg }) => [lonDeg, latDeg]));
    return [{ id: windowId, look: "track", geometry: { type: "LineString", coordinates } }];
  });
}

/** The imaged strips of marked opportunities. */
export function reachShapes(marked: readonly (Passing & { readonly colour: string })[]): readonly Shape[] {
  return marked.map(({ windowId, strips, colour }) => ({
    id: windowId,
    look: "reach",
    colour,
    geometry: { type: "MultiPolygon", coordinates: strips.map(({ coordinates }) => coordinates) },
  }));
}

/** A line across the antimeridian goes on beyond 180° instead of around the globe. */
export function continuous(line: readonly Position[]): readonly Position[] {
  let turns = 0;
  let before: number | null = null;
  return line.map(([longitude, latitude]) => {
    if (before !== null && Math.abs(longitude - before) > 180) turns += longitude < before ? 360 : -360;
    before = longitude;
    return [longitude + turns, latitude];
  });
}
