import type { FlatLine } from "./land-topology.ts";

/** No edge of a coast is half as long as the equator: such an edge crosses the antimeridian. */
const HALF_TURN = 180;
const TURN = 360;
const ROUNDING = 1e-6;

/** A polygon whose rings cross the antimeridian, as polygons for each side without an edge around the globe. */
export function landPolygons([outer = [], ...holes]: readonly FlatLine[]): readonly FlatLine[][] {
  // Nearly all land: the finest outlines have half a million places.
  if (![outer, ...holes].some(hasJump)) return [[outer, ...holes]];
  const whole = wholeRing(outer);
  const [west, east] = rangeOf(whole);
  const wholeHoles = holes.map((hole) => {
    const ring = wholeRing(hole);
    return shifted(ring, TURN * Math.round((west + east - rangeOf(ring)[0] - rangeOf(ring)[1]) / 2 / TURN));
  });
  return [-TURN, 0, TURN]
    .filter((by) => west + by < HALF_TURN - ROUNDING && east + by > ROUNDING - HALF_TURN)
    .map((by) => [whole, ...wholeHoles].map((ring) => shifted(ring, by)));
}

function hasJump(ring: FlatLine): boolean {
  for (let at = 2; at < ring.length; at += 2) if (Math.abs(jumpAt(ring, at)) > HALF_TURN) return true;
  return false;
}

/** Degrees of longitude from the place before, 0 at the first. */
function jumpAt(ring: FlatLine, at: number): number {
  const longitude = ring[at] ?? 0;
  return longitude - (ring[at - 2] ?? longitude);
}

/** The ring with longitudes beyond ±180° instead of jumps; a ring around a pole is closed along it. */
function wholeRing(ring: FlatLine): FlatLine {
  const whole: FlatLine = [];
  let turns = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const jump = jumpAt(ring, at);
    if (Math.abs(jump) > HALF_TURN) turns -= Math.sign(jump);
    whole.push((ring[at] ?? 0) + turns * TURN, ring[at + 1] ?? 0);
  }
  const [firstLongitude = 0, firstLatitude = 0] = whole;
  if (turns === 0) return whole;
  const pole = firstLatitude < 0 ? -90 : 90;
  return [...whole, whole.at(-2) ?? 0, pole, firstLongitude, pole, firstLongitude, firstLatitude];
}

function rangeOf(ring: FlatLine): readonly [west: number, east: number] {
  let [west, east] = [Infinity, -Infinity];
  for (let at = 0; at < ring.length; at += 2) {
    west = Math.min(west, ring[at] ?? 0);
    east = Math.max(east, ring[at] ?? 0);
  }
  return [west, east];
}

function shifted(ring: FlatLine, by: number): FlatLine {
  return by === 0 ? ring : ring.map((value, at) => (at % 2 === 0 ? value + by : value));
}
