import { DEGREE } from "@swath/kernel/geometry/wgs84";
import type { Scene } from "@swath/kernel/scenes/scene";

/** Inclination of the orbit of Sentinel-1; other radar satellites keep within a degree of it. */
const INCLINATION_DEG = 98.18;
/** Speed over the ground of the Earth below at the equator against that of the satellite's foot point, 465 by 6790 m/s. */
const EARTH_ROTATION = 465 / 6790;

/**
 * Directions in which the satellite may have flown over the middle of a scene, degrees clockwise from north: one when the
 * pass is known, else both.
 */
export function flightDirections({ footprint, orbitPass }: Pick<Scene, "footprint" | "orbitPass">): readonly number[] {
  const latitudes = footprint.coordinates.flat(2).map(([, lat]) => lat);
  const latDeg = latitudes.length === 0 ? 0 : (Math.min(...latitudes) + Math.max(...latitudes)) / 2;
  const sine = Math.cos(INCLINATION_DEG * DEGREE) / Math.cos(latDeg * DEGREE);
  if (Math.abs(sine) >= 1) return [];
  const east = sine - EARTH_ROTATION * Math.cos(latDeg * DEGREE);
  const ascending = Math.atan2(east, Math.sqrt(1 - sine ** 2)) / DEGREE;
  const rounded = Math.round(ascending * 100) / 100;
  if (orbitPass === "ascending") return [rounded];
  return orbitPass === "descending" ? [-rounded] : [rounded, -rounded];
}

/** Wavelength, metres. */
const WAVELENGTH_M = 0.0555;
/** Geometric mean of orbital and ground speed, m/s. */
const SPEED_MS = 7200;
/** Pulse repetition frequency and middle slant range of the three sub-swaths of the wide mode. */
const SUB_SWATHS = [
  [1717, 830_000],
  [1452, 880_000],
  [1686, 930_000],
] as const;

/** How far along the flight an azimuth ambiguity lies from its target: wavelength * PRF * range / (2 * speed). */
export function sentinel1Ambiguities(): readonly number[] {
  return SUB_SWATHS.map(([prfHz, rangeM]) => Math.round((WAVELENGTH_M * prfHz * rangeM) / (2 * SPEED_MS)));
}
