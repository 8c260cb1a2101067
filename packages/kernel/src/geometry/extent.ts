import { normalForm } from "./antimeridian.ts";
import { roundDegrees } from "./canonical-degrees.ts";
import { unionAll } from "./clip.ts";
import type { GeoJson, MultiPolygon, PolygonCoordinates } from "./geojson.ts";
import { multiPolygonAreaKm2 } from "./area.ts";

/** The Polygon and MultiPolygon parts of any GeoJSON, as written; points and lines are left out. */
export function areaParts(geojson: GeoJson): readonly PolygonCoordinates[] {
  switch (geojson.type) {
    case "Point":
    case "MultiPoint":
    case "LineString":
    case "MultiLineString":
      return [];
    case "Polygon":
      return [geojson.coordinates];
    case "MultiPolygon":
      return geojson.coordinates;
    case "Feature":
      return geojson.geometry === null ? [] : areaParts(geojson.geometry);
    case "FeatureCollection":
      return geojson.features.flatMap(areaParts);
    case "GeometryCollection":
      break;
  }
  return geojson.geometries.flatMap(areaParts);
}

/** Polygons with seven decimals, without heights. */
export function roundedParts(parts: readonly PolygonCoordinates[]): readonly PolygonCoordinates[] {
  return parts.map((polygon) =>
    polygon.map((ring) =>
      ring.map((position): [number, number] => [roundDegrees(position[0]), roundDegrees(position[1])]),
    ),
  );
}

/** One millionth of a square metre: below it seven-decimal coordinates say nothing. */
const MIN_AREA_KM2 = 1e-12;

/**
 * The area an extent means: the union of its polygons, seven decimals, in normal form (split at the antimeridian,
 * parts sharing no area). Null when nothing with area is left. Expects input that `validateGeoJson` accepts.
 *
 * @see service interface, "Extent and geometry"
 */
export function extentArea(geojson: GeoJson): MultiPolygon | null {
  const area = unionAll(normalForm(roundedParts(areaParts(geojson))));
  return hasArea(area) ? area : null;
}

/** Whether the polygons enclose more than rounding leaves. */
export function hasArea({ coordinates }: MultiPolygon): boolean {
  return multiPolygonAreaKm2(coordinates) > MIN_AREA_KM2;
}
