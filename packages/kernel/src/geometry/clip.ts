import { lazy } from "../lazy.ts";
import { blockRing, clippedAreaKm2 } from "./blocked-ring.ts";
import { convexExterior, onlyPolygon } from "./convex-exterior.ts";
import { clipToConvex, flatPolygonAreaKm2, flatten, shoelace, unflatten } from "./flat-ring.ts";
import { exactOverlay } from "./exact-overlay.ts";
import { OverlayError } from "./overlay-error.ts";
import { overlayPolygons, type Operation, type Overlaid } from "./overlay-engine.ts";
import { clipPolygonToWindow } from "./window-chains.ts";
import { ringNesting } from "./ring-nesting.ts";
import type { MultiPolygon, MultiPolygonCoordinates, PolygonCoordinates } from "./geojson.ts";

/** Largest relative fault of `I + D = A` or `I + U = A + B` that is still rounding. */
const IDENTITY_TOLERANCE = 1e-9;
/** Distance between neighbouring doubles beyond 128 degrees: no overlay places the corners it makes better than that. */
const CORNER_ERROR_DEG = 2 ** -45;

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

function perimeterDeg(polygons: MultiPolygonCoordinates): number {
  let sum = 0;
  for (const polygon of polygons) {
    for (const ring of polygon) {
      for (let i = 1; i < ring.length; i += 1) {
        const [x1 = 0, y1 = 0] = ring[i - 1] ?? [];
        const [x2 = 0, y2 = 0] = ring[i] ?? [];
        sum += Math.abs(x2 - x1) + Math.abs(y2 - y1);
      }
    }
  }
  return sum;
}

/** Whether the areas of the parts add up to those of the operands, but for rounding. */
function keepsIdentity(
  operation: Operation,
  a: MultiPolygonCoordinates,
  b: MultiPolygonCoordinates,
  { result, counterpart }: Overlaid,
): boolean {
  const areaA = planarArea(a);
  const areaB = planarArea(b);
  const whole = operation === "union" ? areaA + areaB : areaA;
  const fault = Math.abs(planarArea(result) + planarArea(counterpart) - whole);
  const largest = IDENTITY_TOLERANCE * Math.max(areaA, areaB);
  return fault <= largest || fault <= largest + CORNER_ERROR_DEG * (perimeterDeg(a) + perimeterDeg(b));
}

/** Operands that cross themselves or whose parts overlap have another area than their ground: only these are united. */
function overlay(
  operation: Operation,
  a: MultiPolygonCoordinates,
  b: MultiPolygonCoordinates,
): MultiPolygonCoordinates {
  const operands = lazy(() => [united(a), united(b)] as const);
  const attempts: readonly (() => MultiPolygonCoordinates | null)[] = [
    () => checkedResult(overlayPolygons, operation, a, b),
    () => checkedResult(overlayPolygons, operation, ...operands()),
    () => checkedResult(exactOverlay, operation, ...operands()),
  ];
  let cause: unknown;
  for (const attempt of attempts) {
    try {
      const result = attempt();
      if (result !== null) return result;
    } catch (error) {
      cause = error;
    }
  }
  throw new OverlayError(`no overlay engine could compute the ${operation} of these polygons`, { cause });
}

function checkedResult(
  compute: typeof overlayPolygons,
  operation: Operation,
  a: MultiPolygonCoordinates,
  b: MultiPolygonCoordinates,
): MultiPolygonCoordinates | null {
  const overlaid = compute(operation, a, b);
  return keepsIdentity(operation, a, b, overlaid) ? overlaid.result : null;
}

function united(polygons: MultiPolygonCoordinates): MultiPolygonCoordinates {
  return overlayPolygons("union", polygons, []).result;
}

