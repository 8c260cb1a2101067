import type { Geometry, Polygon } from "@swath/kernel/geometry/geojson";

/** Degrees: half of a tenth of a metre. */
const HALF_SIDE_DEG = 5e-7;
/** Collections within collections. */
const MOST_LEVELS = 4;

type Rings = Polygon["coordinates"];

/**
 * A geometry with area. A point is a square of a tenth of a metre, a line a corridor of that width, a collection all
 * its parts. Areas stay as they are; the reader of areas refuses other values.
 */
export function groundOf(geometry: Geometry): Geometry {
  if (geometry.type === "Polygon" || geometry.type === "MultiPolygon") return geometry;
  const parts = polygonsOf(geometry, MOST_LEVELS);
  if (parts === null) return geometry;
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return { type: "Polygon", coordinates: only };
  return { type: "MultiPolygon", coordinates: parts };
}

/** Null for a geometry of an unknown type, and for collections within too many others. */
function polygonsOf(geometry: unknown, levels: number): readonly Rings[] | null {
  const { coordinates, geometries, type } = (geometry ?? {}) as Readonly<Record<string, unknown>>;
  switch (type) {
    case "Point":
      return [squareAround(coordinates)];
    case "MultiPoint":
      return listOf(coordinates).map(squareAround);
    case "LineString":
      return corridorOf(coordinates);
    case "MultiLineString":
      return listOf(coordinates).flatMap(corridorOf);
    case "Polygon":
      return [coordinates as Rings];
    case "MultiPolygon":
      return listOf(coordinates) as readonly Rings[];
    case "GeometryCollection": {
      if (levels === 0) return null;
      const parts = listOf(geometries).map((one) => polygonsOf(one, levels - 1));
      return parts.every((part) => part !== null) ? parts.flat() : null;
    }
    default:
      return null;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The reader of areas refuses positions that are no numbers. */
function positionOf(position: unknown): readonly [lon: number, lat: number] {
  const [lon, lat] = listOf(position);
  return [Number(lon), Math.min(90 - HALF_SIDE_DEG, Math.max(HALF_SIDE_DEG - 90, Number(lat)))];
}

function squareAround(position: unknown): Rings {
  const [lon, lat] = positionOf(position);
  return ringOf([
    [lon - HALF_SIDE_DEG, lat - HALF_SIDE_DEG],
    [lon + HALF_SIDE_DEG, lat - HALF_SIDE_DEG],
    [lon + HALF_SIDE_DEG, lat + HALF_SIDE_DEG],
    [lon - HALF_SIDE_DEG, lat + HALF_SIDE_DEG],
  ]);
}

/** A rectangle along each part of a line. */
function corridorOf(line: unknown): readonly Rings[] {
  const positions = listOf(line).map(positionOf);
  if (positions.length < 2) return positions.map((position) => squareAround([...position]));
  return positions.slice(1).map(([lon, lat], index) => {
    const [fromLon, fromLat] = positions[index]!;
    const length = Math.hypot(lon - fromLon, lat - fromLat);
    if (length === 0) return squareAround([lon, lat]);
    const [acrossLon, acrossLat] = [
      (-(lat - fromLat) / length) * HALF_SIDE_DEG,
      ((lon - fromLon) / length) * HALF_SIDE_DEG,
    ];
    return ringOf([
      [fromLon - acrossLon, fromLat - acrossLat],
      [lon - acrossLon, lat - acrossLat],
      [lon + acrossLon, lat + acrossLat],
      [fromLon + acrossLon, fromLat + acrossLat],
    ]);
  });
}

function ringOf(corners: readonly (readonly [number, number])[]): Rings {
  return [[...corners, corners[0]!].map(([lon, lat]) => [lon, lat])] as Rings;
}
