import type { Polygon } from "@swath/kernel/geometry/geojson";
import { UsageError } from "./exit-code.ts";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";

/** Length of a degree of latitude, near enough for a box around a place. */
const DEGREE_M = 111_195;
const MAX_LATITUDE_DEG = 85;

/** `longitude,latitude` in degrees. @param name what messages call it @throws {UsageError} */
export function parsePlace(text: string, name = "--place"): readonly [lonDeg: number, latDeg: number] {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [lonDeg, latDeg] = parts;
  if (parts.length !== 2 || lonDeg === undefined || latDeg === undefined || !parts.every(Number.isFinite)) {
    throw new UsageError(`${name} is "${text}", expected longitude,latitude such as 153.13,-27.42`);
  }
  if (Math.abs(lonDeg) > 180 || Math.abs(latDeg) > MAX_LATITUDE_DEG) {
    throw new UsageError(`${name} is "${text}", expected degrees up to 180 and ${MAX_LATITUDE_DEG}`);
  }
  return [lonDeg, latDeg];
}

/** A square of that side around a place, at most as wide as the world. */
export function squareAround([lonDeg, latDeg]: readonly [number, number], sideM: number): Polygon {
  const halfLat = sideM / 2 / DEGREE_M;
  const halfLon = Math.min(halfLat / Math.cos((latDeg * Math.PI) / 180), 179);
  const [south, north] = [Math.max(latDeg - halfLat, -89), Math.min(latDeg + halfLat, 89)];
  return boundsPolygon([lonDeg - halfLon, south, lonDeg + halfLon, north]);
}
