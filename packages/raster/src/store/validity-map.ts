/** Longest side of the reduced validity bitmap. */
const MAX_CELLS = 1024;

/**
 * Which parts of a raster hold valid pixels, at a resolution of at most `MAX_CELLS` cells per side.
 * A cell is valid when at least half of its pixels are valid. When no cell reaches that, one valid pixel suffices: a
 * raster with valid pixels never has an empty map.
 */
export class ValidityMap {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Side of a cell in pixels; cells at the right and lower edge may be smaller. */
  readonly cellPx: number;
  readonly columns: number;
  readonly rows: number;
  readonly #counts: Uint32Array;

  constructor(widthPx: number, heightPx: number) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.cellPx = Math.max(Math.ceil(Math.max(widthPx, heightPx) / MAX_CELLS), 1);
    this.columns = Math.ceil(widthPx / this.cellPx);
    this.rows = Math.ceil(heightPx / this.cellPx);
    this.#counts = new Uint32Array(this.columns * this.rows);
  }

  /** Adds `rowCount` full rows from `firstRow` on; `valid` null when all their pixels are. */
  addRows(firstRow: number, rowCount: number, valid: Uint8Array | null): void {
    const { widthPx, cellPx, columns } = this;
    for (let y = 0; y < rowCount; y++) {
      const base = Math.floor((firstRow + y) / cellPx) * columns;
      let from = y * widthPx;
      for (let column = 0; column < columns; column++) {
        const width = Math.min(cellPx, widthPx - column * cellPx);
        let count = width;
        if (valid !== null) {
          count = 0;
          for (let i = from; i < from + width; i++) count += valid[i] === 0 ? 0 : 1;
        }
        this.#counts[base + column] = this.#counts[base + column]! + count;
        from += width;
      }
    }
  }

  /** Adds what another pass over the same raster found valid; a cell counts as its fuller one. */
  merge(other: ValidityMap): void {
    for (let i = 0; i < this.#counts.length; i++) {
      this.#counts[i] = Math.max(this.#counts[i]!, other.#counts[i] ?? 0);
    }
  }

  /** 1 for valid cells, row-major `columns * rows`; null when no pixel is valid. */
  bitmap(): Uint8Array | null {
    const cells = new Uint8Array(this.#counts.length);
    let anyCell = false;
    let anyPixel = false;
    for (let row = 0; row < this.rows; row++) {
      const height = Math.min(this.cellPx, this.heightPx - row * this.cellPx);
      for (let column = 0; column < this.columns; column++) {
        const at = row * this.columns + column;
        const width = Math.min(this.cellPx, this.widthPx - column * this.cellPx);
        const count = this.#counts[at]!;
        if (count > 0) anyPixel = true;
        if (count * 2 >= width * height) {
          cells[at] = 1;
          anyCell = true;
        }
      }
    }
    if (anyCell) return cells;
    if (!anyPixel) return null;
    return cells.map((_, at) => (this.#counts[at]! > 0 ? 1 : 0));
  }
}
