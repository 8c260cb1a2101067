/** Earth-centred, earth-fixed components (WGS84), metres or metres per second. */
export type Ecef = readonly [x: number, y: number, z: number];

/** Where a satellite was and how it moved at one moment, in the rotating frame of the earth. */
export interface StateVector {
  /** Milliseconds since 1970, UTC, with a fraction. */
  readonly timeMs: number;
  readonly positionM: Ecef;
  readonly velocityMs: Ecef;
}

export function dot(a: Ecef, b: Ecef): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Ecef, b: Ecef): Ecef {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function subtract(a: Ecef, b: Ecef): Ecef {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** `a + factor * b` */
export function addScaled(a: Ecef, factor: number, b: Ecef): Ecef {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
}

export function normalized(a: Ecef): Ecef {
  const length = Math.hypot(a[0], a[1], a[2]);
  return [a[0] / length, a[1] / length, a[2] / length];
}
