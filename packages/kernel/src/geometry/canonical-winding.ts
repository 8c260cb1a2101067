import { closeOverPole, unwrapRing } from "./antimeridian.ts";
import type { LinearRing, PolygonCoordinates } from "./geojson.ts";

/** How a ring turns: 1 counter-clockwise, -1 clockwise, 0 without area. */
export type Turn = -1 | 0 | 1;

/** What a ring encloses, in the plane of longitude and latitude. */
export interface RingArea {
  readonly turn: Turn;
  /** Square degrees. */
  readonly area: number;
}

/** Half the distance between neighbouring doubles at 1. */
const ROUNDING = 2 ** -53;
/** How far the double nearest to a coordinate, or its distance from another, is from it: twice the rounding at 540. */
const COORDINATE_ERROR_DEG = 2 ** -42;

/** Coordinates in whole units of 1e-7 degrees, below 2^53. */
function units(degrees: number): bigint {
  return BigInt(Math.round(degrees * 1e7));
}

/** Sign of the shoelace sum without rounding errors. */
function exactTurn(ring: readonly (readonly [number, number])[]): Turn {
  let sum = 0n;
  let [x1, y1] = [0n, 0n];
  for (const [i, [lon, lat]] of [...ring, ...ring.slice(0, 1)].entries()) {
    const [x2, y2] = [units(lon), units(lat)];
    if (i > 0) sum += x1 * y2 - x2 * y1;
    [x1, y1] = [x2, y2];
  }
  if (sum === 0n) return 0;
  return sum > 0n ? 1 : -1;
}

/**
 * Orientation and planar area of a ring with seven decimals. The ring is unwrapped first, so that one that jumps
 * across the antimeridian keeps its orientation; one around a pole is closed over the nearer pole. The orientation is
 * exact: a ring and its reverse never turn the same way, whatever their size.
 */
export function ringArea(ring: LinearRing): RingArea {
  const unwrapped = unwrapRing(ring);
  const flat = unwrapped.windingDeg === 0 ? unwrapped.ring : closeOverPole(unwrapped.ring);
  // Relative to the first vertex, so that small rings far from the origin keep their digits.
  const [x0, y0] = flat[0] ?? [0, 0];
  let sum = 0;
  let magnitude = 0;
  let extent = 0;
  let [x1, y1] = [0, 0];
  for (const [lon, lat] of flat) {
    const [x2, y2] = [lon - x0, lat - y0];
    sum += x1 * y2 - x2 * y1;
    magnitude += Math.abs(x1 * y2) + Math.abs(x2 * y1);
    extent += Math.abs(x2) + Math.abs(y2);
    [x1, y1] = [x2, y2];
  }
  const error = magnitude * ROUNDING * (flat.length + 8) + 2 * extent * COORDINATE_ERROR_DEG;
  const certain = Math.abs(sum) > error;
  const turn = certain ? (sum > 0 ? 1 : -1) : exactTurn(flat);
  return { turn, area: turn === 0 ? 0 : Math.abs(sum) / 2 };
}

/** The ring, turned round where it does not turn as wanted; its first position stays. One without area stays. */
function wind(ring: LinearRing, wanted: Turn): LinearRing {
  const { turn } = ringArea(ring);
  return turn === 0 || turn === wanted ? ring : ring.toReversed();
}

/** The exterior turned as wanted, holes the other way. */
export function windPolygon(polygon: PolygonCoordinates, exterior: 1 | -1): PolygonCoordinates {
  return polygon.map((ring, index) => wind(ring, index === 0 ? exterior : exterior === 1 ? -1 : 1));
}
