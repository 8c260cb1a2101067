import type { PixelRect } from "../block.ts";
import type { Coregistration } from "./scene-shift.ts";
import { shiftedPlane } from "./shifted-plane.ts";
import { shiftAt } from "./tilt.ts";

/** A plane of the second scene where the first has it, bilinear; NaN where it needs what is not there. */
export function movedPlane(
  plane: Float32Array,
  { column: left, row: top, columns, rows }: PixelRect,
  { dx, dy, tilt }: Pick<Coregistration, "dx" | "dy" | "tilt">,
): Float32Array {
  if (tilt === undefined) return shiftedPlane(plane, columns, rows, dx, dy);
  const moved = new Float32Array(plane.length).fill(Number.NaN);
  for (let row = 0; row < rows; row++) {
    // Along a row the shift grows evenly.
    const [shiftX, shiftY] = shiftAt({ dx, dy, tilt }, left + 0.5, top + row + 0.5);
    for (let column = 0; column < columns; column++) {
      const x = column + shiftX + tilt.dxPerColumn * column;
      const y = row + shiftY + tilt.dyPerColumn * column;
      const x0 = Math.floor(x);
      const y0 = Math.floor(y);
      if (x0 < 0 || y0 < 0 || x0 >= columns - 1 || y0 >= rows - 1) continue;
      const at = y0 * columns + x0;
      const fx = x - x0;
      const upper = plane[at]! + (plane[at + 1]! - plane[at]!) * fx;
      const lower = plane[at + columns]! + (plane[at + columns + 1]! - plane[at + columns]!) * fx;
      moved[row * columns + column] = upper + (lower - upper) * (y - y0);
    }
  }
  return moved;
}
