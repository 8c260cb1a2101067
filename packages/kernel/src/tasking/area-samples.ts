import { normalForm, unwrapRing } from "../geometry/antimeridian.ts";
import { centroid } from "../geometry/centroid.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import type { AreaGeometry, LinearRing, Point } from "../geometry/geojson.ts";
import { longestSideM } from "../geometry/mbr.ts";
import { WGS84_A_M } from "../geometry/wgs84.ts";
import { createProjection } from "../crs/projection.ts";
import type { GroundTarget } from "./closest-approaches.ts";

/** A place of an area, with its metres east and north of the centre in an azimuthal equidistant plane. */
export interface AreaSample extends GroundTarget {
  readonly eastM: number;
  readonly northM: number;
}

/** Places in an area and its hull, from which the geometry of a pass is computed. */
export interface AreaSamples {
  readonly centre: AreaSample;
  /** Corners of the convex hull of the area, counter-clockwise; one for a point. */
  readonly hull: readonly AreaSample[];
  /** At most 16 corners of the hull, the furthest of as many directions. */
  readonly rim: readonly AreaSample[];
  /** Evenly spread over the area; each stands for an equal share of it. At least one. */
  readonly grid: readonly AreaSample[];
  /** Angle at the centre of the earth from the centre to the furthest corner, degrees. */
  readonly radiusDeg: number;
  readonly toGround: (eastM: number, northM: number) => readonly [lonDeg: number, latDeg: number];
}

/** Longest side of an area. In larger ones no pass sees all, and a plane bends too much. */
const MAX_AREA_SIDE_M = 2_000_000;
const RIM_DIRECTIONS = 16;
/** Cells of the box around an area: enough for a coverage of 3 %, few enough for hundreds of satellites. */
const MIN_CELLS = 36;
const MAX_CELLS = 144;
const MAX_SIDE_CELLS = 1_152;
/** A narrow area across its box is sampled again, up to eight times as densely, for so many places. */
const MIN_PLACES = 12;
const FINEST = 8;
/** Pieces into which all edges together are cut, so that they bend as parallels do. */
const MAX_PIECES = 5_000;
const PIECE_DEG = 1;
const RADIAN = 180 / Math.PI;

type Place = readonly [eastM: number, northM: number];
type Box = readonly [westM: number, southM: number, eastM: number, northM: number];

/**
 * Samples of a point or an area without its holes. They are at most half a swath from each other, where that makes no
 * more than 144.
 *
 * @throws {RangeError} when the area is empty or longer than 2,000 km
 */
export function areaSamples(geometry: Point | AreaGeometry, swathKm: number): AreaSamples {
  if (geometry.type === "Point") return pointSamples(geometry.coordinates[0], geometry.coordinates[1]);
  const coordinates = normalForm(geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates);
  const area = { type: "MultiPolygon", coordinates } as const;
  const sideM = longestSideM(area);
  if (!(sideM <= MAX_AREA_SIDE_M)) {
    throw new RangeError(`the area is ${Math.round(sideM / 1000)} km long, expected at most ${MAX_AREA_SIDE_M / 1000}`);
  }
  const [lonDeg, latDeg] = centroid(area);
  const { forward, inverse } = createProjection(`+proj=aeqd +lat_0=${latDeg} +lon_0=${lonDeg} +datum=WGS84`);
  const rings = projectedRings(coordinates.flat(), forward);
  const toSample = ([eastM, northM]: Place): AreaSample => {
    const [lon, lat] = inverse(eastM, northM);
    return { lonDeg: lon, latDeg: lat, eastM, northM };
  };
  const hull = convexHull(rings.flat());
  const grid = gridPlaces(rings, (swathKm * 1000) / 2);
  const radiusM = hull.reduce((most, [east, north]) => Math.max(most, Math.hypot(east, north)), 0);
  return {
    centre: { lonDeg, latDeg, eastM: 0, northM: 0 },
    hull: hull.map(toSample),
    rim: rimOf(hull).map(toSample),
    grid: (grid.length > 0 ? grid : rimOf(hull)).map(toSample),
    radiusDeg: (radiusM / WGS84_A_M) * RADIAN,
    toGround: inverse,
  };
}

function pointSamples(lonDeg: number, latDeg: number): AreaSamples {
  const centre = { lonDeg, latDeg, eastM: 0, northM: 0 };
  const { inverse } = createProjection(`+proj=aeqd +lat_0=${latDeg} +lon_0=${lonDeg} +datum=WGS84`);
  return { centre, hull: [centre], rim: [centre], grid: [centre], radiusDeg: 0, toGround: inverse };
}

