/** A square ring around a pixel: cells farther than `guardPx` and not farther than `outerPx`, in columns or rows. */
export interface RingWindow {
  readonly guardPx: number;
  readonly outerPx: number;
}

/** Cells of a whole ring. */
export function ringCells({ guardPx, outerPx }: RingWindow): number {
  return (2 * outerPx + 1) ** 2 - (2 * guardPx + 1) ** 2;
}

/**
 * Sums of the values, their squares and their number over the ring of every pixel, row by row: sums of columns slide down,
 * sums of rings slide along the row, so that a pixel costs the same however large the ring is and the memory is a few
 * rows.
 */
export class RingSums {
  /** Of the row that `next` has reached, from the first column of the stripe. */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly counts: Float64Array;
  readonly #values: Float32Array;
  readonly #use: Uint8Array | null;
  readonly #stride: number;
  readonly #from: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #ring: RingWindow;
  readonly #withSquares: boolean;
  readonly #outer: Columns;
  readonly #guard: Columns;
  #row = -1;
  #countedRows: readonly [outer: number, guard: number] = [0, 0];

  /**
   * @param values where `use` is 0 they must be finite all the same, best 0
   * @param use 1 where a pixel counts; null when all do
   * @param withSquares whether squares are summed, too
   * @param stripe the only columns that are looked at; rings that reach beyond them are cut off there
   */
  constructor(
    values: Float32Array,
    use: Uint8Array | null,
    columns: number,
    ring: RingWindow,
    withSquares: boolean,
    stripe: { readonly from: number; readonly width: number } = { from: 0, width: columns },
  ) {
    this.#values = values;
    this.#withSquares = withSquares;
    this.#use = use;
    this.#stride = columns;
    this.#from = stripe.from;
    this.#columns = stripe.width;
    this.#rows = values.length / columns;
    this.#ring = ring;
    this.sums = new Float64Array(stripe.width);
    this.squares = new Float64Array(stripe.width);
    this.counts = new Float64Array(stripe.width);
    this.#outer = new Columns(stripe.width, use !== null);
    this.#guard = new Columns(stripe.width, use !== null);
  }

  /** Moves on to the next row, the first at the first call. */
  next(): void {
    const { guardPx, outerPx } = this.#ring;
    this.#row++;
    this.#slideDown(this.#outer, outerPx);
    this.#slideDown(this.#guard, guardPx);
    slideAlong(this.#outer.sums, this.#guard.sums, this.sums, outerPx, guardPx);
    if (this.#withSquares) slideAlong(this.#outer.squares, this.#guard.squares, this.squares, outerPx, guardPx);
    if (this.#use === null) this.#countAll();
    else slideAlong(this.#outer.counts, this.#guard.counts, this.counts, outerPx, guardPx);
  }

  #slideDown(columns: Columns, reach: number): void {
    if (this.#row === 0) {
      for (let row = 0; row < Math.min(reach, this.#rows); row++) this.#enter(columns, row, -1);
    }
    this.#enter(columns, this.#row + reach, this.#row - reach - 1);
  }

  /** Adds one row and takes another away; rows outside the image are empty. */
  #enter({ sums, squares, counts }: Columns, added: number, removed: number): void {
    const width = this.#columns;
    const values = this.#values;
    const adds = added < this.#rows;
    const removes = removed >= 0;
    const a = added * this.#stride + this.#from;
    const r = removed * this.#stride + this.#from;
    if (adds && removes && !this.#withSquares) {
      for (let c = 0; c < width; c++) sums[c]! += values[a + c]! - values[r + c]!;
    } else if (adds && removes) {
      for (let c = 0; c < width; c++) {
        const x = values[a + c]!;
        const y = values[r + c]!;
        sums[c]! += x - y;
        squares[c]! += x * x - y * y;
      }
    } else if (adds || removes) {
      const sign = adds ? 1 : -1;
      const from = adds ? a : r;
      for (let c = 0; c < width; c++) {
        const x = values[from + c]!;
        sums[c]! += sign * x;
        squares[c]! += sign * x * x;
      }
    }
    const use = this.#use;
    if (use === null) return;
    if (adds) for (let c = 0; c < width; c++) counts[c]! += use[a + c]!;
    if (removes) for (let c = 0; c < width; c++) counts[c]! -= use[r + c]!;
  }

  #countAll(): void {
    const { guardPx, outerPx } = this.#ring;
    const outerRows = span(this.#row, outerPx, this.#rows);
    const guardRows = span(this.#row, guardPx, this.#rows);
    // Away from the first and last rows nothing changes.
    if (outerRows === this.#countedRows[0] && guardRows === this.#countedRows[1]) return;
    this.#countedRows = [outerRows, guardRows];
    for (let c = 0; c < this.#columns; c++) {
      this.counts[c] = outerRows * span(c, outerPx, this.#columns) - guardRows * span(c, guardPx, this.#columns);
    }
  }
}

class Columns {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly counts: Float64Array;

  constructor(columns: number, counted: boolean) {
    this.sums = new Float64Array(columns);
    this.squares = new Float64Array(columns);
    this.counts = new Float64Array(counted ? columns : 0);
  }
}

/** Sums over the outer window less sums over the guard window, for a row of column sums. */
function slideAlong(
  outer: Float64Array,
  guard: Float64Array,
  into: Float64Array,
  outerPx: number,
  guardPx: number,
): void {
  const width = into.length;
  let sum = 0;
  for (let c = 0; c < Math.min(outerPx, width); c++) sum += outer[c]!;
  for (let c = 0; c < Math.min(guardPx, width); c++) sum -= guard[c]!;
  const plainFrom = Math.min(width, outerPx + 1);
  const plainTo = Math.max(plainFrom, width - outerPx);
  let c = 0;
  const edge = (end: number): void => {
    for (; c < end; c++) {
      if (c + outerPx < width) sum += outer[c + outerPx]!;
      if (c - outerPx - 1 >= 0) sum -= outer[c - outerPx - 1]!;
      if (c + guardPx < width) sum -= guard[c + guardPx]!;
      if (c - guardPx - 1 >= 0) sum += guard[c - guardPx - 1]!;
      into[c] = sum;
    }
  };
  edge(plainFrom);
  for (; c < plainTo; c++) {
    sum += outer[c + outerPx]! - outer[c - outerPx - 1]! - guard[c + guardPx]! + guard[c - guardPx - 1]!;
    into[c] = sum;
  }
  edge(width);
}

/** Pixels within reach of a position on a line of some size. */
function span(at: number, reach: number, size: number): number {
  return Math.min(size - 1, at + reach) - Math.max(0, at - reach) + 1;
}
