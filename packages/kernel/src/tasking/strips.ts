import type { Polygon, Position } from "../geometry/geojson.ts";
import { roundDegrees } from "../geometry/canonical-degrees.ts";
import { DEGREE } from "../geometry/wgs84.ts";
import type { Ecef } from "../orbits/state-vector.ts";
import type { AreaSample, AreaSamples } from "./area-samples.ts";

/** The swaths side by side that cover an area in the direction of one pass. */
export interface StripPlan {
  /** Of the satellite over the ground, clockwise from north, degrees. */
  readonly headingDeg: number;
  readonly count: number;
  /** Middle of the first strip, metres right of the track through the centre of the area. */
  readonly firstM: number;
  /** From the middle of one strip to the next one's. */
  readonly stepM: number;
  readonly swathM: number;
}

/** Neighbouring strips overlap by a tenth. */
const USED_SHARE = 0.9;

/** Direction of a velocity over the ground of a place, clockwise from north, degrees. */
export function groundHeadingDeg(velocityMs: Ecef, lonDeg: number, latDeg: number): number {
  const [sinLon, cosLon] = [Math.sin(lonDeg * DEGREE), Math.cos(lonDeg * DEGREE)];
  const [sinLat, cosLat] = [Math.sin(latDeg * DEGREE), Math.cos(latDeg * DEGREE)];
  const [x, y, z] = velocityMs;
  const east = -sinLon * x + cosLon * y;
  const north = -sinLat * (cosLon * x + sinLon * y) + cosLat * z;
  return (Math.atan2(east, north) / DEGREE + 360) % 360;
}

/** Strips for an area: as many as its width across the track takes of nine tenths of the swath. */
export function stripPlan({ hull }: AreaSamples, headingDeg: number, swathKm: number): StripPlan {
  let [left, right] = [Infinity, -Infinity];
  for (const corner of hull) {
    const across = acrossM(corner, headingDeg);
    left = Math.min(left, across);
    right = Math.max(right, across);
  }
  const swathM = swathKm * 1000;
  const widthM = right - left;
  const count = widthM <= swathM ? 1 : Math.ceil(widthM / (swathM * USED_SHARE));
  const stepM = widthM / count;
  return { headingDeg, count, firstM: left + stepM / 2, stepM, swathM };
}

/** The strip in which a place of the area lies, from 0. */
export function stripOf({ count, firstM, stepM, headingDeg }: StripPlan, place: AreaSample): number {
  if (count === 1) return 0;
  return Math.min(Math.max(Math.round((acrossM(place, headingDeg) - firstM) / stepM), 0), count - 1);
}

/** The outline of a strip: a swath wide and as long as the hull of the area within. A point is in the middle of a square. */
export function stripOutline({ hull, toGround }: AreaSamples, plan: StripPlan, index: number): Polygon {
  const middleM = plan.firstM + index * plan.stepM;
  const halfM = plan.swathM / 2;
  const [startM, endM] = hull.length < 3 ? [-halfM, halfM] : alongRange(hull, plan.headingDeg, middleM, halfM);
  const [sin, cos] = [Math.sin(plan.headingDeg * DEGREE), Math.cos(plan.headingDeg * DEGREE)];
  const corner = (along: number, across: number): Position => {
    const [lonDeg, latDeg] = toGround(along * sin + across * cos, along * cos - across * sin);
    return [roundDegrees(lonDeg), roundDegrees(latDeg)];
  };
  const ring = [
    corner(startM, middleM - halfM),
    corner(startM, middleM + halfM),
    corner(endM, middleM + halfM),
    corner(endM, middleM - halfM),
  ];
  return { type: "Polygon", coordinates: [[...ring, ring[0] ?? [0, 0]]] };
}

function acrossM({ eastM, northM }: AreaSample, headingDeg: number): number {
  return eastM * Math.cos(headingDeg * DEGREE) - northM * Math.sin(headingDeg * DEGREE);
}

function alongM({ eastM, northM }: AreaSample, headingDeg: number): number {
  return eastM * Math.sin(headingDeg * DEGREE) + northM * Math.cos(headingDeg * DEGREE);
}

/** Where a hull begins and ends along the track, between two lines along it. */
function alongRange(
  hull: readonly AreaSample[],
  headingDeg: number,
  middleM: number,
  halfM: number,
): readonly [startM: number, endM: number] {
  const places = hull.map((place) => [acrossM(place, headingDeg) - middleM, alongM(place, headingDeg)] as const);
  const within: number[] = [];
  for (const [index, [across, along]] of places.entries()) {
    if (Math.abs(across) <= halfM) within.push(along);
    const [nextAcross, nextAlong] = places[(index + 1) % places.length] ?? [across, along];
    for (const line of [-halfM, halfM]) {
      if (across < line === nextAcross < line) continue;
      within.push(along + ((line - across) / (nextAcross - across)) * (nextAlong - along));
    }
  }
  return [
    within.reduce((least, one) => Math.min(least, one), Infinity),
    within.reduce((most, one) => Math.max(most, one), -Infinity),
  ];
}
