import { INVALID } from "./int-plane.ts";

/**
 * Sums over squares of `2 * radius + 1` pixels around each pixel, the part inside the plane. Exact for whole numbers up
 * to 2^53 in all, so independent of where the plane begins.
 */
export function boxSum(values: Float64Array | Uint8Array, columns: number, rows: number, radius: number): Float64Array {
  const across = new Float64Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let sum = 0;
    for (let column = 0; column < Math.min(radius, columns); column++) sum += values[start + column]!;
    for (let column = 0; column < columns; column++) {
      if (column + radius < columns) sum += values[start + column + radius]!;
      across[start + column] = sum;
      if (column - radius >= 0) sum -= values[start + column - radius]!;
    }
  }
  const sums = new Float64Array(columns * rows);
  const line = new Float64Array(columns);
  for (let row = 0; row < Math.min(radius, rows); row++) {
    for (let column = 0; column < columns; column++) line[column]! += across[row * columns + column]!;
  }
  for (let row = 0; row < rows; row++) {
    const enters = row + radius < rows ? (row + radius) * columns : -1;
    const leaves = row - radius >= 0 ? (row - radius) * columns : -1;
    const here = row * columns;
    for (let column = 0; column < columns; column++) {
      const sum = enters < 0 ? line[column]! : line[column]! + across[enters + column]!;
      sums[here + column] = sum;
      line[column] = leaves < 0 ? sum : sum - across[leaves + column]!;
    }
  }
  return sums;
}

/** Windows over one set of valid pixels; how many pixels count in each window is worked out once per radius. */
export class BoxWindows {
  readonly #columns: number;
  readonly #rows: number;
  readonly #valid: Uint8Array;
  readonly #counts = new Map<number, Float64Array>();

  constructor(valid: Uint8Array, columns: number, rows: number) {
    this.#valid = valid;
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Valid pixels in the window around each pixel. */
  counts(radius: number): Float64Array {
    let counts = this.#counts.get(radius);
    if (counts === undefined) {
      counts = boxSum(this.#valid, this.#columns, this.#rows, radius);
      this.#counts.set(radius, counts);
    }
    return counts;
  }

  sums(plane: Int16Array, radius: number): Float64Array {
    return boxSum(widened(plane), this.#columns, this.#rows, radius);
  }

  sumsOfSquares(plane: Int16Array, radius: number): Float64Array {
    const squares = widened(plane);
    for (let i = 0; i < squares.length; i++) squares[i]! *= squares[i]!;
    return boxSum(squares, this.#columns, this.#rows, radius);
  }

  sumsOfProducts(a: Int16Array, b: Int16Array, radius: number): Float64Array {
    const products = widened(a);
    for (let i = 0; i < products.length; i++) products[i] = products[i] === 0 ? 0 : products[i]! * b[i]!;
    return boxSum(products, this.#columns, this.#rows, radius);
  }

  /** Mean over the valid pixels of each window, rounded down; `INVALID` where the pixel is. */
  mean(plane: Int16Array, radius: number): Int16Array {
    const sums = this.sums(plane, radius);
    const counts = this.counts(radius);
    const means = new Int16Array(plane.length);
    for (let i = 0; i < means.length; i++) {
      means[i] = this.#valid[i] === 0 ? INVALID : Math.floor(sums[i]! / counts[i]!);
    }
    return means;
  }

  /** Standard deviation over the valid pixels of each window, rounded down; `INVALID` where the pixel is. */
  deviation(plane: Int16Array, radius: number): Int16Array {
    const sums = this.sums(plane, radius);
    const squares = this.sumsOfSquares(plane, radius);
    const counts = this.counts(radius);
    const deviations = new Int16Array(plane.length);
    for (let i = 0; i < deviations.length; i++) {
      if (this.#valid[i] === 0) {
        deviations[i] = INVALID;
        continue;
      }
      const count = counts[i]!;
      const mean = sums[i]! / count;
      deviations[i] = Math.floor(Math.sqrt(Math.max(0, squares[i]! / count - mean * mean)));
    }
    return deviations;
  }
}

/** Wide enough for squares; invalid pixels count nothing. */
function widened(plane: Int16Array): Float64Array {
  const wide = new Float64Array(plane.length);
  for (let i = 0; i < plane.length; i++) {
    const value = plane[i]!;
    wide[i] = value === INVALID ? 0 : value;
  }
  return wide;
}
