import { normalForm } from "@swath/kernel/geometry/antimeridian";
import { extentArea } from "@swath/kernel/geometry/extent";
import type { LinearRing, MultiPolygon, PolygonCoordinates, Position } from "@swath/kernel/geometry/geojson";
import { simplifyFootprint } from "@swath/kernel/geometry/simplify";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";

/** More are simplified; outlines of scenes have dozens at most. */
const MAX_POSITIONS = 500;
/** Beyond this an outline is not worth repairing; its box stands for it. */
const HOPELESS_POSITIONS = 20_000;
const MAX_LONGITUDE_DEG = 540;

/**
 * Where the pixels of an item are, in normal form: its geometry with open rings closed, crossings resolved and parts
 * split at the antimeridian; its box when the geometry is missing or beyond repair. Null when there is neither.
 */
export function footprintOfItem(item: Readonly<Record<string, unknown>>): MultiPolygon | null {
  return footprintOfGeometry(item["geometry"]) ?? footprintOfBox(item["bbox"]);
}

function footprintOfGeometry(geometry: unknown): MultiPolygon | null {
  if (!isRecord(geometry)) return null;
  const { type, coordinates } = geometry;
  if (type === "GeometryCollection" && Array.isArray(geometry["geometries"])) {
    const parts = geometry["geometries"].slice(0, 100).flatMap((part) => footprintOfGeometry(part)?.coordinates ?? []);
    return areaOf(parts);
  }
  const polygons = type === "Polygon" ? [coordinates] : type === "MultiPolygon" ? coordinates : null;
  return Array.isArray(polygons) ? areaOf(polygons.flatMap((polygon) => polygonOf(polygon) ?? [])) : null;
}

function polygonOf(value: unknown): [PolygonCoordinates] | null {
  if (!Array.isArray(value)) return null;
  const rings = value.map(ringOf);
  const [exterior] = rings;
  return exterior === undefined || exterior === null ? null : [rings.filter((ring) => ring !== null)];
}

/** Closed, finite, without repetitions; null when no area is left. */
function ringOf(value: unknown): LinearRing | null {
  if (!Array.isArray(value)) return null;
  const ring: Position[] = [];
  for (const position of value) {
    if (!Array.isArray(position)) return null;
    const [lon, lat]: unknown[] = position;
    if (typeof lon !== "number" || typeof lat !== "number" || !Number.isFinite(lon) || !Number.isFinite(lat))
      return null;
    if (Math.abs(lon) > MAX_LONGITUDE_DEG || Math.abs(lat) > 90.001) return null;
    const last = ring.at(-1);
    const place: Position = [lon, Math.min(90, Math.max(-90, lat))];
    if (last === undefined || last[0] !== place[0] || last[1] !== place[1]) ring.push(place);
  }
  const [first] = ring;
  const last = ring.at(-1);
  if (first === undefined || last === undefined) return null;
  if (first[0] !== last[0] || first[1] !== last[1]) ring.push(first);
  return ring.length >= 4 ? ring : null;
}

function footprintOfBox(bbox: unknown): MultiPolygon | null {
  if (!Array.isArray(bbox) || (bbox.length !== 4 && bbox.length !== 6)) return null;
  const numbers = bbox.map((value) => (typeof value === "number" && Number.isFinite(value) ? value : Number.NaN));
  const [west = Number.NaN, south = Number.NaN] = numbers;
  const half = numbers.length / 2;
  const [east = Number.NaN, north = Number.NaN] = [numbers[half], numbers[half + 1]];
  if (![west, south, east, north].every(Number.isFinite) || south >= north || west === east) return null;
  const to = east < west ? east + 360 : east;
  const middle = (west + to) / 2;
  // Boxes wider than half the globe need vertices in between.
  const lons = to - west < 180 ? [west, to] : [west, middle, to];
  const ring = [...lons.map((lon) => [lon, south]), ...lons.toReversed().map((lon) => [lon, north]), [west, south]];
  return areaOf([[ringOf(ring) ?? []]]);
}

function areaOf(polygons: readonly PolygonCoordinates[]): MultiPolygon | null {
  const positions = polygons.reduce((sum, rings) => sum + rings.reduce((inner, ring) => inner + ring.length, 0), 0);
  if (positions === 0 || positions > HOPELESS_POSITIONS) return null;
  try {
    const coordinates = normalForm(polygons.filter(([exterior = []]) => exterior.length >= 4));
    const area = extentArea({ type: "MultiPolygon", coordinates });
    if (area === null) return null;
    return positions > MAX_POSITIONS ? simplifyFootprint(area) : area;
  } catch (error) {
    // A ring that the clipping engines cannot resolve is no outline.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
