import { normalForm } from "@swath/kernel/geometry/antimeridian";
import { canonicalMultiPolygon } from "@swath/kernel/geometry/canonical";
import { unionAll } from "@swath/kernel/geometry/clip";
import type { MultiPolygon, PolygonCoordinates, Position } from "@swath/kernel/geometry/geojson";
import { simplifyRing } from "@swath/kernel/raster-mathematics/simplify-ring";
import type { PlanePoint } from "@swath/kernel/raster-mathematics/simplify-ring";
import { ringArea, vectorize } from "@swath/kernel/raster-mathematics/vectorize";
import type { Corner, Region } from "@swath/kernel/raster-mathematics/vectorize";
import type { ValidityMap } from "./validity-map.ts";

/** Vertices of a footprint, all rings together. */
export const MAX_VERTICES = 500;
/** Regions and holes below this share of the valid area are dropped; the largest region always stays. */
const SPECK_SHARE = 0.0005;
/** Just above the diagonal of a cell: corners of stairs along a slanted edge stray that far from a line. */
const SIMPLIFY_CELLS = 1.45;
/** Rings this short stay as they are when simplifying would leave nothing of them. */
const SHORT_RING = 9;
/** An edge is split until its middle is within this many pixels of the straight line in longitude and latitude. */
const STRAIGHT_PX = 0.5;
const MAX_SPLITS = 10;
/** Each round coarsens all tolerances by this much, so the first result with few enough vertices is nearly the finest. */
const COARSEN = 1.3;
/** 1.45 cells times 1.3^28 is more than any bitmap is wide: every ring has become a box by then. */
const MAX_ROUNDS = 28;
/** Outlines with more vertices than this are not worth making valid: that removes some, but not so many. */
const HOPELESS_VERTICES = 4 * MAX_VERTICES;
const METRES_PER_DEGREE = 111_320;

/** Longitude and latitude of a pixel corner. */
export type PixelToLonLat = (column: number, row: number) => readonly [lonDeg: number, latDeg: number];

/**
 * Outline of the valid pixels in normal form: longitude and latitude with seven decimals, split at the antimeridian,
 * at most `MAX_VERTICES` vertices before the split. A raster that is valid everywhere gives its four corners, with
 * further vertices only where its edges are not straight in longitude and latitude.
 *
 * @param pixelM approximate size of a pixel on the ground, metres
 * @returns null when no pixel is valid
 */
export function footprintOf(validity: ValidityMap, toLonLat: PixelToLonLat, pixelM: number): MultiPolygon | null {
  const bitmap = validity.bitmap();
  if (bitmap === null) return null;
  const regions = vectorize(bitmap, validity.columns, validity.rows);
  let result: readonly PolygonCoordinates[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const factor = COARSEN ** round;
    const simplified = simplifiedRegions(regions, factor);
    if (countVertices(simplified) > HOPELESS_VERTICES) continue;
    result = validOutlines(simplified).map((polygon) =>
      polygon.map((ring) => projectRing(toPixels(ring, validity), toLonLat, STRAIGHT_PX * factor * pixelM)),
    );
    if (countVertices(result) <= MAX_VERTICES) break;
  }
  return tidy({ type: "MultiPolygon", coordinates: result });
}

function countVertices(polygons: readonly PolygonCoordinates[]): number {
  return polygons.flat().reduce((sum, ring) => sum + ring.length - 1, 0);
}

/** Outlines in cell coordinates, specks left out; simplified rings may cross themselves and each other. */
function simplifiedRegions(regions: readonly Region[], factor: number): readonly PolygonCoordinates[] {
  const total = regions.reduce((sum, region) => sum + region.areaCells, 0);
  const smallest = total * SPECK_SHARE * factor * factor;
  const polygons: PolygonCoordinates[] = [];
  for (const [index, region] of regions.entries()) {
    if (index > 0 && region.areaCells < smallest) continue;
    const simplified = simplifyRing(region.exterior, SIMPLIFY_CELLS * factor);
    if (simplified === null && index > 0 && region.exterior.length > SHORT_RING) continue;
    const exterior = simplified ?? (region.exterior.length > SHORT_RING ? boxAround(region.exterior) : region.exterior);
    const holes = region.holes
      .filter((hole) => -ringArea(hole) >= smallest)
      .map((hole) => simplifyRing(hole, SIMPLIFY_CELLS * factor))
      .filter((hole) => hole !== null);
    polygons.push([exterior, ...holes]);
  }
  return polygons;
}

