import type { PixelRect } from "../../analysis/block.ts";

type Plane = Int16Array | Int32Array | Uint8Array;

/** Part of `rect` within `reachPx` of the core, in pixels of the grid. */
export function windowAround(rect: PixelRect, core: PixelRect, reachPx: number): PixelRect {
  const column = Math.max(rect.column, core.column - reachPx);
  const row = Math.max(rect.row, core.row - reachPx);
  const right = Math.min(rect.column + rect.columns, core.column + core.columns + reachPx);
  const below = Math.min(rect.row + rect.rows, core.row + core.rows + reachPx);
  return { column, row, columns: right - column, rows: below - row };
}

/**
 * The part of a plane that lies in a window.
 *
 * @param rect where the pixels of the plane lie
 * @param valuesPerPixel side by side
 */
export function cropped<P extends Plane>(plane: P, rect: PixelRect, window: PixelRect, valuesPerPixel = 1): P {
  const width = window.columns * valuesPerPixel;
  const result = plane.slice(0, width * window.rows) as P;
  for (let row = 0; row < window.rows; row++) {
    const from = (window.row - rect.row + row) * rect.columns + window.column - rect.column;
    result.set(plane.subarray(from * valuesPerPixel, from * valuesPerPixel + width), row * width);
  }
  return result;
}