function projectedRings(
  rings: readonly LinearRing[],
  forward: (lonDeg: number, latDeg: number) => Place,
): readonly (readonly Place[])[] {
  const unwrapped = rings.map((ring) => unwrapRing(ring).ring);
  let perimeterDeg = 0;
  for (const ring of unwrapped) for (const length of edgeLengths(ring)) perimeterDeg += length;
  const pieceDeg = Math.max(PIECE_DEG, perimeterDeg / MAX_PIECES);
  return unwrapped.map((ring) => {
    const places: Place[] = [];
    const lengths = edgeLengths(ring);
    for (const [index, length] of lengths.entries()) {
      const [lon1, lat1] = ring[index] ?? [0, 0];
      const [lon2, lat2] = ring[index + 1] ?? [0, 0];
      const pieces = Math.max(1, Math.ceil(length / pieceDeg));
      for (let piece = 0; piece < pieces; piece += 1) {
        const t = piece / pieces;
        places.push(forward(lon1 + t * (lon2 - lon1), lat1 + t * (lat2 - lat1)));
      }
    }
    return places;
  });
}

function edgeLengths(ring: readonly (readonly [number, number])[]): readonly number[] {
  return ring.slice(1).map(([lon, lat], index) => {
    const [fromLon, fromLat] = ring[index] ?? [lon, lat];
    return Math.max(Math.abs(lon - fromLon), Math.abs(lat - fromLat));
  });
}

/** The furthest corner in each of some directions. */
function rimOf(hull: readonly Place[]): readonly Place[] {
  if (hull.length <= RIM_DIRECTIONS) return hull;
  const rim = new Set<Place>();
  for (let direction = 0; direction < RIM_DIRECTIONS; direction += 1) {
    const angle = (direction / RIM_DIRECTIONS) * 2 * Math.PI;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    rim.add(hull.reduce((a, b) => (b[0] * cos + b[1] * sin > a[0] * cos + a[1] * sin ? b : a)));
  }
  return [...rim];
}

/** A grid over an area, finer for one that fills little of its box. */
function gridPlaces(rings: readonly (readonly Place[])[], wishedM: number): readonly Place[] {
  const bounds = boundsOf(rings);
  const boxM2 = (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]);
  const spacingM = Math.min(Math.max(wishedM, Math.sqrt(boxM2 / MAX_CELLS)), Math.sqrt(boxM2 / MIN_CELLS));
  let places: readonly Place[] = [];
  for (let finer = 1; finer <= FINEST && places.length < MIN_PLACES; finer *= 2) {
    places = placesInside(rings, bounds, Math.max(spacingM / finer, 1));
  }
  return places;
}

/** Middles of the cells of a grid that lie inside of rings by the even-odd rule, row by row. */
function placesInside(
  rings: readonly (readonly Place[])[],
  [west, south, east, north]: Box,
  spacingM: number,
): readonly Place[] {
  const columns = Math.min(Math.max(1, Math.round((east - west) / spacingM)), MAX_SIDE_CELLS);
  const rows = Math.min(Math.max(1, Math.round((north - south) / spacingM)), MAX_SIDE_CELLS);
  const inside: Place[] = [];
  for (let row = 0; row < rows; row += 1) {
    const y = south + ((row + 0.5) / rows) * (north - south);
    const crossings = crossingsAt(rings, y);
    let passed = 0;
    for (let column = 0; column < columns; column += 1) {
      const x = west + ((column + 0.5) / columns) * (east - west);
      while (passed < crossings.length && (crossings[passed] ?? 0) <= x) passed += 1;
      if (passed % 2 === 1) inside.push([x, y]);
    }
  }
  return inside;
}

function boundsOf(rings: readonly (readonly Place[])[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [x, y] of ring) {
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
  }
  return [west, south, east, north];
}

function crossingsAt(rings: readonly (readonly Place[])[], y: number): readonly number[] {
  const crossings: number[] = [];
  for (const ring of rings) {
    let from = ring.at(-1);
    for (const to of ring) {
      if (from !== undefined && from[1] > y !== to[1] > y) {
        crossings.push(from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]));
      }
      from = to;
    }
  }
  return crossings.toSorted((a, b) => a - b);
}
