import { INVALID } from "./int-plane.ts";

/** Pixels around that the top-hat of one pixel depends on. */
export const TOP_HAT_REACH_PX = 2;

const NONE = 32_767;

/**
 * What of a plane is brighter than its opening by 3 x 3 pixels: things of one or two pixels width that stand out from what is around,
 * 0 in plain ground and along the edges of large things. Invalid pixels and what lies outside do not count; `INVALID` where the
 * pixel is.
 */
export function topHat(plane: Int16Array, columns: number, rows: number): Int16Array {
  const one = new Int16Array(plane.length);
  const other = new Int16Array(plane.length);
  for (let i = 0; i < plane.length; i++) other[i] = plane[i] === INVALID ? NONE : plane[i]!;
  // Least of 3 x 3, across and down, then the greatest of those: windows of invalid pixels alone count for nothing.
  across(other, one, columns, rows, false);
  down(one, other, columns, rows, false);
  for (let i = 0; i < other.length; i++) if (other[i] === NONE) other[i] = INVALID;
  across(other, one, columns, rows, true);
  down(one, other, columns, rows, true);
  for (let i = 0; i < plane.length; i++) {
    other[i] = plane[i] === INVALID ? INVALID : Math.min(NONE, plane[i]! - other[i]!);
  }
  return other;
}

function across(from: Int16Array, to: Int16Array, columns: number, rows: number, greatest: boolean): void {
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let before = from[start]!;
    let here = before;
    for (let column = 0; column < columns; column++) {
      const after = from[start + Math.min(column + 1, columns - 1)]!;
      to[start + column] = greatest ? Math.max(before, here, after) : Math.min(before, here, after);
      before = here;
      here = after;
    }
  }
}

function down(from: Int16Array, to: Int16Array, columns: number, rows: number, greatest: boolean): void {
  for (let row = 0; row < rows; row++) {
    const above = Math.max(0, row - 1) * columns;
    const here = row * columns;
    const below = Math.min(rows - 1, row + 1) * columns;
    for (let column = 0; column < columns; column++) {
      const a = from[above + column]!;
      const b = from[here + column]!;
      const c = from[below + column]!;
      to[here + column] = greatest ? Math.max(a, b, c) : Math.min(a, b, c);
    }
  }
}
