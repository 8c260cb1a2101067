import { doublesOf, TextureCall, wholesOf } from "./texture-kernel.ts";

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

/** Windows over one set of valid pixels; how many pixels count in each window is worked out once per radius. */
export class BoxWindows {
  readonly #columns: number;
  readonly #rows: number;
  readonly #valid: Uint8Array;
  readonly #counts = new Map<number, Uint16Array>();

  constructor(valid: Uint8Array, columns: number, rows: number) {
    this.#valid = valid;
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Valid pixels in the window around each pixel. @param radius at most 127 */
  counts(radius: number): Uint16Array {
    let counts = this.#counts.get(radius);
    if (counts === undefined) {
      const call = new TextureCall();
      const to = call.plane(this.#valid.length);
      const line = call.lines(wholesOf(this.#columns));
      call.kernel.boxCounts(call.put(this.#valid), to, this.#columns, this.#rows, radius, line);
      counts = call.uint16(to, this.#valid.length);
      this.#counts.set(radius, counts);
    }
    return counts;
  }

  #lines(call: TextureCall): readonly [number, number] {
    return [call.lines(wholesOf(this.#columns)), call.lines(wholesOf(this.#columns))];
  }

  /** Mean over the valid pixels of each window, rounded down; `INVALID` where the pixel is. @param plane invalid where the pixel is */
  mean(plane: Int16Array, radius: number): Int16Array {
    const counts = this.counts(radius);
    const call = new TextureCall();
    const to = call.plane(plane.length);
    const [line, sums] = this.#lines(call);
    const [from, n] = [call.put(plane), call.put(counts)];
    call.kernel.boxMean(from, n, to, this.#columns, this.#rows, radius, line, sums);
    return call.int16(to, plane.length);
  }

  /** Standard deviation over the valid pixels of each window, rounded down; `INVALID` where the pixel is. */
  deviation(plane: Int16Array, radius: number): Int16Array {
    const counts = this.counts(radius);
    const call = new TextureCall();
    const to = call.plane(plane.length);
    const [line, sums] = this.#lines(call);
    const squares = [call.lines(doublesOf(this.#columns)), call.lines(doublesOf(this.#columns))] as const;
    const [from, n] = [call.put(plane), call.put(counts)];
    call.kernel.boxDeviation(from, n, to, this.#columns, this.#rows, radius, line, sums, ...squares);
    return call.int16(to, plane.length);
  }
}
