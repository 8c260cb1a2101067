import { DEGREE, WGS84_A_M, WGS84_E2 } from "../geometry/wgs84.ts";
import { addScaled, cross, dot, normalized, type Ecef, type StateVector } from "./state-vector.ts";

export interface GeodeticPosition {
  /** Degrees in [-180, 180]. */
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly heightM: number;
}

const SEMI_MINOR_RATIO2 = 1 - WGS84_E2;

/** Geodetic position on WGS84 of an earth-fixed place above the surface; a millimetre up to 2000 km. */
export function geodeticOf([x, y, z]: Ecef): GeodeticPosition {
  const p = Math.hypot(x, y);
  let lat = Math.atan2(z, p * SEMI_MINOR_RATIO2);
  let heightM = 0;
  for (let step = 0; step < 6; step += 1) {
    const sin = Math.sin(lat);
    const n = WGS84_A_M / Math.sqrt(1 - WGS84_E2 * sin * sin);
    // The projection on the normal is stable at the poles, where p / cos(lat) is not.
    heightM = p * Math.cos(lat) + z * sin - (WGS84_A_M * WGS84_A_M) / n;
    lat = Math.atan2(z + n * WGS84_E2 * sin, p);
  }
  return { lonDeg: Math.atan2(y, x) / DEGREE, latDeg: lat / DEGREE, heightM };
}

/** Unit vector along the geodetic normal, upwards. */
export function upAt(lonDeg: number, latDeg: number): Ecef {
  const cosLat = Math.cos(latDeg * DEGREE);
  return [cosLat * Math.cos(lonDeg * DEGREE), cosLat * Math.sin(lonDeg * DEGREE), Math.sin(latDeg * DEGREE)];
}

/** Where a ray meets the ellipsoid first, or null when it misses. */
export function ellipsoidPoint(fromM: Ecef, direction: Ecef): Ecef | null {
  const b2 = SEMI_MINOR_RATIO2;
  const a = direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2 / b2;
  const b = fromM[0] * direction[0] + fromM[1] * direction[1] + (fromM[2] * direction[2]) / b2;
  const c = fromM[0] ** 2 + fromM[1] ** 2 + fromM[2] ** 2 / b2 - WGS84_A_M ** 2;
  const discriminant = b * b - a * c;
  if (discriminant < 0) return null;
  const distance = (-b - Math.sqrt(discriminant)) / a;
  return distance < 0 ? null : addScaled(fromM, distance, direction);
}

/** Axes of a satellite that flies level: down along the geodetic normal, and right of its earth-fixed velocity. */
export interface LevelFrame {
  readonly positionM: Ecef;
  readonly down: Ecef;
  readonly right: Ecef;
}

export function levelFrame(state: Pick<StateVector, "positionM" | "velocityMs">): LevelFrame {
  const { lonDeg, latDeg } = geodeticOf(state.positionM);
  const up = upAt(lonDeg, latDeg);
  return {
    positionM: state.positionM,
    down: [-up[0], -up[1], -up[2]],
    right: normalized(cross(state.velocityMs, up)),
  };
}

/**
 * What a satellite sees at a roll angle, perpendicular to its earth-fixed velocity.
 *
 * @param rollDeg off-nadir angle, positive to the right
 * @returns `[longitude, latitude]` in degrees, or null beyond the horizon
 */
export function groundPointAt(frame: LevelFrame, rollDeg: number): readonly [lonDeg: number, latDeg: number] | null {
  const sin = Math.sin(rollDeg * DEGREE);
  const cos = Math.cos(rollDeg * DEGREE);
  const { down, right } = frame;
  const place = ellipsoidPoint(frame.positionM, [
    down[0] * cos + right[0] * sin,
    down[1] * cos + right[1] * sin,
    down[2] * cos + right[2] * sin,
  ]);
  if (place === null) return null;
  const p = Math.hypot(place[0], place[1]);
  // On the ellipsoid itself the geodetic latitude is closed.
  return [Math.atan2(place[1], place[0]) / DEGREE, Math.atan2(place[2], p * SEMI_MINOR_RATIO2) / DEGREE];
}

/** Angle between two directions in degrees, exact for small ones too. */
export function angleBetweenDeg(a: Ecef, b: Ecef): number {
  const c = cross(a, b);
  return Math.atan2(Math.hypot(c[0], c[1], c[2]), dot(a, b)) / DEGREE;
}
