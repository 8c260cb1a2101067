/** Beyond so many sigmas the bell curve is taken to be 0. */
const BLUR_REACH = 3;

/**
 * Weighted means with the weights of a bell curve, first along rows, then along columns. What lies beyond the plane counts
 * as 0.
 *
 * @param plane finite values, row-major
 */
export function gaussianBlur(
  plane: Float32Array,
  columns: number,
  rows: number,
  sigmaXPx: number,
  sigmaYPx: number,
): Float32Array {
  const across = new Float32Array(plane.length);
  const horizontal = kernelOf(sigmaXPx);
  const reach = horizontal.length - 1;
  const line = new Float32Array(columns + 2 * reach);
  for (let row = 0; row < rows; row++) {
    line.set(plane.subarray(row * columns, (row + 1) * columns), reach);
    for (let column = 0; column < columns; column++) {
      const at = column + reach;
      let sum = horizontal[0]! * line[at]!;
      for (let k = 1; k <= reach; k++) sum += horizontal[k]! * (line[at - k]! + line[at + k]!);
      across[row * columns + column] = sum;
    }
  }
  // Row by row, so that memory is read in its order.
  const blurred = new Float32Array(plane.length);
  const vertical = kernelOf(sigmaYPx);
  for (let row = 0; row < rows; row++) {
    const to = row * columns;
    for (let k = 1 - vertical.length; k < vertical.length; k++) {
      if (row + k < 0 || row + k >= rows) continue;
      const weight = vertical[Math.abs(k)]!;
      const from = (row + k) * columns;
      for (let column = 0; column < columns; column++) blurred[to + column]! += weight * across[from + column]!;
    }
  }
  return blurred;
}

/** Weights from the middle outwards, whose sum over both sides is 1. */
function kernelOf(sigmaPx: number): Float64Array {
  const reach = Math.max(1, Math.ceil(BLUR_REACH * sigmaPx));
  const weights = Float64Array.from({ length: reach + 1 }, (_, k) => Math.exp(-(k * k) / (2 * sigmaPx * sigmaPx)));
  const sum = weights.reduce((total, weight, k) => total + (k === 0 ? weight : 2 * weight), 0);
  return weights.map((weight) => weight / sum);
}
