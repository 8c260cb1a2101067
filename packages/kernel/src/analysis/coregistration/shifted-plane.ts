/** Shifts below this are as likely errors of their measurement, and resampling would blur for nothing. */
const NEGLIGIBLE_PX = 0.2;

/** Rounded to whole pixels: power that is interpolated has no longer the looks it had. */
export function wholePixels(shiftPx: number): number {
  return Math.round(shiftPx);
}

/**
 * A plane as it would be with its pixels moved: the result at (column, row) is the plane at (column + dx, row + dy),
 * bilinear. Outside, and where a pixel that counts is NaN, NaN.
 */
export function shiftedPlane(plane: Float32Array, columns: number, rows: number, dx: number, dy: number): Float32Array {
  if (Math.hypot(dx, dy) < NEGLIGIBLE_PX) return plane;
  const result = new Float32Array(plane.length).fill(Number.NaN);
  const left = Math.floor(dx);
  const top = Math.floor(dy);
  const fx = dx - left;
  const fy = dy - top;
  const right = fx > 0 ? 1 : 0;
  const below = fy > 0 ? columns : 0;
  for (let row = Math.max(0, -top); row < Math.min(rows, rows - top - (fy > 0 ? 1 : 0)); row++) {
    const from = (row + top) * columns + left;
    for (let column = Math.max(0, -left); column < Math.min(columns, columns - left - right); column++) {
      const at = from + column;
      const upper = plane[at]! + (plane[at + right]! - plane[at]!) * fx;
      const lower = plane[at + below]! + (plane[at + below + right]! - plane[at + below]!) * fx;
      result[row * columns + column] = upper + (lower - upper) * fy;
    }
  }
  return result;
}
