import { INVALID } from "./int-plane.ts";

/**
 * Sums over squares of `2 * radius + 1` pixels around each pixel, the part inside the plane. Exact for whole numbers up
 * to 2^53 in all, so independent of where the plane begins.
 */
export function boxSum(values: Float64Array, columns: number, rows: number, radius: number): Float64Array {
  const sums = new Float64Array(columns * rows);
  sumBoxes(values, columns, rows, radius, new Float64Array(columns), sums);
  return sums;
}

/** Sums columns into `line`, one sum per column, then slides along it. */
function sumBoxes(
  values: Float64Array,
  columns: number,
  rows: number,
  radius: number,
  line: Float64Array,
  sums: Float64Array,
): void {
  line.fill(0);
  for (let row = 0; row < Math.min(radius, rows); row++) moveDown(line, values, row * columns, -1);
  for (let row = 0; row < rows; row++) {
    const enters = row + radius < rows ? (row + radius) * columns : -1;
    const leaves = row > radius ? (row - radius - 1) * columns : -1;
    moveDown(line, values, enters, leaves);
    const here = row * columns;
    let sum = 0;
    for (let column = 0; column < Math.min(radius, columns); column++) sum += line[column]!;
    for (let column = 0; column < columns; column++) {
      if (column + radius < columns) sum += line[column + radius]!;
      if (column > radius) sum -= line[column - radius - 1]!;
      sums[here + column] = sum;
    }
  }
}

/** @param enters where the row that is added begins @param leaves where the one begins that is taken off; -1 for none */
function moveDown(line: Float64Array, values: Float64Array, enters: number, leaves: number): void {
  const columns = line.length;
  if (enters >= 0 && leaves >= 0) {
    for (let column = 0; column < columns; column++)
      line[column]! += values[enters + column]! - values[leaves + column]!;
  } else if (enters >= 0) {
    for (let column = 0; column < columns; column++) line[column]! += values[enters + column]!;
  } else if (leaves >= 0) {
    for (let column = 0; column < columns; column++) line[column]! -= values[leaves + column]!;
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
  readonly #line: Float64Array;
  readonly #sums: Float64Array;

  constructor(valid: Uint8Array, columns: number, rows: number) {
    this.#valid = valid;
    this.#columns = columns;
    this.#rows = rows;
    this.#values = new Float64Array(columns * rows);
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
    sumBoxes(this.#values, this.#columns, this.#rows, radius, this.#line, sums);
  }

  #sumValid(plane: Int16Array, radius: number, sums: Float64Array): Float64Array {
    const values = this.#values;
    for (let i = 0; i < plane.length; i++) {
      const value = plane[i]!;
      values[i] = value === INVALID ? 0 : value;
    }
    this.#sum(radius, sums);
    return sums;
  }

  /** Sums of the valid pixels of each window. */
  sums(plane: Int16Array, radius: number): Float64Array {
    return this.#sumValid(plane, radius, new Float64Array(plane.length));
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
    const sums = this.#sumValid(plane, radius, this.#sums);
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
    const sums = this.#sumValid(plane, radius, this.#sums);
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
