import type { Coregistration } from "./scene-shift.ts";

/** Shifts below this are as likely errors of their measurement, and resampling would blur for nothing. */
const NEGLIGIBLE_PX = 0.2;

/** What a single window of speckle measures is uncertain by about a pixel. */
const LONE_WINDOW_PX = 1.5;

/**
 * Rounded to whole pixels, because power that is interpolated has no longer the looks it had; none where a single window
 * says so little that it may be an error.
 */
export function wholeShift(measured: Coregistration): Coregistration {
  const { dx, dy, agreeing } = measured;
  if (agreeing < 2 && Math.hypot(dx, dy) < LONE_WINDOW_PX) return { ...measured, dx: 0, dy: 0 };
  return { ...measured, dx: Math.round(dx), dy: Math.round(dy) };
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
