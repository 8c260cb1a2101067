import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds, Polygon } from "@swath/kernel/geometry/geojson";
import { badRequest } from "./bad-request.ts";

/** The numbers of `bbox` in an address. @throws {ServiceError} BAD-REQUEST */
export function bboxNumbers(text: string): readonly number[] {
  return text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
}

/**
 * The box of `bbox` without heights, its east beyond 180 across the antimeridian.
 *
 * @throws {ServiceError} BAD-REQUEST
 */
export function readBbox(numbers: readonly number[]): Bounds {
  if (numbers.length !== 4 && numbers.length !== 6) throw badRequest("bbox", "must have four or six numbers");
  if (!numbers.every(Number.isFinite)) throw badRequest("bbox", "must be numbers");
  const half = numbers.length / 2;
  const [west = 0, south = 0] = numbers;
  const east = numbers[half] ?? 0;
  const north = numbers[half + 1] ?? 0;
  if (south > north) throw badRequest("bbox", "must have its south below its north");
  if (half === 3 && (numbers[2] ?? 0) > (numbers[5] ?? 0)) throw badRequest("bbox", "must have its lower height first");
  if (Math.abs(west) > 180 || Math.abs(east) > 180 || south < -90 || north > 90) {
    throw badRequest("bbox", "must lie within longitudes of ±180 and latitudes of ±90 degrees");
  }
  return [west, south, west > east ? east + 360 : east, north];
}

export function isWholeWorld([west, south, east, north]: Bounds): boolean {
  return east - west >= 360 && south <= -90 && north >= 90;
}

/** Degrees, a tenth of a metre: a point and an edge become areas, which have overlaps. */
const LEAST_SIDE_DEG = 1e-6;

/** The polygon of a box; a flat box is a tenth of a metre wide. */
export function boxPolygon([west, south, east, north]: Bounds): Polygon {
  const pad = LEAST_SIDE_DEG / 2;
  const padLon = east - west < LEAST_SIDE_DEG ? pad : 0;
  const padLat = north - south < LEAST_SIDE_DEG ? pad : 0;
  return boundsPolygon([west - padLon, Math.max(-90, south - padLat), east + padLon, Math.min(90, north + padLat)]);
}
