import { difference, intersection } from "./clip.ts";
import type { LinearRing, MultiPolygon, MultiPolygonCoordinates, PolygonCoordinates, Position } from "./geojson.ts";

type Pair = [lonDeg: number, latDeg: number];

/*
 * Terminology.
 * - Normal form: every longitude in [-180, 180], polygons split at the antimeridian, edges taken literally. What is
 *   stored and what every other geometry function takes.
 * - Unwrapped: longitudes run on past 180 so that an edge never jumps.
 *
 * An edge whose longitudes differ by more than 180 degrees is read as the short way across the antimeridian, which
 * is what clients mean by a box from 170 to -170. Exactly 360 is a full parallel and stays. Boxes wider than 180
 * degrees therefore need a vertex in between.
 */

function shortWay(delta: number): number {
  if (delta > 180 && delta < 360) return delta - 360;
  if (delta < -180 && delta > -360) return delta + 360;
  return delta;
}

/** Longitudes made continuous, starting from the first as it is. `winding` is the sum of all steps: ±360 around a pole. */
export function unwrapRing(ring: LinearRing): { readonly ring: Pair[]; readonly windingDeg: number } {
  const first = ring[0];
  if (first === undefined) return { ring: [], windingDeg: 0 };
  const result: Pair[] = [[first[0], first[1]]];
  let lon = first[0];
  for (let i = 1; i < ring.length; i += 1) {
    const from = ring[i - 1];
    const to = ring[i];
    if (from === undefined || to === undefined) continue;
    const step = shortWay(to[0] - from[0]);
    // A literal longitude keeps its digits; adding steps would not.
    lon = to[0] + 360 * Math.round((lon + step - to[0]) / 360);
    result.push([lon, to[1]]);
  }
  return { ring: result, windingDeg: lon - first[0] };
}

/** A ring around a pole, closed over the nearer pole. */
export function closeOverPole(ring: readonly Pair[]): Pair[] {
  const first = ring[0];
  const last = ring.at(-1);
  if (first === undefined || last === undefined) return [];
  const meanLat = ring.reduce((sum, [, lat]) => sum + lat, 0) / ring.length;
  const pole = meanLat >= 0 ? 90 : -90;
  return [...ring, [last[0], pole], [first[0], pole], [first[0], first[1]]];
}

function range(ring: readonly Position[]): readonly [number, number] {
  let west = Infinity;
  let east = -Infinity;
  for (const [lon] of ring) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  return [west, east];
}

function shifted(ring: readonly Pair[], byDeg: number): Pair[] {
  return byDeg === 0 ? [...ring] : ring.map(([lon, lat]): Pair => [lon + byDeg, lat]);
}

function strip(index: number): MultiPolygon {
  const west = -180 + 360 * index;
  const east = west + 360;
  const ring: Pair[] = [
    [west, -90],
    [east, -90],
    [east, 90],
    [west, 90],
    [west, -90],
  ];
  return { type: "MultiPolygon", coordinates: [[ring]] };
}

/**
 * Places at which a ring can meet others: its western end in [-180, 180), and once more a turn further west when it
 * reaches across the antimeridian.
 */
export function placesOnMap(ring: LinearRing): readonly LinearRing[] {
  if (isNormalRing(ring)) return [ring];
  const unwrapped = unwrapRing(ring).ring;
  const [west, east] = range(unwrapped);
  const turns = 360 * Math.floor((west + 180) / 360);
  const place = shifted(unwrapped, -turns);
  return east - turns <= 180 ? [place] : [place, shifted(place, -360)];
}

/** Whether a ring is in normal form: edges taken literally lie in [-180, 180]. */
export function isNormalRing(ring: LinearRing): boolean {
  let previous: number | undefined;
  for (const [lon] of ring) {
    if (lon < -180 || lon > 180) return false;
    if (previous !== undefined && lon - previous !== shortWay(lon - previous)) return false;
    previous = lon;
  }
  return true;
}

function normalPolygon(polygon: PolygonCoordinates): MultiPolygonCoordinates {
  if (polygon.every(isNormalRing)) return [polygon];
  const [exterior, ...inner] = polygon;
  if (exterior === undefined) return [];
  if (inner.some((hole) => unwrapRing(hole).windingDeg !== 0)) {
    // Seams of rings around a pole need not meet, so such a hole is cut out after both are split.
    const whole: MultiPolygon = { type: "MultiPolygon", coordinates: normalPolygon([exterior]) };
    const cut = (rest: MultiPolygon, hole: LinearRing): MultiPolygon =>
      difference(rest, { type: "MultiPolygon", coordinates: normalPolygon([hole]) });
    return inner.reduce(cut, whole).coordinates;
  }
  const unwrapped = unwrapRing(exterior);
  const closed = unwrapped.windingDeg === 0 ? unwrapped.ring : closeOverPole(unwrapped.ring);
  const [west] = range(closed);
  const outer = shifted(closed, -360 * Math.floor((west + 180) / 360));
  const [outerWest, outerEast] = range(outer);
  const middle = (outerWest + outerEast) / 2;
  const holes = inner.map((hole) => {
    const { ring } = unwrapRing(hole);
    const [holeWest, holeEast] = range(ring);
    return shifted(ring, 360 * Math.round((middle - (holeWest + holeEast) / 2) / 360));
  });
  if (outerEast <= 180) return [[outer, ...holes]];
  const parts: PolygonCoordinates[] = [];
  for (let index = 0; -180 + 360 * index < outerEast; index += 1) {
    const inside = intersection({ type: "MultiPolygon", coordinates: [[outer, ...holes]] }, strip(index));
    for (const part of inside.coordinates) {
      parts.push(part.map((ring) => ring.map(([lon, lat]): Pair => [lon - 360 * index, lat])));
    }
  }
  return parts;
}

/**
 * Polygons in normal form. Accepts rings that jump across the antimeridian, longitudes beyond ±180, rings that wind
 * around a pole (closed over the nearer one) and parts that are split already, which stay as they are.
 */
export function normalForm(polygons: MultiPolygonCoordinates): MultiPolygonCoordinates {
  if (polygons.every((polygon) => polygon.every(isNormalRing))) return polygons;
  return polygons.flatMap(normalPolygon);
}
