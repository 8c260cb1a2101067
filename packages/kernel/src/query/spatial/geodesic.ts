import { DEGREE, WGS84_A_M, WGS84_E2, WGS84_F } from "../../geometry/wgs84.ts";

const B = WGS84_A_M * (1 - WGS84_F);
const ITERATIONS = 50;

/** A place on the ellipsoid in earth-fixed coordinates, metres. */
export type Ecef = readonly [x: number, y: number, z: number];

export function ecef(lonDeg: number, latDeg: number): Ecef {
  const lat = latDeg * DEGREE;
  const lon = lonDeg * DEGREE;
  const n = WGS84_A_M / Math.sqrt(1 - WGS84_E2 * Math.sin(lat) ** 2);
  return [n * Math.cos(lat) * Math.cos(lon), n * Math.cos(lat) * Math.sin(lon), n * (1 - WGS84_E2) * Math.sin(lat)];
}

/** Length of the straight line through the earth: never more than the geodesic. */
export function chordM(a: Ecef, b: Ecef): number {
  const [dx, dy, dz] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  // Faster than hypot by far, and nothing here is too large to be squared.
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/**
 * Length of the shortest way along the WGS84 ellipsoid, metres, to 0.1 mm; for places that are not nearly opposite.
 *
 * @see T. Vincenty 1975, Survey Review XXIII 176, inverse formula
 */
export function geodesicM(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const l = (lon2 - lon1) * DEGREE;
  const u1 = Math.atan((1 - WGS84_F) * Math.tan(lat1 * DEGREE));
  const u2 = Math.atan((1 - WGS84_F) * Math.tan(lat2 * DEGREE));
  const [sinU1, cosU1, sinU2, cosU2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)];
  let lambda = l;
  for (let i = 0; i < ITERATIONS; i += 1) {
    const sinLambda = Math.sin(lambda);
    const cosLambda = Math.cos(lambda);
    const sinSigma = Math.hypot(cosU2 * sinLambda, cosU1 * sinU2 - sinU1 * cosU2 * cosLambda);
    if (sinSigma === 0) return 0;
    const cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda;
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (cosU1 * cosU2 * sinLambda) / sinSigma;
    const cosSqAlpha = 1 - sinAlpha * sinAlpha;
    const cos2SigmaM = cosSqAlpha === 0 ? 0 : cosSigma - (2 * sinU1 * sinU2) / cosSqAlpha;
    const c = (WGS84_F / 16) * cosSqAlpha * (4 + WGS84_F * (4 - 3 * cosSqAlpha));
    const next =
      l +
      (1 - c) *
        WGS84_F *
        sinAlpha *
        (sigma + c * sinSigma * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)));
    const settled = Math.abs(next - lambda) < 1e-13;
    lambda = next;
    if (!settled && i < ITERATIONS - 1) continue;
    const uSq = (cosSqAlpha * (WGS84_A_M * WGS84_A_M - B * B)) / (B * B);
    const k = 1 + (uSq / 16384) * (4096 + uSq * (-768 + uSq * (320 - 175 * uSq)));
    const m = (uSq / 1024) * (256 + uSq * (-128 + uSq * (74 - 47 * uSq)));
    const square = 2 * cos2SigmaM * cos2SigmaM - 1;
    const delta =
      m *
      sinSigma *
      (cos2SigmaM +
        (m / 4) * (cosSigma * square - (m / 6) * cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (2 * square - 1)));
    return B * k * (sigma - delta);
  }
  return 0;
}
