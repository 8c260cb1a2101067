import { integralImage, rectangleSum } from "@swath/kernel/raster-mathematics/integral-image";

/** Mean over squares of `2 radiusPx + 1` pixels, of what is valid in them; NaN where nothing is. */
export function boxMean(plane: Float32Array, columns: number, rows: number, radiusPx: number): Float32Array {
  const sums = integralImage(plane, columns, rows);
  const valid = new Uint8Array(plane.length);
  let all = true;
  for (let i = 0; i < plane.length; i++) {
    if (plane[i] === plane[i]) valid[i] = 1;
    else all = false;
  }
  const counts = all ? null : integralImage(valid, columns, rows);
  const means = new Float32Array(plane.length);
  for (let row = 0; row < rows; row++) {
    const top = row - radiusPx;
    const bottom = row + radiusPx + 1;
    for (let column = 0; column < columns; column++) {
      const left = column - radiusPx;
      const right = column + radiusPx + 1;
      const count =
        counts === null
          ? (Math.min(columns, right) - Math.max(0, left)) * (Math.min(rows, bottom) - Math.max(0, top))
          : rectangleSum(counts, left, top, right, bottom);
      means[row * columns + column] = count > 0 ? rectangleSum(sums, left, top, right, bottom) / count : Number.NaN;
    }
  }
  return means;
}
