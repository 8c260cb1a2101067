import { readFile } from "node:fs/promises";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { GeoJson, Polygon } from "@swath/kernel/geometry/geojson";
import { UsageError } from "./exit-code.ts";

/** Four numbers `west,south,east,north` in degrees as a polygon; null when the text is not four numbers. */
export function parseBox(text: string, option = "--extent"): Polygon | null {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [west, south, east, north] = parts;
  if (parts.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) {
    return null;
  }
  if (!parts.every(Number.isFinite)) return null;
  if (south >= north || south < -90 || north > 90) {
    throw new UsageError(`${option} has south ${south} and north ${north}, expected -90 <= south < north <= 90`);
  }
  if (west < -180 || west > 180 || east < -180 || east > 540 || east === west) {
    throw new UsageError(`${option} has west ${west} and east ${east}, expected degrees from -180 to 180`);
  }
  // A box whose east is west of its west crosses the antimeridian.
  return boundsPolygon([west, south, east < west ? east + 360 : east, north]);
}

/** Numbers between commas name no file. */
const NUMBERS = /^[-+.\d\s]*(,[-+.\d\s]*)+$/;

/** `--extent` or another option: a box of four numbers, a GeoJSON file, or GeoJSON itself. @throws {UsageError} */
export async function readExtent(text: string, option = "--extent"): Promise<GeoJson> {
  const box = parseBox(text, option);
  if (box !== null) return box;
  if (NUMBERS.test(text)) {
    throw new UsageError(
      `${option} is "${text}", expected four numbers between commas: west,south,east,north in degrees`,
    );
  }
  const isInline = text.trimStart().startsWith("{");
  const source = isInline ? text : await readFile(text, "utf8");
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    throw new UsageError(`${option} ${isInline ? "" : `file ${text} `}is not JSON`, { cause });
  }
  if (!isGeoJson(value)) throw new UsageError(`${option} is neither west,south,east,north nor GeoJSON`);
  return value;
}

const TYPES = new Set([
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
  "Feature",
  "FeatureCollection",
]);

function isGeoJson(value: unknown): value is GeoJson {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    TYPES.has(value.type)
  );
}
