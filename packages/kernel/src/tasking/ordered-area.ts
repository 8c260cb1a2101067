import { createProjection } from "../crs/projection.ts";
import { normalForm, unwrapRing } from "../geometry/antimeridian.ts";
import { multiPolygonAreaKm2 } from "../geometry/area.ts";
import { roundDegrees } from "../geometry/canonical-degrees.ts";
import { ringArea } from "../geometry/canonical-winding.ts";
import { centroid } from "../geometry/centroid.ts";
import { crossesItself } from "../geometry/crosses-itself.ts";
import type { LinearRing, Point, Polygon, Position } from "../geometry/geojson.ts";
import { longestSideM } from "../geometry/mbr.ts";
import { positionFaults, type GeometryFault } from "../geometry/validate-geometry.ts";

/** The area of an order. */
export interface OrderedArea {
  /** Longitudes of a ring run on across the antimeridian. */
  readonly geometry: Polygon;
  /** At least the least area. */
  readonly areaKm2: number;
  /** Of the minimum bounding rectangle, metres. */
  readonly longestSideM: number;
}

/** A polygon has fewer corners. */
export const MAX_ORDER_CORNERS = 250;
/** Edges are straight in longitude and latitude: an edge of a plane is cut into pieces, near a pole into more. */
const EDGE_PIECES = 4;
const POLAR_EDGE_PIECES = 32;
const POLAR_LATITUDE_DEG = 75;
/** An outline with many corners is not cut further. */
const MAX_PIECES = 256;
/** Corners move by less when they are rounded to seven decimals, metres. */
const ROUNDING_M = 0.01;
/** Longest side of an enlarged outline: a longer one is a sliver, which no plane shows undistorted. */
const MAX_ENLARGED_M = 200_000;
const MAX_SCALINGS = 20;
const JUMP_STEP = 1.01;

/**
 * Why no area can be ordered for a geometry; empty when one can. A polygon is a single ring of fewer than 250 corners
 * that does not meet itself, the limit of radar providers.
 *
 * @param path JSON Pointer of the geometry in its document
 */
export function orderedGeometryFaults(geometry: Point | Polygon, path: string): readonly GeometryFault[] {
  const at = `${path}/coordinates`;
  if (geometry.type === "Polygon") {
    const [exterior, ...holes] = geometry.coordinates;
    // Counted first: reading a ring of a million positions delays other requests.
    const corners = (exterior?.length ?? 1) - 1;
    if (corners >= MAX_ORDER_CORNERS) {
      return [{ path: at, message: `has ${corners} corners, expected fewer than ${MAX_ORDER_CORNERS}; simplify it` }];
    }
    if (holes.length > 0) return [{ path: at, message: `has ${holes.length} holes, expected none` }];
  }
  const faults = positionFaults(geometry, path);
  if (faults.length > 0 || geometry.type === "Point") return faults;
  if (crossesItself(geometry.coordinates)) return [{ path: at, message: "crosses or touches itself" }];
  const [exterior = []] = geometry.coordinates;
  if (ringArea(rounded(exterior)).area === 0) return [{ path: at, message: "has no area" }];
  return [];
}

/**
 * The area of an order for a point or a polygon without faults.
 * - A point becomes a square of the least area. Its sides point north and east.
 * - A polygon below the least area grows about its centroid.
 * - Any other polygon stays as it is.
 *
 * @param leastAreaKm2 above 0
 * @throws {RangeError} when the polygon is a sliver that cannot be enlarged; the message continues its name
 * @see domain notes, "Order state machine", point geometry
 */
export function orderedArea(geometry: Point | Polygon, leastAreaKm2: number): OrderedArea {
  if (!(leastAreaKm2 > 0)) throw new RangeError(`the least area must be above 0, got ${leastAreaKm2}`);
  if (geometry.type === "Point") {
    const [lonDeg, latDeg] = geometry.coordinates;
    return enlarged(localFrame(lonDeg, latDeg), UNIT_SQUARE, 1, leastAreaKm2);
  }
  const [exterior = []] = geometry.coordinates;
  const given = rounded(exterior);
  const unwrapped = unwrapRing(given);
  const ring = unwrapped.windingDeg === 0 ? unwrapped.ring : given;
  const own = measured(ring);
  if (own.areaKm2 >= leastAreaKm2) return own;
  const frame = localFrame(...centroid(asArea(ring)));
  // An edge of many degrees, as near a pole, is not straight in a plane.
  const bent = inPieces(unwrapped.ring, (from, to) => Math.max(1, Math.ceil(Math.abs(to[0] - from[0]))));
  const places = bent.map(frame.toPlane);
  return enlarged(frame, [...places, ...places.slice(0, 1)], own.areaKm2, leastAreaKm2);
}

type Place = readonly [eastM: number, northM: number];

