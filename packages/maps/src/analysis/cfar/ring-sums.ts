import { SlidingIntegral, type RowFiller } from "./sliding-integral.ts";

/** A square ring around a pixel: cells farther than `guardPx` and not farther than `outerPx`, in columns or rows. */
export interface RingWindow {
  readonly guardPx: number;
  readonly outerPx: number;
}

/** Cells of a whole ring. */
export function ringCells({ guardPx, outerPx }: RingWindow): number {
  return (2 * outerPx + 1) ** 2 - (2 * guardPx + 1) ** 2;
}

/** Columns of an image that are looked at; rings that reach beyond them are cut off there. */
export interface Stripe {
  readonly from: number;
  readonly width: number;
}

/**
 * Sums of the values, their squares and their number over the ring of any pixel of a few rows at a time: a ring is eight
 * numbers of an integral image, however large it is, and the memory is as many rows as rings reach over.
 */
export class RingSums {
  /** Of the ring that `measure` was asked for. */
  sum = 0;
  count = 0;
  readonly #ring: RingWindow;
  readonly #columns: number;
  readonly #rows: number;
  readonly #values: SlidingIntegral;
  readonly #squares: SlidingIntegral | null;
  readonly #counts: SlidingIntegral | null;

  /**
   * @param values row by row; where `use` is 0 they must be finite all the same, best 0
   * @param use 1 where a pixel counts; null when all do
   * @param columns of the image
   * @param withSquares whether squares are summed, too
   * @param bandRows rows that are measured after one call of `reach`
   */
  constructor(
    values: Float32Array,
    use: Uint8Array | null,
    columns: number,
    ring: RingWindow,
    withSquares: boolean,
    bandRows: number,
    stripe: Stripe = { from: 0, width: columns },
  ) {
    const { from, width } = stripe;
    const keptRows = 2 * ring.outerPx + bandRows + 1;
    this.#ring = ring;
    this.#columns = width;
    this.#rows = values.length / columns;
    const integral = (fill: RowFiller): SlidingIntegral => new SlidingIntegral(width, keptRows, fill);
    this.#values = integral((last, next, row) => addValues(values, row * columns + from, last, next));
    this.#squares = withSquares
      ? integral((last, next, row) => addSquares(values, row * columns + from, last, next))
      : null;
    this.#counts = use === null ? null : integral((last, next, row) => addMarks(use, row * columns + from, last, next));
  }

  /** Makes rings of rows before `end` measurable, and those of rows before the last `bandRows` of them no longer. */
  reach(end: number): void {
    const rows = Math.min(this.#rows, end + this.#ring.outerPx);
    this.#values.extend(rows);
    this.#squares?.extend(rows);
    this.#counts?.extend(rows);
  }

  /** Sets `sum` and `count` to those of the ring of a pixel; the column counts from that of the stripe. */
  measure(row: number, column: number): void {
    this.sum = this.#inRing(this.#values, row, column);
    if (this.#counts !== null) this.count = this.#inRing(this.#counts, row, column);
    else {
      const { guardPx, outerPx } = this.#ring;
      this.count = this.#cells(row, column, outerPx) - this.#cells(row, column, guardPx);
    }
  }

  /** Sum of the squares of the ring of a pixel; 0 where they are not summed. */
  squaresAt(row: number, column: number): number {
    return this.#squares === null ? 0 : this.#inRing(this.#squares, row, column);
  }

  /**
   * At most the sum of the ring of every pixel of a block, where no value is negative: what all their outer windows have
   * in common, less what any of their guard windows has.
   */
  leastSum(top: number, left: number, size: number): number {
    if (this.#values.hasNegative) return -Infinity;
    const { guardPx, outerPx } = this.#ring;
    const last = size - 1;
    const common = this.#values.box(
      Math.max(0, top + last - outerPx),
      Math.max(0, left + last - outerPx),
      Math.min(this.#rows, top + outerPx + 1),
      Math.min(this.#columns, left + outerPx + 1),
    );
    const guarded = this.#values.box(
      Math.max(0, top - guardPx),
      Math.max(0, left - guardPx),
      Math.min(this.#rows, top + last + guardPx + 1),
      Math.min(this.#columns, left + last + guardPx + 1),
    );
    return common - guarded;
  }

  #inRing(integral: SlidingIntegral, row: number, column: number): number {
    const { guardPx, outerPx } = this.#ring;
    return this.#around(integral, row, column, outerPx) - this.#around(integral, row, column, guardPx);
  }

  #around(integral: SlidingIntegral, row: number, column: number, reach: number): number {
    return integral.box(
      Math.max(0, row - reach),
      Math.max(0, column - reach),
      Math.min(this.#rows, row + reach + 1),
      Math.min(this.#columns, column + reach + 1),
    );
  }

  #cells(row: number, column: number, reach: number): number {
    return span(row, reach, this.#rows) * span(column, reach, this.#columns);
  }
}

/** Pixels within reach of a position on a line of some size. */
function span(at: number, reach: number, size: number): number {
  return Math.min(size - 1, at + reach) - Math.max(0, at - reach) + 1;
}

// Four pixels at a time: their sums do not wait for the one of the whole row. The first number of a row is 0.

function addValues(values: Float32Array, from: number, last: Float64Array, next: Float64Array): boolean {
  const columns = next.length - 1;
  const fours = columns - (columns % 4);
  let sum = 0;
  let least = 0;
  let c = 0;
  for (; c < fours; c += 4) {
    const p = values[from + c]!;
    const q = values[from + c + 1]!;
    const r = values[from + c + 2]!;
    const s = values[from + c + 3]!;
    if (p < 0 || q < 0 || r < 0 || s < 0) least = -1;
    const pq = p + q;
    const rs = r + s;
    next[c + 1] = last[c + 1]! + (sum + p);
    next[c + 2] = last[c + 2]! + (sum + pq);
    next[c + 3] = last[c + 3]! + (sum + (pq + r));
    sum += pq + rs;
    next[c + 4] = last[c + 4]! + sum;
  }
  for (; c < columns; c++) {
    const p = values[from + c]!;
    if (p < 0) least = -1;
    sum += p;
    next[c + 1] = last[c + 1]! + sum;
  }
  return least < 0;
}

function addSquares(values: Float32Array, from: number, last: Float64Array, next: Float64Array): boolean {
  const columns = next.length - 1;
  const fours = columns - (columns % 4);
  let sum = 0;
  let c = 0;
  for (; c < fours; c += 4) {
    const p = values[from + c]! * values[from + c]!;
    const q = values[from + c + 1]! * values[from + c + 1]!;
    const r = values[from + c + 2]! * values[from + c + 2]!;
    const s = values[from + c + 3]! * values[from + c + 3]!;
    const pq = p + q;
    const rs = r + s;
    next[c + 1] = last[c + 1]! + (sum + p);
    next[c + 2] = last[c + 2]! + (sum + pq);
    next[c + 3] = last[c + 3]! + (sum + (pq + r));
    sum += pq + rs;
    next[c + 4] = last[c + 4]! + sum;
  }
  for (; c < columns; c++) {
    sum += values[from + c]! * values[from + c]!;
    next[c + 1] = last[c + 1]! + sum;
  }
  return false;
}

function addMarks(use: Uint8Array, from: number, last: Float64Array, next: Float64Array): boolean {
  let sum = 0;
  for (let c = 0; c < next.length - 1; c++) {
    sum += use[from + c]!;
    next[c + 1] = last[c + 1]! + sum;
  }
  return false;
}
