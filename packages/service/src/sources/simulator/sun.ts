export interface SunPosition {
  /** Degrees above the horizon; negative at night. */
  readonly elevationDeg: number;
  /** Degrees clockwise from north. */
  readonly azimuthDeg: number;
}

const RADIANS = Math.PI / 180;

/**
 * Where the sun stands, by the low-precision formulas of the Astronomical Almanac (about 0.01 degrees, 1950 to 2050).
 *
 * @example sunPosition(new Date("2026-06-21T12:00:00Z"), 0, 23.44).elevationDeg // 89.5
 */
export function sunPosition(time: Date, lonDeg: number, latDeg: number): SunPosition {
  const days = time.getTime() / 86_400_000 + 2440587.5 - 2451545;
  const meanLongitude = 280.46 + 0.9856474 * days;
  const anomaly = (357.528 + 0.9856003 * days) * RADIANS;
  const ecliptic = (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const obliquity = (23.439 - 4e-7 * days) * RADIANS;
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const siderealDeg = 280.46061837 + 360.98564736629 * days + lonDeg;
  const hourAngle = siderealDeg * RADIANS - rightAscension;
  const lat = latDeg * RADIANS;
  const sinElevation =
    Math.sin(lat) * Math.sin(declination) + Math.cos(lat) * Math.cos(declination) * Math.cos(hourAngle);
  const azimuth = Math.atan2(
    -Math.sin(hourAngle) * Math.cos(declination),
    Math.cos(lat) * Math.sin(declination) - Math.sin(lat) * Math.cos(declination) * Math.cos(hourAngle),
  );
  return {
    elevationDeg: Math.asin(sinElevation) / RADIANS,
    azimuthDeg: (((azimuth / RADIANS) % 360) + 360) % 360,
  };
}
