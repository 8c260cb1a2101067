/** Where a rectangle of one direction is looked at: pixels in it and along its four sides, relative to its middle. */
export interface BoxTemplate {
  readonly lengthM: number;
  readonly widthM: number;
  /** From the column axis towards the row axis, radians. */
  readonly angleRad: number;
  readonly inside: Int32Array;
  /** Left, right, front, back. */
  readonly sides: readonly [Int32Array, Int32Array, Int32Array, Int32Array];
}

/** Samples per length and per width: finer than pixels of 0.3 m would only repeat them. */
const STEP_M = 0.45;
/** Distance of the outer samples from the edge: between parked cars there is 0.6 to 1.2 m. */
const GAP_M = 0.45;
const END_GAP_M = 0.7;

/**
 * Rectangles of one size in `directions` directions over half a turn.
 *
 * @param columns of the plane that the offsets are for
 */
export function boxTemplates(
  lengthM: number,
  widthM: number,
  directions: number,
  columns: number,
  metresPerPixelX: number,
  metresPerPixelY: number,
): readonly BoxTemplate[] {
  return Array.from({ length: directions }, (_, index) => {
    const angleRad = (index * Math.PI) / directions;
    const offset = (ahead: number, right: number): number => {
      const x = Math.round((Math.cos(angleRad) * ahead - Math.sin(angleRad) * right) / metresPerPixelX);
      const y = Math.round((Math.sin(angleRad) * ahead + Math.cos(angleRad) * right) / metresPerPixelY);
      return y * columns + x;
    };
    const along = steps(lengthM - 0.7);
    const across = steps(widthM - 0.6);
    const line = (right: number): Int32Array => Int32Array.from(along, (ahead) => offset(ahead, right));
    const end = (ahead: number): Int32Array => Int32Array.from(across, (right) => offset(ahead, right));
    return {
      lengthM,
      widthM,
      angleRad,
      inside: Int32Array.from(along.flatMap((ahead) => across.map((right) => offset(ahead, right)))),
      sides: [
        line(-widthM / 2 - GAP_M),
        line(widthM / 2 + GAP_M),
        end(lengthM / 2 + END_GAP_M),
        end(-lengthM / 2 - END_GAP_M),
      ],
    };
  });
}

/** Offsets of pixels on a circle. */
export function circle(radiusM: number, columns: number, metresPerPixelX: number, metresPerPixelY: number): Int32Array {
  const count = 16;
  return Int32Array.from({ length: count }, (_, index) => {
    const angle = (index * 2 * Math.PI) / count;
    const x = Math.round((Math.cos(angle) * radiusM) / metresPerPixelX);
    return Math.round((Math.sin(angle) * radiusM) / metresPerPixelY) * columns + x;
  });
}

/** Offsets of pixels from near the middle outwards to a distance, in 24 directions. */
export function raysTo(
  distanceM: number,
  columns: number,
  metresPerPixelX: number,
  metresPerPixelY: number,
): readonly Int32Array[] {
  const directions = 24;
  const count = Math.ceil(distanceM / STEP_M) - 1;
  return Array.from({ length: directions }, (_, direction) => {
    const angle = (direction * 2 * Math.PI) / directions;
    return Int32Array.from({ length: count }, (_unused, index) => {
      const at = distanceM - index * STEP_M;
      const x = Math.round((Math.cos(angle) * at) / metresPerPixelX);
      return Math.round((Math.sin(angle) * at) / metresPerPixelY) * columns + x;
    });
  });
}

/** Positions from one end to the other, both included, symmetric. */
function steps(lengthM: number): readonly number[] {
  const count = Math.max(2, Math.round(lengthM / STEP_M)) + 1;
  return Array.from({ length: count }, (_, index) => (index / (count - 1) - 0.5) * lengthM);
}
