/**
 * Sums over rectangles in constant time: entry (column, row) of the table is the sum of all pixels above and to the left
 * of that corner, so the table has one column and one row more than the image.
 */
export interface IntegralImage {
  readonly columns: number;
  readonly rows: number;
  readonly sums: Float64Array;
}

/** @param values row-major; NaN counts as 0 */
export function integralImage(values: ArrayLike<number>, columns: number, rows: number): IntegralImage {
  const width = columns + 1;
  const sums = new Float64Array(width * (rows + 1));
  for (let row = 0; row < rows; row++) {
    let line = 0;
    const above = row * width;
    const here = above + width;
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column]!;
      if (value === value) line += value;
      sums[here + column + 1] = sums[above + column + 1]! + line;
    }
  }
  return { columns, rows, sums };
}

/** Sum of the pixels of `[left, right) x [top, bottom)`, the part inside the image. */
export function rectangleSum(
  { columns, rows, sums }: IntegralImage,
  left: number,
  top: number,
  right: number,
  bottom: number,
): number {
  const x0 = Math.max(0, left);
  const y0 = Math.max(0, top);
  const x1 = Math.min(columns, right);
  const y1 = Math.min(rows, bottom);
  if (x1 <= x0 || y1 <= y0) return 0;
  const width = columns + 1;
  return sums[y1 * width + x1]! - sums[y0 * width + x1]! - sums[y1 * width + x0]! + sums[y0 * width + x0]!;
}
