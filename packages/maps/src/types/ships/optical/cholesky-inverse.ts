/**
 * The inverse of the lower Cholesky factor of a covariance C = L Lᵀ, so that |L⁻¹ d|² is the squared Mahalanobis distance
 * of d.
 *
 * @param covariance lower triangle, row by row
 * @returns lower triangle, row by row; null when the matrix is not positive definite
 */
export function choleskyInverse(covariance: Float64Array, size: number): Float64Array | null {
  const factor = new Float64Array(covariance.length);
  const inverse = new Float64Array(covariance.length);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = covariance[at(row, column)]!;
      for (let k = 0; k < column; k++) sum -= factor[at(row, k)]! * factor[at(column, k)]!;
      if (row !== column) factor[at(row, column)] = sum / factor[at(column, column)]!;
      else if (sum > 0) factor[at(row, row)] = Math.sqrt(sum);
      else return null;
    }
  }
  for (let column = 0; column < size; column++) {
    inverse[at(column, column)] = 1 / factor[at(column, column)]!;
    for (let row = column + 1; row < size; row++) {
      let sum = 0;
      for (let k = column; k < row; k++) sum -= factor[at(row, k)]! * inverse[at(k, column)]!;
      inverse[at(row, column)] = sum / factor[at(row, row)]!;
    }
  }
  return inverse;
}

/** Position in a lower triangle. */
function at(row: number, column: number): number {
  return (row * (row + 1)) / 2 + column;
}