/** An azimuthal equidistant plane about a place. */
interface LocalFrame {
  readonly latDeg: number;
  readonly toPlane: (position: Position) => Place;
  readonly toGround: (place: Place) => Position;
}

function localFrame(lonDeg: number, latDeg: number): LocalFrame {
  const { forward, inverse } = createProjection(
    `+proj=aeqd +lat_0=${latDeg} +lon_0=${lonDeg} +x_0=0 +y_0=0 +datum=WGS84 +units=m`,
  );
  return { latDeg, toPlane: ([lon, lat]) => forward(lon, lat), toGround: ([x, y]) => inverse(x, y) };
}

/** A square of a square kilometre, counter-clockwise. */
const UNIT_SQUARE: readonly Place[] = [
  [-500, -500],
  [500, -500],
  [500, 500],
  [-500, 500],
  [-500, -500],
];

function inPieces<P extends readonly [number, number, ...number[]]>(
  ring: readonly P[],
  piecesOf: (from: P, to: P) => number,
): readonly (readonly [number, number])[] {
  return ring.slice(1).flatMap((to, index) => {
    const from = ring[index] ?? to;
    const pieces = piecesOf(from, to);
    return Array.from({ length: pieces }, (_, piece): Place => {
      const t = piece / pieces;
      return [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
    });
  });
}

/** The closed outline about the origin of a plane, enlarged until it has the least area on the ground. */
function enlarged(frame: LocalFrame, ring: readonly Place[], ringKm2: number, leastAreaKm2: number): OrderedArea {
  const wished = Math.abs(frame.latDeg) > POLAR_LATITUDE_DEG ? POLAR_EDGE_PIECES : EDGE_PIECES;
  const pieces = Math.max(1, Math.min(wished, Math.floor(MAX_PIECES / ring.length)));
  const outline = inPieces(ring, () => pieces);
  const first = Math.sqrt(leastAreaKm2 / ringKm2);
  const radiusM = first * Math.max(...outline.map(([x, y]) => Math.hypot(x, y)));
  if (!(radiusM < MAX_ENLARGED_M)) {
    throw new RangeError(
      `is so narrow that enlarged to ${leastAreaKm2} km2 it is over ${MAX_ENLARGED_M / 1000} km long`,
    );
  }
  // A band along the outline within which rounding moves it.
  const bandKm2 = (first * lengthM(ring) * ROUNDING_M) / 1e6;
  const at = (scale: number): OrderedArea =>
    measured(closedRing(outline.map(([x, y]) => frame.toGround([x * scale, y * scale]))));
  let scale = first;
  for (let scaling = 0; scaling < MAX_SCALINGS; scaling += 1) {
    const area = at(scale);
    const excessKm2 = area.areaKm2 - leastAreaKm2;
    // The area that rounding adds is not charged.
    if (excessKm2 >= 0 && excessKm2 <= 2 * bandKm2) return { ...area, areaKm2: leastAreaKm2 };
    scale *= Math.sqrt((leastAreaKm2 + bandKm2) / area.areaKm2);
  }
  // Where an edge passes a pole by some metres, the area jumps and no scale meets it.
  for (let scaling = 0; scaling < MAX_SCALINGS; scaling += 1) {
    const area = at(scale);
    if (area.areaKm2 >= leastAreaKm2) return { ...area, areaKm2: leastAreaKm2 };
    scale *= JUMP_STEP;
  }
  throw new RangeError(`cannot be enlarged to ${leastAreaKm2} km2 where it is`);
}

function lengthM(ring: readonly Place[]): number {
  return ring.slice(1).reduce((sum, [x, y], index) => {
    const [fromX, fromY] = ring[index] ?? [x, y];
    return sum + Math.hypot(x - fromX, y - fromY);
  }, 0);
}

/** A closed ring about a middle in [-180, 180], seven decimals; only a ring around a pole jumps, where it closes. */
function closedRing(positions: readonly Position[]): LinearRing {
  const { ring } = unwrapRing(positions);
  const lons = ring.map(([lon]) => lon);
  const turns = Math.ceil((Math.min(...lons) + Math.max(...lons)) / 720 - 0.5);
  const near = rounded(ring.map(([lon, lat]): Position => [lon - 360 * turns, lat]));
  return [...near, ...near.slice(0, 1)];
}

function rounded(ring: LinearRing): LinearRing {
  return ring.map(([lon, lat]): Position => [roundDegrees(lon), roundDegrees(lat)]);
}

function asArea(ring: LinearRing) {
  return { type: "MultiPolygon", coordinates: normalForm([[ring]]) } as const;
}

function measured(ring: LinearRing): OrderedArea {
  const area = asArea(ring);
  return {
    geometry: { type: "Polygon", coordinates: [ring] },
    areaKm2: multiPolygonAreaKm2(area.coordinates),
    longestSideM: longestSideM(area),
  };
}
