import type { AreaGeometry } from "../find/area-rings.ts";
import { boxGeometry } from "../find/area-rings.ts";

/** Where the values of a series are read. */
export type SeriesPlace =
  | { readonly kind: "area" }
  | { readonly kind: "point"; readonly longitude: number; readonly latitude: number };

/** Half of the side of the square that stands for a point: 10 m, a pixel of most scenes. */
const HALF_SIDE_M = 10;
const METRES_PER_DEGREE = 111_320;
const DIGITS = 5;

/** The place in the path of a link: `area`, or longitude and latitude. */
export function formatPlace(place: SeriesPlace): string {
  if (place.kind === "area") return "area";
  return `${place.longitude.toFixed(DIGITS)},${place.latitude.toFixed(DIGITS)}`;
}

/** Reads the place of a link; an unreadable one is the area. */
export function parsePlace(text: string | undefined): SeriesPlace {
  const parts = (text ?? "").split(",");
  const [longitude, latitude] = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (parts.length !== 2 || longitude === undefined || latitude === undefined) return { kind: "area" };
  if (!(Math.abs(longitude) <= 180) || !(Math.abs(latitude) <= 85)) return { kind: "area" };
  return { kind: "point", longitude, latitude };
}

/** The square around a point, on the globe. */
export function squareAround(longitude: number, latitude: number): AreaGeometry {
  const halfLatitude = HALF_SIDE_M / METRES_PER_DEGREE;
  const halfLongitude = halfLatitude / Math.cos((latitude * Math.PI) / 180);
  const middle = Math.min(180 - halfLongitude, Math.max(-180 + halfLongitude, longitude));
  return boxGeometry({
    west: middle - halfLongitude,
    south: latitude - halfLatitude,
    east: middle + halfLongitude,
    north: latitude + halfLatitude,
  });
}