function multi(coordinates: MultiPolygonCoordinates): MultiPolygon {
  return { type: "MultiPolygon", coordinates };
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

/**
 * The part of an area inside a convex polygon without an overlay; null when the polygon is not convex, outlines of the
 * area meet, or the result does not have the area of the part, which is computed in another way.
 */
function insideWindow(area: MultiPolygon, polygon: PolygonCoordinates | null): PolygonCoordinates[] | null {
  const window = convexExterior(polygon);
  if (window === null || !areDisjointPolygons(area.coordinates)) return null;
  const parts: PolygonCoordinates[] = [];
  for (const rings of area.coordinates.map((one) => one.map(flatten))) {
    const clipped = clipPolygonToWindow(rings, window);
    if (clipped === null) return null;
    const expected = clippedAreaKm2(rings.map(blockRing), window);
    const found = clipped.reduce((sum, part) => sum + flatPolygonAreaKm2(part), 0);
    const whole = flatPolygonAreaKm2(rings);
    if (Math.abs(found - expected) > IDENTITY_TOLERANCE * whole) return null;
    for (const part of clipped) {
      const [exterior, ...holes] = part.map(cleaned);
      if (exterior === undefined || exterior === null || holes.includes(null)) return null;
      parts.push([exterior, ...holes.filter((hole) => hole !== null)].map(unflatten));
    }
  }
  return parts;
}

/**
 * The area both have in common where no overlay is needed: when one is convex and outlines of the other do not meet.
 * Else null.
 */
export function convexIntersection(a: MultiPolygon, b: MultiPolygon): MultiPolygon | null {
  if (a.coordinates.length === 0 || b.coordinates.length === 0) return multi([]);
  const onlyA = onlyPolygon(a);
  const onlyB = onlyPolygon(b);
  if (onlyA !== null && onlyB !== null) {
    const convexA = convexExterior(onlyA);
    const convexB = convexA === null ? null : convexExterior(onlyB);
    if (convexA !== null && convexB !== null) {
      const ring = cleaned(clipToConvex(convexA, convexB));
      return multi(ring === null ? [] : [[unflatten(ring)]]);
    }
  }
  const direct = insideWindow(a, onlyB) ?? insideWindow(b, onlyA);
  return direct === null ? null : multi(direct);
}

/**
 * The area both have in common; no coordinates when there is none. Edges are straight in longitude and latitude.
 *
 * @throws {OverlayError} when no engine can compute it: the input is not polygons, or meets itself a million times
 */
export function intersection(a: MultiPolygon, b: MultiPolygon): MultiPolygon {
  const direct = convexIntersection(a, b);
  return direct ?? multi(overlay("intersection", a.coordinates, b.coordinates));
}

/** The area that either has, as valid non-overlapping parts. @throws {OverlayError} as `intersection` */
export function union(a: MultiPolygon, b: MultiPolygon): MultiPolygon {
  if (a.coordinates.length === 0) return b;
  if (b.coordinates.length === 0) return a;
  return multi(overlay("union", a.coordinates, b.coordinates));
}

/** The area of `a` that `b` does not have. @throws {OverlayError} as `intersection` */
export function difference(a: MultiPolygon, b: MultiPolygon): MultiPolygon {
  if (a.coordinates.length === 0 || b.coordinates.length === 0) return a;
  return multi(overlay("difference", a.coordinates, b.coordinates));
}

/** Whether no outline meets another or itself, and every hole lies directly in the exterior of its own polygon. */
export function areDisjointPolygons(polygons: readonly PolygonCoordinates[]): boolean {
  const nesting = ringNesting(polygons.flat());
  if (nesting === null) return false;
  const isExterior = polygons.flatMap((polygon) => polygon.map((_, index) => index === 0));
  let exterior = 0;
  for (const [ring, isOuter] of isExterior.entries()) {
    const parent = nesting.parents[ring] ?? -1;
    if (isOuter) {
      exterior = ring;
      if (parent !== -1 && isExterior[parent] === true) return false;
    } else if (parent !== exterior) return false;
  }
  return true;
}

/**
 * The union of any number of polygons, which may overlap, touch or cross themselves (even-odd rule):
 * valid parts that share no area.
 *
 * @throws {OverlayError} as `intersection`
 */
export function unionAll(polygons: readonly PolygonCoordinates[]): MultiPolygon {
  const [first, ...rest] = polygons;
  if (first === undefined) return multi([]);
  if (rest.length === 0 && convexExterior(first) !== null) return multi(polygons);
  return multi(areDisjointPolygons(polygons) ? polygons : united(polygons));
}
