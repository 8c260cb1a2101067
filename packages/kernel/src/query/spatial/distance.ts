import type { Bounds } from "../../geometry/geojson.ts";
import { DEGREE } from "../../geometry/wgs84.ts";
import { chordM, ecef, type Ecef, geodesicM } from "./geodesic.ts";
import { type GridGeometry, type GridPart, STEPS_PER_DEGREE } from "./grid-geometry.ts";
import { intersects } from "./relations.ts";

/** Longer edges are looked at in pieces: within one the distance from a place has one minimum. */
const MAX_PIECE_DEG = 1;
/** Steps of the golden section: a piece of a degree down to a tenth of a millimetre. */
const SECTION_STEPS = 44;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** No degree of a meridian is shorter. */
const SHORTEST_DEGREE_M = 110_500;
/** No degree of the sphere around is longer. */
const LONGEST_DEGREE_M = 111_700;

type Place = readonly [lonDeg: number, latDeg: number];

function places({ lines }: GridPart): readonly Place[] {
  const found: Place[] = [];
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      found.push([(line[i] ?? 0) / STEPS_PER_DEGREE, (line[i + 1] ?? 0) / STEPS_PER_DEGREE]);
    }
  }
  return found;
}

/** A piece of an edge; a point is one from itself to itself. */
interface Piece {
  readonly from: Place;
  readonly to: Place;
  readonly start: Ecef;
  readonly end: Ecef;
  /** No place of the piece is farther than this from the nearer end, metres. */
  readonly reachM: number;
}

function piece(from: Place, to: Place): Piece {
  const lengthM = LONGEST_DEGREE_M * Math.hypot(to[0] - from[0], to[1] - from[1]);
  return { from, to, start: ecef(...from), end: ecef(...to), reachM: lengthM / 2 };
}

function pieces({ lines }: GridPart): readonly Piece[] {
  const found: Piece[] = [];
  for (const line of lines) {
    const at = (i: number): Place => [(line[i] ?? 0) / STEPS_PER_DEGREE, (line[i + 1] ?? 0) / STEPS_PER_DEGREE];
    if (line.length === 2) found.push(piece(at(0), at(0)));
    for (let i = 0; i + 3 < line.length; i += 2) {
      const [from, to] = [at(i), at(i + 2)];
      const spanDeg = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
      const count = Math.max(1, Math.ceil(spanDeg / MAX_PIECE_DEG));
      for (let k = 0; k < count; k += 1)
        found.push(piece(between(from, to, k / count), between(from, to, (k + 1) / count)));
    }
  }
  return found;
}

function between(from: Place, to: Place, share: number): Place {
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** The place of a piece that is nearest to another place, by golden section. */
function nearest(place: Ecef, from: Place, to: Place): Place {
  const far = (share: number): number => chordM(place, ecef(...between(from, to, share)));
  let low = 0;
  let high = 1;
  let left = 1 - GOLDEN;
  let right = GOLDEN;
  let farLeft = far(left);
  let farRight = far(right);
  for (let step = 0; step < SECTION_STEPS; step += 1) {
    if (farLeft <= farRight) {
      [high, right, farRight] = [right, left, farLeft];
      left = high - GOLDEN * (high - low);
      farLeft = far(left);
    } else {
      [low, left, farLeft] = [left, right, farRight];
      right = low + GOLDEN * (high - low);
      farRight = far(right);
    }
  }
  const best = [0, (low + high) / 2, 1].toSorted((a, b) => far(a) - far(b))[0] ?? 0;
  return between(from, to, best);
}

function isPlaceNear(place: Place, edges: readonly Piece[], distanceM: number): boolean {
  const own = ecef(...place);
  return edges.some(({ from, to, start, end, reachM }) => {
    const farthestM = distanceM + reachM;
    if (chordM(own, start) > farthestM && chordM(own, end) > farthestM) return false;
    const [lon, lat] = reachM === 0 ? from : nearest(own, from, to);
    if (chordM(own, ecef(lon, lat)) > distanceM) return false;
    return geodesicM(place[0], place[1], lon, lat) <= distanceM;
  });
}

/**
 * Whether two geometries come within a geodesic distance of each other on WGS84: that between the nearest corner of
 * one and the nearest place of an edge of the other, or none where they meet. To a millimetre at the corners.
 *
 * @param distanceM 0 to 1 000 km
 */
export function isWithinDistance(a: GridGeometry, b: GridGeometry, distanceM: number): boolean {
  if (intersects(a, b)) return true;
  if (distanceM === 0) return false;
  const edgesB = b.parts.flatMap(pieces);
  if (a.parts.flatMap(places).some((place) => isPlaceNear(place, edgesB, distanceM))) return true;
  const edgesA = a.parts.flatMap(pieces);
  return b.parts.flatMap(places).some((place) => isPlaceNear(place, edgesA, distanceM));
}

/** A box that holds everything within a distance of a box; it may start west of -180 and reach all around. */
export function widened([west, south, east, north]: Bounds, distanceM: number): Bounds {
  const byDeg = distanceM / SHORTEST_DEGREE_M;
  const low = Math.max(-90, south - byDeg);
  const high = Math.min(90, north + byDeg);
  const widest = Math.max(Math.abs(low), Math.abs(high));
  // The meridians that a circle touches lie asin(sin r / cos φ) apart; a circle that reaches a pole touches all.
  const ratio = Math.sin(byDeg * DEGREE) / Math.cos(Math.max(Math.abs(south), Math.abs(north)) * DEGREE);
  if (widest >= 90 || !(ratio < 1)) return [-180, low, 180, high];
  const lonDeg = (Math.asin(ratio) / DEGREE) * 1.01;
  return [west - lonDeg, low, east + lonDeg, high];
}
