/**
 * Fills `next` with `last` plus the running sums of a row of the image, one number more than columns, the first 0.
 *
 * @returns whether the row has a negative number
 */
export type RowFiller = (last: Float64Array, next: Float64Array, row: number) => boolean;

/** Rows after which the sums start again from the oldest that is kept: small numbers then keep their digits. */
const RENEWED_ROWS = 1024;

/**
 * The last rows of an integral image: sums over boxes of them are four numbers. Row `y` holds the sums of the pixels
 * above it, so that an image of n rows has n + 1.
 */
export class SlidingIntegral {
  /** Whether any row so far has had a negative number. */
  hasNegative = false;
  readonly #rows: Float64Array[];
  readonly #fill: RowFiller;
  #last = 0;

  /** @param keptRows integral rows that stay readable, the newest included */
  constructor(columns: number, keptRows: number, fill: RowFiller) {
    this.#rows = Array.from({ length: keptRows }, () => new Float64Array(columns + 1));
    this.#fill = fill;
  }

  /** Takes in rows of the image before `end`. */
  extend(end: number): void {
    const kept = this.#rows.length;
    while (this.#last < end) {
      const last = this.#rows[this.#last % kept]!;
      const next = this.#rows[(this.#last + 1) % kept]!;
      if (this.#fill(last, next, this.#last)) this.hasNegative = true;
      this.#last++;
      if (this.#last % RENEWED_ROWS === 0 && this.#last > kept) this.#renew();
    }
  }

  #renew(): void {
    const kept = this.#rows.length;
    const oldest = this.#rows[(this.#last + 1) % kept]!.slice();
    for (const row of this.#rows) for (let c = 0; c < row.length; c++) row[c]! -= oldest[c]!;
  }

  /** Sum over the pixels of rows from `top` before `bottom`, of columns from `left` before `right`. */
  box(top: number, left: number, bottom: number, right: number): number {
    const kept = this.#rows.length;
    const above = this.#rows[top % kept]!;
    const below = this.#rows[bottom % kept]!;
    return below[right]! - below[left]! - (above[right]! - above[left]!);
  }
}
