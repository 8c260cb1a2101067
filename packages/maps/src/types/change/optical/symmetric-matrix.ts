/** Lower Cholesky factor of a symmetric matrix, row-major; null when it is not safely positive definite. */
export function cholesky(matrix: Float64Array, n: number): Float64Array | null {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= lower[i * n + k]! * lower[j * n + k]!;
      if (i === j) {
        if (!(sum > SINGULAR * matrix[i * n + i]!)) return null;
        lower[i * n + i] = Math.sqrt(sum);
      } else {
        lower[i * n + j] = sum / lower[j * n + j]!;
      }
    }
  }
  return lower;
}

/** Share of a variance that must be its own, not that of the variables before it. */
const SINGULAR = 1e-10;

/** Inverse of a lower triangular matrix. */
export function invertLower(lower: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    inverse[j * n + j] = 1 / lower[j * n + j]!;
    for (let i = j + 1; i < n; i++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum -= lower[i * n + k]! * inverse[k * n + j]!;
      inverse[i * n + j] = sum / lower[i * n + i]!;
    }
  }
  return inverse;
}

/** `a * b`, or `a * b'` when `transposeB`; n x n, row-major. */
export function product(a: Float64Array, b: Float64Array, n: number, transposeB = false): Float64Array {
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[i * n + k]! * (transposeB ? b[j * n + k]! : b[k * n + j]!);
      result[i * n + j] = sum;
    }
  }
  return result;
}

/** Rows as columns of a matrix of `n` by `n`. */
export function transposed(matrix: Float64Array, n: number): Float64Array {
  return matrix.map((_, at) => matrix[(at % n) * n + Math.floor(at / n)]!);
}

const MAX_SWEEPS = 60;

/**
 * Eigenvalues of a symmetric matrix, the largest first, and its eigenvectors of length 1.
 *
 * @returns `vectors[i]` belongs to `values[i]`
 * @see Golub and Van Loan, Matrix Computations, 8.5: cyclic Jacobi
 */
export function symmetricEigen(
  matrix: Float64Array,
  n: number,
): { readonly values: Float64Array; readonly vectors: readonly Float64Array[] } {
  const a = matrix.slice();
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let off = 0;
    let diagonal = 0;
    for (let i = 0; i < n; i++) {
      diagonal += a[i * n + i]! ** 2;
      for (let j = 0; j < i; j++) off += a[i * n + j]! ** 2;
    }
    if (off <= 1e-32 * diagonal) break;
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v, n, p, q);
  }
  const order = Array.from({ length: n }, (_, i) => i).toSorted((i, j) => a[j * n + j]! - a[i * n + i]!);
  return {
    values: Float64Array.from(order, (i) => a[i * n + i]!),
    vectors: order.map((i) => Float64Array.from({ length: n }, (_, row) => v[row * n + i]!)),
  };
}

/** Makes the entry (p, q) zero. */
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]!;
  if (apq === 0) return;
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const akp = a[k * n + p]!;
    const akq = a[k * n + q]!;
    a[k * n + p] = c * akp - s * akq;
    a[k * n + q] = s * akp + c * akq;
  }
  for (let k = 0; k < n; k++) {
    const apk = a[p * n + k]!;
    const aqk = a[q * n + k]!;
    a[p * n + k] = c * apk - s * aqk;
    a[q * n + k] = s * apk + c * aqk;
    const vkp = v[k * n + p]!;
    const vkq = v[k * n + q]!;
    v[k * n + p] = c * vkp - s * vkq;
    v[k * n + q] = s * vkp + c * vkq;
  }
}
