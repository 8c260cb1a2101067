import { multiPolygonAreaKm2 } from "./area.ts";
import { blockRing, blockedAreaKm2, clippedAreaKm2, type BlockedRing } from "./blocked-ring.ts";
import { intersection } from "./clip.ts";
import {
  clipToConvex,
  flatten,
  isConvex,
  isInsideConvex,
  reversed,
  shoelace,
  unflatten,
  type FlatRing,
} from "./flat-ring.ts";
import type { Bounds, MultiPolygon } from "./geojson.ts";

interface PreparedPolygon {
  readonly rings: readonly FlatRing[];
  readonly blocks: readonly BlockedRing[];
  /** The exterior, counter-clockwise, when it is convex and has no holes. */
  readonly convex: FlatRing | null;
  readonly bounds: Bounds;
  readonly areaKm2: number;
}

/** An area in normal form, prepared for many overlap tests. */
export interface PreparedArea {
  readonly polygons: readonly PreparedPolygon[];
  readonly areaKm2: number;
}

function boundsOf(ring: FlatRing): Bounds {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i] ?? 0;
    const lat = ring[i + 1] ?? 0;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return [west, south, east, north];
}

/** Prepares polygons given as flat rings, the exterior first. They must share no area. */
export function prepareRings(polygons: readonly (readonly FlatRing[])[]): PreparedArea {
  const prepared = polygons.map((rings): PreparedPolygon => {
    const exterior = rings[0] ?? [];
    const convex = rings.length === 1 && isConvex(exterior) ? exterior : null;
    const blocks = rings.map(blockRing);
    return {
      rings,
      blocks,
      convex: convex !== null && shoelace(convex) < 0 ? reversed(convex) : convex,
      bounds: boundsOf(exterior),
      areaKm2: blockedAreaKm2(blocks),
    };
  });
  return { polygons: prepared, areaKm2: prepared.reduce((sum, { areaKm2 }) => sum + areaKm2, 0) };
}

export function prepareArea(area: MultiPolygon): PreparedArea {
  return prepareRings(area.coordinates.map((polygon) => polygon.map(flatten)));
}

function boundsInsideConvex(bounds: Bounds, convex: FlatRing): boolean {
  const [west, south, east, north] = bounds;
  return (
    isInsideConvex(west, south, convex) &&
    isInsideConvex(east, south, convex) &&
    isInsideConvex(east, north, convex) &&
    isInsideConvex(west, north, convex)
  );
}

/** Whether a box lies within a convex polygon of the area. False also for boxes that only several polygons cover. */
export function containsBox(area: PreparedArea, box: Bounds): boolean {
  return area.polygons.some(({ convex }) => convex !== null && boundsInsideConvex(box, convex));
}

function areBoxesApart(a: Bounds, b: Bounds): boolean {
  return a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
}

/**
 * What the boxes of polygons say of their overlap with an area: the whole of them, or none. Null when only the shapes
 * can tell.
 */
export function overlapByBoxes(
  polygons: readonly (readonly FlatRing[])[],
  area: PreparedArea,
): "none" | "whole" | null {
  const boxes = polygons.map(([exterior = []]) => boundsOf(exterior));
  if (boxes.every((box) => area.polygons.every(({ bounds }) => areBoxesApart(box, bounds)))) return "none";
  return boxes.every((box) => containsBox(area, box)) ? "whole" : null;
}

function toMultiPolygon(polygon: PreparedPolygon): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [polygon.rings.map(unflatten)] };
}

function boxRing([west, south, east, north]: Bounds): FlatRing {
  return [west, south, east, south, east, north, west, north];
}

function positionCount(rings: readonly FlatRing[]): number {
  return rings.reduce((sum, ring) => sum + ring.length / 2, 0);
}

/**
 * Common area by a fan: a polygon is the signed sum of the triangles between one place and each of its edges, and a
 * triangle is convex. Costs the product of the vertex counts, but nothing like the constant of an overlay.
 */
