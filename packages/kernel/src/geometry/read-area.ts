import { isNormalRing, normalForm, placesOnMap } from "./antimeridian.ts";
import { crossesItself } from "./crosses-itself.ts";
import { areDisjointPolygons, unionAll } from "./clip.ts";
import { areaParts, hasArea, roundedParts } from "./extent.ts";
import type { GeoJson, MultiPolygon, MultiPolygonCoordinates } from "./geojson.ts";
import { positionsOf } from "./positions-of.ts";
import { isQuickOverlay, MAX_SWEPT_POSITIONS } from "./quick-overlay.ts";
import { entanglementFault, positionFaults, type GeometryFault, type GeometryRules } from "./validate-geometry.ts";

/** An area in normal form, or the reason why there is none. */
export type AreaResult =
  /** `isRepaired`: a polygon crosses itself, and the area is that of its loops. */
  | { readonly kind: "area"; readonly area: MultiPolygon; readonly isRepaired: boolean }
  | { readonly kind: "empty" }
  | { readonly kind: "faulty"; readonly faults: readonly GeometryFault[] };

/** `slow`: outlines meet, or are long. `untangleArea` has the area of the polygons as written, which may take seconds. */
export type AreaReading = AreaResult | { readonly kind: "slow"; readonly polygons: MultiPolygonCoordinates };

function resultOf(area: MultiPolygon, isRepaired: boolean): AreaResult {
  return hasArea(area) ? { kind: "area", area, isRepaired } : { kind: "empty" };
}

/**
 * The area a GeoJSON means: the union of its polygons, seven decimals, in normal form. Positions are checked, then
 * one sweep proves that no outlines meet; the polygons are then the area. Takes a millisecond for 1,000 positions; more are slow.
 *
 * @param path JSON Pointer of the value in its document, such as "/extent"
 * @see service interface, "Extent and geometry"
 */
export function readArea(geojson: GeoJson, path = "", rules: GeometryRules = {}): AreaReading {
  const faults = positionFaults(geojson, path, rules);
  if (faults.length > 0) return { kind: "faulty", faults };
  const parts = areaParts(geojson);
  if (positionsOf(parts.flat()) > MAX_SWEPT_POSITIONS) return { kind: "slow", polygons: parts };
  const polygons = roundedParts(parts);
  const isNormal = polygons.every((polygon) => polygon.every(isNormalRing));
  if (isNormal && areDisjointPolygons(polygons)) {
    return resultOf({ type: "MultiPolygon", coordinates: polygons }, false);
  }
  if (isQuickOverlay(polygons.flat().flatMap(placesOnMap))) {
    return resultOf(unionAll(normalForm(polygons)), polygons.some(crossesItself));
  }
  return { kind: "slow", polygons };
}

/** The area of the polygons of a slow reading. Polygons that meet too often are a fault. */
export function untangleArea(parts: MultiPolygonCoordinates, path: string): AreaResult {
  const polygons = roundedParts(parts);
  const fault = entanglementFault(polygons.flat(), path);
  if (fault !== null) return { kind: "faulty", faults: [fault] };
  return resultOf(unionAll(normalForm(polygons)), polygons.some(crossesItself));
}
