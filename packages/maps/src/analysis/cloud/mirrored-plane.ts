import type { PixelRect } from "../block.ts";

/**
 * A plane of a block with the scene mirrored at its borders, so that a network sees ground of the scene all around. Without
 * a pixel beyond the borders it is the plane itself.
 *
 * @param rect the block in pixels of the grid
 * @param columns width of the grid
 * @param rows height of the grid
 */
export function mirroredPlane(plane: Float32Array, rect: PixelRect, columns: number, rows: number): Float32Array {
  const isInside =
    rect.column >= 0 && rect.row >= 0 && rect.column + rect.columns <= columns && rect.row + rect.rows <= rows;
  if (isInside) return plane;
  const across = mirroredPlaces(rect.column, rect.columns, columns);
  const result = new Float32Array(plane.length);
  for (const [row, source] of mirroredPlaces(rect.row, rect.rows, rows).entries()) {
    for (let column = 0; column < rect.columns; column++) {
      const from = source < 0 || across[column]! < 0 ? -1 : source * rect.columns + across[column]!;
      result[row * rect.columns + column] = from < 0 ? Number.NaN : plane[from]!;
    }
  }
  return result;
}

/** For each place of the block its mirror image within the grid, as a place of the block; -1 where the block lacks it. */
function mirroredPlaces(start: number, count: number, length: number): Int32Array {
  return Int32Array.from({ length: count }, (_, index) => {
    const turn = (((start + index) % (2 * length)) + 2 * length) % (2 * length);
    const place = (turn < length ? turn : 2 * length - 1 - turn) - start;
    return place >= 0 && place < count ? place : -1;
  });
}
