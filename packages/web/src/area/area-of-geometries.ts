import { boxGeometry, type AreaGeometry, type Ring } from "../find/area-rings.ts";
import { AreaFileError } from "./area-file-error.ts";
import { areaText } from "./area-text.ts";

/** The most positions of a file. */
export const MAX_VERTICES = 100_000;
/** GeoJSON of no program nests collections this deep. */
const MAX_DEPTH = 20;

/** An area, and whether it is the box around lines and points. */
export interface FileArea {
  readonly area: AreaGeometry;
  readonly isBox: boolean;
}

interface Found {
  readonly polygons: Ring[][];
  /** Positions of lines and points. */
  readonly others: (readonly [number, number])[];
  vertices: number;
}

/**
 * The area of GeoJSON objects of any kind: all their polygons, or the box around their lines and points.
 *
 * @throws {AreaFileError} for no area, too many positions, numbers that are no degrees
 */
export function areaOfGeometries(values: Iterable<unknown>): FileArea {
  const found: Found = { polygons: [], others: [], vertices: 0 };
  for (const value of values) collect(found, value, 0);
  const [first, ...rest] = found.polygons;
  if (first !== undefined) {
    const area: AreaGeometry =
      rest.length === 0
        ? { type: "Polygon", coordinates: first }
        : { type: "MultiPolygon", coordinates: found.polygons };
    return { area, isBox: false };
  }
  return { area: boxAround(found.others), isBox: true };
}

function collect(found: Found, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new AreaFileError(areaText.tooDeep);
  if (typeof value !== "object" || value === null) return;
  const { type, coordinates, features, geometries, geometry, crs } = value as Readonly<Record<string, unknown>>;
  requireDegrees(crs);
  for (const part of [...listOf(features), ...listOf(geometries), geometry]) collect(found, part, depth + 1);
  if (type === "Polygon") addPolygon(found, coordinates);
  if (type === "MultiPolygon") for (const polygon of listOf(coordinates)) addPolygon(found, polygon);
  if (type === "Point") found.others.push(position(found, coordinates));
  if (type === "LineString" || type === "MultiPoint") addPositions(found, coordinates);
  if (type === "MultiLineString") for (const line of listOf(coordinates)) addPositions(found, line);
}

function addPositions(found: Found, value: unknown): void {
  for (const one of listOf(value)) found.others.push(position(found, one));
}

function addPolygon(found: Found, value: unknown): void {
  const rings = listOf(value).map((ring) => closed(listOf(ring).map((one) => position(found, one))));
  const [outer] = rings;
  // Three corners and the first one again.
  if (outer !== undefined && outer.length >= 4) found.polygons.push(rings.filter((ring) => ring.length >= 4));
}

function closed(ring: Ring): Ring {
  const first = ring[0];
  const last = ring.at(-1);
  if (first === undefined || last === undefined || (first[0] === last[0] && first[1] === last[1])) return ring;
  return [...ring, first];
}

function position(found: Found, value: unknown): readonly [number, number] {
  found.vertices += 1;
  if (found.vertices > MAX_VERTICES) {
    throw new AreaFileError(areaText.tooMany(new Intl.NumberFormat("en").format(MAX_VERTICES)));
  }
  const [longitude, latitude] = listOf(value);
  if (typeof longitude !== "number" || typeof latitude !== "number") throw new AreaFileError(areaText.notNumbers);
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) throw new AreaFileError(areaText.notNumbers);
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
    throw new AreaFileError(areaText.notDegrees(longitude, latitude));
  }
  return [longitude, latitude];
}

/** Half of a metre of latitude on both sides of a line along a parallel, so that its box is an area. */
const LEAST_DEG = 0.000_005;

function boxAround(positions: readonly (readonly [number, number])[]): AreaGeometry {
  if (positions.length === 0) throw new AreaFileError(areaText.empty);
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [longitude, latitude] of positions) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return boxGeometry({
    west: Math.max(-180, west - LEAST_DEG),
    south: Math.max(-90, south - LEAST_DEG),
    east: Math.min(180, east + LEAST_DEG),
    north: Math.min(90, north + LEAST_DEG),
  });
}

/** Old GeoJSON files name their CRS. */
function requireDegrees(crs: unknown): void {
  if (typeof crs !== "object" || crs === null || !("properties" in crs)) return;
  const { properties } = crs;
  if (typeof properties !== "object" || properties === null || !("name" in properties)) return;
  const { name } = properties;
  if (typeof name === "string" && !/CRS84|4326/.test(name)) throw new AreaFileError(areaText.otherCrs(name));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
