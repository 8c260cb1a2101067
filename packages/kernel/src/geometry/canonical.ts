import { flatten, shoelace } from "./flat-ring.ts";
import type { Geometry, LinearRing, MultiPolygon, PolygonCoordinates, Position } from "./geojson.ts";

/** A degree with seven decimals, about a centimetre; never -0. */
export function roundDegrees(value: number): number {
  return Math.round(value * 1e7) / 1e7 + 0;
}

function roundPosition(position: Position): Position {
  const [lon, lat, ...rest] = position;
  return [roundDegrees(lon), roundDegrees(lat), ...rest.map(roundDegrees)];
}

function isCounterClockwise(ring: LinearRing): boolean {
  // Unwrapped, so that a ring that jumps across the antimeridian keeps its orientation.
  const flat = flatten(ring);
  for (let i = 2; i < flat.length; i += 2) {
    const previous = flat[i - 2] ?? 0;
    const lon = flat[i] ?? 0;
    const turns = Math.round((previous - lon) / 360);
    flat[i] = lon + 360 * turns;
  }
  return shoelace(flat) > 0;
}

function wind(ring: LinearRing, counterClockwise: boolean): LinearRing {
  return isCounterClockwise(ring) === counterClockwise ? ring : ring.toReversed();
}

function windPolygon(polygon: PolygonCoordinates, exteriorCounterClockwise: boolean): PolygonCoordinates {
  return polygon.map((ring, index) => wind(ring, (index === 0) === exteriorCounterClockwise));
}

function canonicalPolygon(polygon: PolygonCoordinates): PolygonCoordinates {
  return windPolygon(
    polygon.map((ring) => ring.map(roundPosition)),
    true,
  );
}

/**
 * The canonical form of a geometry: coordinates rounded to seven decimals, exteriors counter-clockwise, holes
 * clockwise, foreign members dropped. Start vertices, hole order and repeated positions stay as they are.
 *
 * @see service interface, "Geometry and feature records"
 */
export function canonicalGeometry(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case "Point":
      return { type: "Point", coordinates: roundPosition(geometry.coordinates) };
    case "MultiPoint":
    case "LineString":
      return { type: geometry.type, coordinates: geometry.coordinates.map(roundPosition) };
    case "MultiLineString":
      return { type: "MultiLineString", coordinates: geometry.coordinates.map((line) => line.map(roundPosition)) };
    case "Polygon":
      return { type: "Polygon", coordinates: canonicalPolygon(geometry.coordinates) };
    case "MultiPolygon":
      return canonicalMultiPolygon(geometry);
    case "GeometryCollection":
      break;
  }
  return { type: "GeometryCollection", geometries: geometry.geometries.map(canonicalGeometry) };
}

export function canonicalMultiPolygon(area: MultiPolygon): MultiPolygon {
  return { type: "MultiPolygon", coordinates: area.coordinates.map(canonicalPolygon) };
}

/** Exteriors clockwise and holes counter-clockwise, as search answers have them. */
export function clockwiseExteriors(area: MultiPolygon): MultiPolygon {
  return { type: "MultiPolygon", coordinates: area.coordinates.map((polygon) => windPolygon(polygon, false)) };
}
