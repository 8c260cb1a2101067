import { DEGREE } from "../geometry/wgs84.ts";

export interface SunPosition {
  /** Degrees above the horizon; negative at night. Without refraction. */
  readonly elevationDeg: number;
  /** Degrees clockwise from north, 0 to 360. */
  readonly azimuthDeg: number;
}

/**
 * Where the sun stands, by the low-precision formulas of the Astronomical Almanac (0.012 degrees, 1950 to 2050).
 *
 * @param timeMs milliseconds since 1970, UTC
 * @see Meeus, Astronomical Algorithms, chapter 25
 * @example sunPosition(Date.UTC(2026, 5, 21, 12), 0, 23.44).elevationDeg // 89.5
 */
export function sunPosition(timeMs: number, lonDeg: number, latDeg: number): SunPosition {
  const days = timeMs / 86_400_000 + 2440587.5 - 2451545;
  const meanLongitude = 280.46 + 0.9856474 * days;
  const anomaly = (357.528 + 0.9856003 * days) * DEGREE;
  const ecliptic = (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * DEGREE;
  const obliquity = (23.439 - 4e-7 * days) * DEGREE;
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const hourAngle = (280.46061837 + 360.98564736629 * days + lonDeg) * DEGREE - rightAscension;
  const lat = latDeg * DEGREE;
  const sinElevation =
    Math.sin(lat) * Math.sin(declination) + Math.cos(lat) * Math.cos(declination) * Math.cos(hourAngle);
  const azimuth = Math.atan2(
    -Math.sin(hourAngle) * Math.cos(declination),
    Math.cos(lat) * Math.sin(declination) - Math.sin(lat) * Math.cos(declination) * Math.cos(hourAngle),
  );
  return {
    elevationDeg: Math.asin(Math.min(Math.max(sinElevation, -1), 1)) / DEGREE,
    azimuthDeg: (((azimuth / DEGREE) % 360) + 360) % 360,
  };
}
