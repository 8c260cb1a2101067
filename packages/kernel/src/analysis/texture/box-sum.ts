import { INVALID } from "./int-plane.ts";

/**
 * Sums over squares of `2 * radius + 1` pixels around each pixel, the part inside the plane. Exact for whole numbers up
 * to 2^53 in all, so independent of where the plane begins.
 */
export function boxSum(values: Float64Array | Uint8Array, columns: number, rows: number, radius: number): Float64Array {
  const sums = new Float64Array(columns * rows);
  sumBoxes(
    new Float64Array(values),
    columns,
    rows,
    radius,
    new Float64Array(columns * rows),
    new Float64Array(columns),
    sums,
  );
  return sums;
}

/**
 * Sums rows into `across`, then columns of those into `sums`; `line` holds one sum per column. One kind of array, so that
 * it compiles to one kind of access.
 */
function sumBoxes(
  values: Float64Array,
  columns: number,
  rows: number,
  radius: number,
  across: Float64Array,
  line: Float64Array,
  sums: Float64Array,
): void {
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
  line.fill(0);
  for (let row = 0; row < Math.min(radius, rows); row++) {
    for (let column = 0; column < columns; column++) line[column]! += across[row * columns + column]!;
  }
  for (let row = 0; row < rows; row++) {
    const enters = row + radius < rows ? (row + radius) * columns : -1;
    const leaves = row - radius >= 0 ? (row - radius) * columns : -1;
    const here = row * columns;
    if (enters >= 0) for (let column = 0; column < columns; column++) line[column]! += across[enters + column]!;
    for (let column = 0; column < columns; column++) sums[here + column] = line[column]!;
    if (leaves >= 0) for (let column = 0; column < columns; column++) line[column]! -= across[leaves + column]!;
  }
}

/**
 * Windows over one set of valid pixels; how many pixels count in each window is worked out once per radius, and memory is
 * used again.
 */
export class BoxWindows {
  readonly #columns: number;
  readonly #rows: number;
  readonly #valid: Uint8Array;
  readonly #counts = new Map<number, Float64Array>();
  readonly #values: Float64Array;
  readonly #across: Float64Array;
  readonly #line: Float64Array;
  readonly #sums: Float64Array;

  constructor(valid: Uint8Array, columns: number, rows: number) {
    this.#valid = valid;
    this.#columns = columns;
    this.#rows = rows;
    this.#values = new Float64Array(columns * rows);
    this.#across = new Float64Array(columns * rows);
    this.#line = new Float64Array(columns);
    this.#sums = new Float64Array(columns * rows);
  }

  /** Valid pixels in the window around each pixel. */
  counts(radius: number): Float64Array {
    let counts = this.#counts.get(radius);
    if (counts === undefined) {
      counts = new Float64Array(this.#valid.length);
      this.#values.set(this.#valid);
      this.#sum(radius, counts);
      this.#counts.set(radius, counts);
    }
    return counts;
  }

  #sum(radius: number, sums: Float64Array): void {
    sumBoxes(this.#values, this.#columns, this.#rows, radius, this.#across, this.#line, sums);
  }

  /** Sums of the valid pixels, until the next are asked for. */
  #sumsOf(plane: Int16Array, radius: number): Float64Array {
    const values = this.#values;
    for (let i = 0; i < plane.length; i++) {
      const value = plane[i]!;
      values[i] = value === INVALID ? 0 : value;
    }
    this.#sum(radius, this.#sums);
    return this.#sums;
  }

  sumsOfSquares(plane: Int16Array, radius: number): Float64Array {
    return this.sumsOfProducts(plane, plane, radius);
  }

  /** @param b valid where a is */
  sumsOfProducts(a: Int16Array, b: Int16Array, radius: number): Float64Array {
    const products = this.#values;
    for (let i = 0; i < products.length; i++) products[i] = a[i] === INVALID ? 0 : a[i]! * b[i]!;
    const sums = new Float64Array(products.length);
    this.#sum(radius, sums);
    return sums;
  }

  /** Mean over the valid pixels of each window, rounded down; `INVALID` where the pixel is. */
  mean(plane: Int16Array, radius: number): Int16Array {
    const counts = this.counts(radius);
    const sums = this.#sumsOf(plane, radius);
    const means = new Int16Array(plane.length);
    for (let i = 0; i < means.length; i++) {
      means[i] = this.#valid[i] === 0 ? INVALID : Math.floor(sums[i]! / counts[i]!);
    }
    return means;
  }

  /** Standard deviation over the valid pixels of each window, rounded down; `INVALID` where the pixel is. */
  deviation(plane: Int16Array, radius: number): Int16Array {
    const squares = this.sumsOfSquares(plane, radius);
    const counts = this.counts(radius);
    const sums = this.#sumsOf(plane, radius);
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