function validOutlines(polygons: readonly PolygonCoordinates[]): readonly PolygonCoordinates[] {
  const united = unionAll(polygons).coordinates;
  return united.length > 0 ? united : polygons.map(([exterior = []]) => [exterior]);
}

/** Bounding box in place of a ring that is too small for the tolerance. */
function boxAround(ring: readonly Corner[]): readonly Corner[] {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [column, row] of ring) {
    west = Math.min(west, column);
    east = Math.max(east, column);
    north = Math.min(north, row);
    south = Math.max(south, row);
  }
  return [
    [west, north],
    [east, north],
    [east, south],
    [west, south],
    [west, north],
  ];
}

function toPixels(ring: readonly Position[], validity: ValidityMap): readonly PlanePoint[] {
  const { cellPx, widthPx, heightPx } = validity;
  return ring.map(([column, row]): PlanePoint => [
    Math.min(column * cellPx, widthPx),
    Math.min(row * cellPx, heightPx),
  ]);
}

function projectRing(ring: readonly PlanePoint[], toLonLat: PixelToLonLat, toleranceM: number): readonly Position[] {
  const result: Position[] = [];
  for (let i = 0; i + 1 < ring.length; i++) {
    const [from, to] = [ring[i], ring[i + 1]];
    if (from === undefined || to === undefined) continue;
    const start = toLonLat(from[0], from[1]);
    result.push([start[0], start[1]]);
    splitEdge(from, start, to, toLonLat(to[0], to[1]), toLonLat, toleranceM, MAX_SPLITS, result);
  }
  const [first] = result;
  if (first !== undefined) result.push(first);
  return result;
}

/** Adds the points between two ends of an edge that is not straight enough in longitude and latitude. */
function splitEdge(
  from: PlanePoint,
  start: readonly [number, number],
  to: PlanePoint,
  end: readonly [number, number],
  toLonLat: PixelToLonLat,
  toleranceM: number,
  splits: number,
  result: Position[],
): void {
  if (splits === 0) return;
  // The quarters catch edges that bend both ways and cross the straight line in their middle.
  const bends = [0.5, 0.25, 0.75].some((share) => {
    const point = toLonLat(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share);
    return deviationM(start, end, share, point) > toleranceM;
  });
  if (!bends) return;
  const middle: PlanePoint = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const point = toLonLat(middle[0], middle[1]);
  splitEdge(from, start, middle, point, toLonLat, toleranceM, splits - 1, result);
  result.push([point[0], point[1]]);
  splitEdge(middle, point, to, end, toLonLat, toleranceM, splits - 1, result);
}

/** Distance between a point and the place at `share` of the straight line, the short way around the Earth. */
function deviationM(
  start: readonly [number, number],
  end: readonly [number, number],
  share: number,
  point: readonly [number, number],
): number {
  const lon = start[0] + shortWay(end[0] - start[0]) * share;
  const lat = start[1] + (end[1] - start[1]) * share;
  const east = shortWay(point[0] - lon) * Math.cos((lat * Math.PI) / 180);
  return Math.hypot(east, point[1] - lat) * METRES_PER_DEGREE;
}

function shortWay(deltaDeg: number): number {
  return deltaDeg - 360 * Math.round(deltaDeg / 360);
}

/** Normal form, seven decimals, without rings that rounding has flattened. */
function tidy(footprint: MultiPolygon): MultiPolygon {
  const rounded = canonicalMultiPolygon({ type: "MultiPolygon", coordinates: normalForm(footprint.coordinates) });
  const coordinates = rounded.coordinates
    .map((polygon) => polygon.map(withoutRepeats))
    .filter((polygon) => (polygon[0]?.length ?? 0) >= 4)
    .map((polygon) => polygon.filter((ring) => ring.length >= 4));
  return { type: "MultiPolygon", coordinates };
}

function withoutRepeats(ring: readonly Position[]): readonly Position[] {
  return ring.filter((position, index) => {
    const previous = ring[index - 1];
    return previous === undefined || previous[0] !== position[0] || previous[1] !== position[1];
  });
}
