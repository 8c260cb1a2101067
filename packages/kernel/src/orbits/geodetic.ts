import { DEGREE, primeVerticalRadiusM, WGS84_E2 } from "../geometry/wgs84.ts";
import type { Ecef } from "./state-vector.ts";

/** Earth-fixed place of a geodetic position on WGS84, metres. */
export function ecefOf(lonDeg: number, latDeg: number, heightM = 0): Ecef {
  const n = primeVerticalRadiusM(latDeg);
  const flat = (n + heightM) * Math.cos(latDeg * DEGREE);
  return [
    flat * Math.cos(lonDeg * DEGREE),
    flat * Math.sin(lonDeg * DEGREE),
    (n * (1 - WGS84_E2) + heightM) * Math.sin(latDeg * DEGREE),
  ];
}
