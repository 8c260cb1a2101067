import type { AreaGeometry, LinearRing, MultiPolygonCoordinates, PolygonCoordinates } from "./geojson.ts";
import { lessHoles } from "./less-holes.ts";
import { DEGREE, GAUSS_3, GAUSS_5, WGS84_A_M, WGS84_E2 } from "./wgs84.ts";

/** a² / 2 in km² per radian. */
const HALF_A2_KM2 = (WGS84_A_M * WGS84_A_M) / 2 / 1e6;
/** Beyond this height an edge is integrated in pieces: one 5-point rule is then exact to double precision. */
const MAX_PIECE_DEG = 5;

/** Up to this height the mean of q follows from the middle of an edge: the next term is below 3e-16 of q. */
const SHORT_EDGE_DEG = 0.05;

/**
 * Authalic function q(φ) of the WGS84 ellipsoid, by the sine of φ: `a² / 2 · (q(φ2) − q(φ1)) · Δλ` is the area between
 * two parallels.
 *
 *     q(φ) = (1 − e²) · [ sin φ / (1 − e² sin² φ) + atanh(e sin φ) / e ]
 *
 * Seven terms of the series in (e sin φ)² reach double precision and take half the time of the inverse hyperbolic tangent.
 *
 * @see Snyder 1987, Map Projections: A Working Manual, equation 3-12
 */
function authalicQ(sine: number): number {
  const x = WGS84_E2 * sine * sine;
  const series = 2 + x * (4 / 3 + x * (6 / 5 + x * (8 / 7 + x * (10 / 9 + x * (12 / 11 + x * (14 / 13))))));
  return (1 - WGS84_E2) * sine * series;
}

/** Second derivative of q(φ) by φ, from the sine of φ. */
function authalicQCurvature(sine: number): number {
  const w = 1 - WGS84_E2 * sine * sine;
  return (2 * (1 - WGS84_E2) * sine * ((4 * WGS84_E2 * (1 - sine * sine)) / w - 1)) / (w * w);
}

/** Mean of q along an edge that is straight in longitude and latitude. */
function meanQ(lat1: number, lat2: number): number {
  const height = lat2 - lat1;
  const span = Math.abs(height);
  if (span < SHORT_EDGE_DEG) {
    const sine = Math.sin(((lat1 + lat2) / 2) * DEGREE);
    const heightRad = height * DEGREE;
    return authalicQ(sine) + ((heightRad * heightRad) / 24) * authalicQCurvature(sine);
  }
  const rule = span < 1 ? GAUSS_3 : GAUSS_5;
  const pieces = span > MAX_PIECE_DEG ? Math.ceil(span / MAX_PIECE_DEG) : 1;
  const step = height / pieces;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    for (let i = 0; i < rule.nodes.length; i += 1) {
      const latDeg = lat1 + (piece + (rule.nodes[i] ?? 0)) * step;
      sum += (rule.weights[i] ?? 0) * authalicQ(Math.sin(latDeg * DEGREE));
    }
  }
  return sum / pieces;
}

/**
 * What one edge adds to the signed area of its ring, km²: positive when the ring runs clockwise around the
 * north-south strip below the edge. Sum over all edges of a closed ring and take the absolute value.
 */
export function edgeAreaKm2(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const width = lon2 - lon1;
  return width === 0 ? 0 : width * DEGREE * meanQ(lat1, lat2) * HALF_A2_KM2;
}

/** Area enclosed by a ring, km², whatever its orientation. */
export function ringAreaKm2(ring: LinearRing): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i += 1) {
    const from = ring[i - 1];
    const to = ring[i];
    if (from !== undefined && to !== undefined) sum += edgeAreaKm2(from[0], from[1], to[0], to[1]);
  }
  return Math.abs(sum);
}

function polygonAreaKm2(rings: PolygonCoordinates): number {
  return Math.max(0, lessHoles(rings, ringAreaKm2));
}

/**
 * Area on the WGS84 ellipsoid, km², of polygons whose edges are straight in longitude and latitude (RFC 7946).
 * Longitudes are taken literally: bring geometry that crosses the antimeridian into normal form first.
 * Parts of a MultiPolygon must not overlap.
 *
 * @example areaKm2({ type: "Polygon", coordinates: [[[14,50],[15.4,50],[15.4,50.9],[14,50.9],[14,50]]] }) // 9954.242
 */
export function areaKm2(geometry: AreaGeometry): number {
  if (geometry.type === "Polygon") return polygonAreaKm2(geometry.coordinates);
  return multiPolygonAreaKm2(geometry.coordinates);
}

/** The same for bare coordinates. */
export function multiPolygonAreaKm2(polygons: MultiPolygonCoordinates): number {
  let area = 0;
  for (const polygon of polygons) area += polygonAreaKm2(polygon);
  return area;
}

/** An area as answers carry it: km², six decimals. */
export function roundAreaKm2(area: number): number {
  return Math.round(area * 1e6) / 1e6;
}
