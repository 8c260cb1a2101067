/** Semi-major axis of the WGS84 ellipsoid, metres (EPSG 7030). */
export const WGS84_A_M = 6_378_137;
/** Flattening of the WGS84 ellipsoid. */
export const WGS84_F = 1 / 298.257223563;
/** First eccentricity squared. */
export const WGS84_E2 = WGS84_F * (2 - WGS84_F);

export const DEGREE = Math.PI / 180;

/** Nodes and weights of Gauss-Legendre quadrature on [0, 1]. */
export const GAUSS_3 = {
  nodes: [0.1127016653792583, 0.5, 0.8872983346207417],
  weights: [5 / 18, 8 / 18, 5 / 18],
} as const;
export const GAUSS_5 = {
  nodes: [0.04691007703066802, 0.23076534494715845, 0.5, 0.7692346550528415, 0.9530899229693319],
  weights: [0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454],
} as const;

/** Radius of curvature in the meridian (M), metres. */
export function meridianRadiusM(latDeg: number): number {
  const s = Math.sin(latDeg * DEGREE);
  return (WGS84_A_M * (1 - WGS84_E2)) / (1 - WGS84_E2 * s * s) ** 1.5;
}

/** Radius of curvature in the prime vertical (N), metres. */
export function primeVerticalRadiusM(latDeg: number): number {
  const s = Math.sin(latDeg * DEGREE);
  return WGS84_A_M / Math.sqrt(1 - WGS84_E2 * s * s);
}

/** Length of the meridian between two latitudes, metres, accurate to a millimetre. */
export function meridianArcM(southDeg: number, northDeg: number): number {
  const pieces = Math.max(1, Math.ceil((northDeg - southDeg) / 10));
  const step = (northDeg - southDeg) / pieces;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    for (const [i, node] of GAUSS_5.nodes.entries()) {
      sum += (GAUSS_5.weights[i] ?? 0) * meridianRadiusM(southDeg + (piece + node) * step);
    }
  }
  return sum * step * DEGREE;
}
