import { roundDegrees } from "./canonical-degrees.ts";
import { windPolygon } from "./canonical-winding.ts";
import type { Geometry, MultiPolygon, PolygonCoordinates, Position } from "./geojson.ts";

/** All of a position with seven decimals: what comes after longitude and latitude is rounded the same way. */
function roundPosition(position: Position): Position {
  // Most positions are pairs. The rest of one, mapped and spread, takes more memory than the pair.
  if (position.length === 2) return [roundDegrees(position[0]), roundDegrees(position[1])];
  const [lon, lat, ...rest] = position;
  return [roundDegrees(lon), roundDegrees(lat), ...rest.map(roundDegrees)];
}

function canonicalPolygon(polygon: PolygonCoordinates): PolygonCoordinates {
  return windPolygon(
    polygon.map((ring) => ring.map(roundPosition)),
    1,
  );
}

/**
 * The canonical form of a geometry: coordinates rounded to seven decimals, exteriors counter-clockwise, holes
 * clockwise, foreign members dropped. Start vertices, hole order and repeated positions stay as they are, and so do
 * rings without area. Expects a valid geometry; `readCanonical` takes any JSON.
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
  return { type: "MultiPolygon", coordinates: area.coordinates.map((polygon) => windPolygon(polygon, -1)) };
}
