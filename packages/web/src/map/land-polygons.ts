/** Longitude and latitude, degrees. */
type Place = number[];
type Ring = Place[];

/** No edge of a coast is half as long as the equator: such an edge crosses the antimeridian. */
const HALF_TURN = 180;
const TURN = 360;
const ROUNDING = 1e-6;

/** A polygon whose rings cross the antimeridian, as polygons for each side without an edge around the globe. */
export function landPolygons([outer = [], ...holes]: readonly Ring[]): readonly Ring[][] {
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

function hasJump(ring: Ring): boolean {
  let before = ring[0]?.[0] ?? 0;
  for (const [longitude = 0] of ring) {
    if (Math.abs(longitude - before) > HALF_TURN) return true;
    before = longitude;
  }
  return false;
}

/** The ring with longitudes beyond ±180° instead of jumps; a ring around a pole is closed along it. */
function wholeRing(ring: Ring): Ring {
  let turns = 0;
  const places = ring.map(([longitude = 0, latitude = 0], at) => {
    const before = ring[at - 1]?.[0] ?? longitude;
    if (longitude - before > HALF_TURN) turns -= 1;
    if (longitude - before < -HALF_TURN) turns += 1;
    return [longitude + turns * TURN, latitude];
  });
  const [first, last] = [places[0], places.at(-1)];
  if (turns === 0 || first === undefined || last === undefined) return places;
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...places, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

function rangeOf(ring: Ring): readonly [west: number, east: number] {
  let [west, east] = [Infinity, -Infinity];
  for (const [longitude = 0] of ring) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return [west, east];
}

function shifted(ring: Ring, by: number): Ring {
  return by === 0 ? ring : ring.map(([longitude = 0, latitude = 0]) => [longitude + by, latitude]);
}