function fanAreaKm2(rings: readonly BlockedRing[], fanned: readonly FlatRing[]): number {
  let area = 0;
  for (const [index, ring] of fanned.entries()) {
    const x0 = ring[0] ?? 0;
    const y0 = ring[1] ?? 0;
    let ringArea = 0;
    for (let i = 2; i + 3 < ring.length; i += 2) {
      const x1 = ring[i] ?? 0;
      const y1 = ring[i + 1] ?? 0;
      const x2 = ring[i + 2] ?? 0;
      const y2 = ring[i + 3] ?? 0;
      const turn = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
      if (turn > 0) ringArea += clippedAreaKm2(rings, [x0, y0, x1, y1, x2, y2]);
      else if (turn < 0) ringArea -= clippedAreaKm2(rings, [x0, y0, x2, y2, x1, y1]);
    }
    area += index === 0 ? Math.abs(ringArea) : -Math.abs(ringArea);
  }
  return Math.max(0, area);
}

/** Vertex pairs up to which the fan is faster than the overlay library. */
const MAX_FAN_PAIRS = 250_000;

function concaveAreaKm2(a: PreparedPolygon, b: PreparedPolygon): number {
  // Clipped to each other's boxes first, which leaves seams along the boxes that have no area.
  const ringsA = a.rings.map((ring) => clipToConvex(ring, boxRing(b.bounds)));
  const ringsB = b.rings.map((ring) => clipToConvex(ring, boxRing(a.bounds)));
  const countA = positionCount(ringsA);
  const countB = positionCount(ringsB);
  if (countA * countB <= MAX_FAN_PAIRS)
    return countA < countB ? fanAreaKm2(ringsB.map(blockRing), ringsA) : fanAreaKm2(ringsA.map(blockRing), ringsB);
  return multiPolygonAreaKm2(intersection(toMultiPolygon(a), toMultiPolygon(b)).coordinates);
}

function commonAreaKm2(a: PreparedPolygon, b: PreparedPolygon): number {
  if (areBoxesApart(a.bounds, b.bounds)) return 0;
  if (b.convex !== null) return boundsInsideConvex(a.bounds, b.convex) ? a.areaKm2 : clippedAreaKm2(a.blocks, b.convex);
  if (a.convex !== null) return boundsInsideConvex(b.bounds, a.convex) ? b.areaKm2 : clippedAreaKm2(b.blocks, a.convex);
  return concaveAreaKm2(a, b);
}

/** The area two areas have in common, km², exact for edges straight in longitude and latitude. */
export function intersectionAreaKm2(a: PreparedArea, b: PreparedArea): number {
  let area = 0;
  for (const one of a.polygons) for (const other of b.polygons) area += commonAreaKm2(one, other);
  return area;
}

/** What a scene must reach. Exactly one of the two is meant; 0 asks for any common area. */
export type OverlapThreshold =
  /** area(extent ∩ scene) / area(extent) */
  | { readonly of: "extent"; readonly ratio: number }
  /** area(extent ∩ scene) / area(scene) */
  | { readonly of: "scene"; readonly ratio: number };

/** So that a scene that contains the extent passes a threshold of 1 in floating point. */
const RATIO_TOLERANCE = 1e-9;
/** Common area of neighbours that only touch, relative to the smaller one, that floating point may leave. */
const TOUCH_TOLERANCE = 1e-12;

/** The share a threshold speaks about, 0 to 1. */
export function overlapRatio(extent: PreparedArea, scene: PreparedArea, of: OverlapThreshold["of"]): number {
  const whole = of === "extent" ? extent.areaKm2 : scene.areaKm2;
  return whole > 0 ? Math.min(1, intersectionAreaKm2(extent, scene) / whole) : 0;
}

/**
 * Whether a scene overlaps an extent enough. A threshold of 0 needs a common area, not only a common border.
 *
 * @see service interface, "Imagery search"
 */
export function overlapsEnough(extent: PreparedArea, scene: PreparedArea, threshold: OverlapThreshold): boolean {
  const whole = threshold.of === "extent" ? extent.areaKm2 : scene.areaKm2;
  if (whole <= 0) return false;
  if (threshold.of === "extent" && scene.areaKm2 / whole + RATIO_TOLERANCE < threshold.ratio) return false;
  const common = intersectionAreaKm2(extent, scene);
  if (common <= TOUCH_TOLERANCE * Math.min(extent.areaKm2, scene.areaKm2)) return false;
  return common / whole + RATIO_TOLERANCE >= threshold.ratio;
}
