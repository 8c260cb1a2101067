import polygonClipping from "polygon-clipping";
import * as polyclip from "polyclip-ts";
import { clipToConvex, flatten, isConvex, reversed, shoelace, unflatten } from "./flat-ring.ts";
import type { MultiPolygon, MultiPolygonCoordinates, PolygonCoordinates } from "./geojson.ts";

type Mutable = [number, number][][][];
type Operation = "intersection" | "union" | "difference";

/** Largest relative fault of `I + D = A` or `I + U = A + B` that is still rounding. */
const IDENTITY_TOLERANCE = 1e-9;

function planarArea(polygons: MultiPolygonCoordinates): number {
  let area = 0;
  for (const polygon of polygons) {
    for (const [index, ring] of polygon.entries()) {
      const size = Math.abs(shoelace(flatten(ring))) / 2;
      area += index === 0 ? size : -size;
    }
  }
  return area;
}

function mutable(polygons: MultiPolygonCoordinates): Mutable {
  return polygons.map((polygon) => polygon.map((ring) => ring.map(([lon, lat]): [number, number] => [lon, lat])));
}

function multi(coordinates: MultiPolygonCoordinates): MultiPolygon {
  return { type: "MultiPolygon", coordinates };
}

interface Engine {
  intersection(a: Mutable, b: Mutable): Mutable;
  union(a: Mutable, ...rest: Mutable[]): Mutable;
  difference(a: Mutable, b: Mutable): Mutable;
}

/** polygon-clipping is as fast as GEOS but not exact; polyclip-ts is exact and about ten times slower. */
const ENGINES: readonly Engine[] = [polygonClipping, polyclip];

function identityFault(operation: Operation, engine: Engine, a: Mutable, b: Mutable, result: Mutable): number {
  const areaA = planarArea(a);
  const areaB = planarArea(b);
  const area = planarArea(result);
  let fault: number;
  switch (operation) {
    case "intersection":
      fault = area + planarArea(engine.difference(a, b)) - areaA;
      break;
    case "difference":
      fault = area + planarArea(engine.intersection(a, b)) - areaA;
      break;
    case "union":
      fault = area + planarArea(engine.intersection(a, b)) - areaA - areaB;
      break;
  }
  return Math.abs(fault) / Math.max(areaA, areaB, Number.MIN_VALUE);
}

/** Valid input is needed for the identity: each operand is cleaned by a union with itself when the check fails. */
function overlay(operation: Operation, a: Mutable, b: Mutable): Mutable {
  let cause: unknown;
  for (const engine of ENGINES) {
    try {
      const result = engine[operation](a, b);
      if (identityFault(operation, engine, a, b, result) <= IDENTITY_TOLERANCE) return result;
      const cleanA = engine.union(a);
      const cleanB = engine.union(b);
      const clean = engine[operation](cleanA, cleanB);
      if (identityFault(operation, engine, cleanA, cleanB, clean) <= IDENTITY_TOLERANCE) return clean;
    } catch (error) {
      cause = error;
    }
  }
  throw new RangeError(`no overlay engine could compute the ${operation} of these polygons`, { cause });
}

function convexRing(polygon: PolygonCoordinates): number[] | null {
  const exterior = polygon[0];
  if (polygon.length !== 1 || exterior === undefined) return null;
  const flat = flatten(exterior);
  if (!isConvex(flat)) return null;
  return shoelace(flat) < 0 ? reversed(flat) : flat;
}

/** A flat ring without repeated positions, or null when nothing with area is left. */
function cleaned(flat: readonly number[]): number[] | null {
  const result: number[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const x = flat[i] ?? 0;
    const y = flat[i + 1] ?? 0;
    if (result.length === 0 || x !== result.at(-2) || y !== result.at(-1)) result.push(x, y);
  }
  while (result.length > 2 && result[0] === result.at(-2) && result[1] === result.at(-1)) result.length -= 2;
  return result.length >= 6 && shoelace(result) !== 0 ? result : null;
}

function only(area: MultiPolygon): PolygonCoordinates | null {
  return area.coordinates.length === 1 ? (area.coordinates[0] ?? null) : null;
}

/**
 * The area both have in common; no coordinates when there is none. Edges are straight in longitude and latitude.
 *
 * @throws {RangeError} when no engine can compute it, which needs input that is not polygons
 */
export function intersection(a: MultiPolygon, b: MultiPolygon): MultiPolygon {
  if (a.coordinates.length === 0 || b.coordinates.length === 0) return multi([]);
  const onlyA = only(a);
  const onlyB = only(b);
  if (onlyA !== null && onlyB !== null) {
    const convexA = convexRing(onlyA);
    const convexB = convexA === null ? null : convexRing(onlyB);
    if (convexA !== null && convexB !== null) {
      const ring = cleaned(clipToConvex(convexA, convexB));
      return multi(ring === null ? [] : [[unflatten(ring)]]);
    }
  }
  return multi(overlay("intersection", mutable(a.coordinates), mutable(b.coordinates)));
}

/** The area that either has, as valid non-overlapping parts. @throws {RangeError} as `intersection` */
export function union(a: MultiPolygon, b: MultiPolygon): MultiPolygon {
  if (a.coordinates.length === 0) return b;
  if (b.coordinates.length === 0) return a;
  return multi(overlay("union", mutable(a.coordinates), mutable(b.coordinates)));
}

/** The area of `a` that `b` does not have. @throws {RangeError} as `intersection` */
export function difference(a: MultiPolygon, b: MultiPolygon): MultiPolygon {
  if (a.coordinates.length === 0 || b.coordinates.length === 0) return a;
  return multi(overlay("difference", mutable(a.coordinates), mutable(b.coordinates)));
}

/**
 * The union of any number of polygons, which may overlap, touch or cross themselves (even-odd rule):
 * valid parts that share no area.
 *
 * @throws {RangeError} as `intersection`
 */
export function unionAll(polygons: readonly PolygonCoordinates[]): MultiPolygon {
  const [first, ...rest] = polygons.map((polygon): Mutable => mutable([polygon]));
  if (first === undefined) return multi([]);
  if (rest.length === 0) {
    const single = polygons[0];
    const convex = single === undefined ? null : convexRing(single);
    if (single !== undefined && convex !== null) return multi([single]);
  }
  let cause: unknown;
  for (const engine of ENGINES) {
    try {
      return multi(engine.union(first, ...rest));
    } catch (error) {
      cause = error;
    }
  }
  throw new RangeError("no overlay engine could compute the union of these polygons", { cause });
}
