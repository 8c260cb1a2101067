import { ringAreaPx, type PixelPolygon } from "./pixel-polygon.ts";

/**
 * How much of each pixel a polygon covers, as runs of pixels with the same share: by row, then by column, without
 * overlap. Pixels `starts[i]` to `ends[i]` (excluded) of row `rows[i]` are covered by `shares[i]`, above 0 and up to 1.
 */
export interface PixelCoverage {
  readonly rows: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly shares: Float64Array;
}

/** Shares this close to 0 and 1 are rounding: corners on pixel edges stay on them. */
const ROUNDING = 1e-9;

/**
 * Exact share of each pixel inside polygons, by the signed area to the right of each edge. Rings may wind either way;
 * the first of a polygon is its outline, the others are holes. Only pixels at edges are cut; the others follow in runs.
 * Parts outside the grid are left out.
 *
 * @param polygons valid, and without a common area; time and memory follow rows and edge pixels, not the area
 */
export function pixelCoverage(polygons: readonly PixelPolygon[], widthPx: number, heightPx: number): PixelCoverage {
  const edges = edgesOf(polygons, heightPx);
  const runs = new RunList();
  if (edges.count === 0) return runs.finish();
  const left = Math.max(0, Math.floor(edges.minX));
  const right = Math.min(widthPx, Math.ceil(edges.maxX));
  if (right <= left) return runs.finish();
  const line = new CoverageLine(left, right);
  const active: number[] = [];
  let next = 0;
  let row = Math.floor(edges.top(0));
  while (next < edges.count || active.length > 0) {
    if (active.length === 0) row = Math.max(row, Math.floor(edges.top(next)));
    while (next < edges.count && edges.top(next) < row + 1) active.push(next++);
    let kept = 0;
    for (const edge of active) {
      edges.addTo(line, edge, row);
      if (edges.bottom(edge) > row + 1) active[kept++] = edge;
    }
    active.length = kept;
    line.flush(row, runs);
    row++;
  }
  return runs.finish();
}

/** Numbers of an edge: upper x and y, lower x and y, +1 where the inside lies to its right. */
const EDGE = 5;

class Edges {
  readonly count: number;
  readonly minX: number;
  readonly maxX: number;
  readonly #numbers: Float64Array;

  /** @param numbers by upper y */
  constructor(numbers: Float64Array, minX: number, maxX: number) {
    this.count = numbers.length / EDGE;
    this.#numbers = numbers;
    this.minX = minX;
    this.maxX = maxX;
  }

  top(edge: number): number {
    return this.#numbers[edge * EDGE + 1]!;
  }

  bottom(edge: number): number {
    return this.#numbers[edge * EDGE + 3]!;
  }

  /** Adds the piece of an edge in a row. */
  addTo(line: CoverageLine, edge: number, row: number): void {
    const at = edge * EDGE;
    const [x0, y0, x1, y1] = [
      this.#numbers[at]!,
      this.#numbers[at + 1]!,
      this.#numbers[at + 2]!,
      this.#numbers[at + 3]!,
    ];
    const from = y0 > row ? y0 : row;
    const to = y1 < row + 1 ? y1 : row + 1;
    if (to <= from) return;
    const fromX = from === y0 ? x0 : x0 + (x1 - x0) * ((from - y0) / (y1 - y0));
    const toX = to === y1 ? x1 : x0 + (x1 - x0) * ((to - y0) / (y1 - y0));
    line.add(fromX < toX ? fromX : toX, fromX < toX ? toX : fromX, (to - from) * this.#numbers[at + 4]!);
  }
}

/** Edges of all rings that reach the rows of the grid, cut to them. */
function edgesOf(polygons: readonly PixelPolygon[], heightPx: number): Edges {
  const edges: number[][] = [];
  let [minX, maxX] = [Infinity, -Infinity];
  for (const polygon of polygons) {
    for (const [index, ring] of polygon.entries()) {
      // With y southwards, the inside lies to the right of edges that go up in rings of positive area.
      const sign = Math.sign(ringAreaPx(ring)) * (index === 0 ? 1 : -1);
      for (let i = 0; i < ring.length; i += 2) {
        const j = i + 2 < ring.length ? i + 2 : 0;
        const edge = cutEdge([ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!], sign, heightPx);
        if (edge === null) continue;
        edges.push(edge);
        minX = Math.min(minX, edge[0]!, edge[2]!);
        maxX = Math.max(maxX, edge[0]!, edge[2]!);
      }
    }
  }
  edges.sort((a, b) => a[1]! - b[1]!);
  const numbers = new Float64Array(edges.length * EDGE);
  for (const [index, edge] of edges.entries()) numbers.set(edge, index * EDGE);
  return new Edges(numbers, minX, maxX);
}

function cutEdge(
  [xa, ya, xb, yb]: readonly [number, number, number, number],
  sign: number,
  heightPx: number,
): number[] | null {
  if (ya === yb || sign === 0) return null;
  // Always downwards: polygons with a common edge then cut pixels at the very same places.
  const [x0, y0, x1, y1] = ya < yb ? [xa, ya, xb, yb] : [xb, yb, xa, ya];
  if (y1 <= 0 || y0 >= heightPx) return null;
  const xAt = (y: number): number => x0 + (x1 - x0) * ((y - y0) / (y1 - y0));
  const inside = ya < yb ? -sign : sign;
  return [y0 < 0 ? xAt(0) : x0, Math.max(0, y0), y1 > heightPx ? xAt(heightPx) : x1, Math.min(heightPx, y1), inside];
}

/** The pixels of one row that edges pass. */
class CoverageLine {
  readonly #left: number;
  readonly #width: number;
  /** Height of the edges in a pixel, which each pixel to its right gains. */
  readonly #heights: Float64Array;
  /** The share of this pixel to the right of its edges. */
  readonly #areas: Float64Array;
  readonly #isTouched: Uint8Array;
  #touched: number[] = [];

  constructor(left: number, right: number) {
    this.#left = left;
    this.#width = right - left;
    this.#heights = new Float64Array(this.#width);
    this.#areas = new Float64Array(this.#width);
    this.#isTouched = new Uint8Array(this.#width);
  }

  /** An edge from the left to the right end, of a height in pixels with its sign. */
  add(fromX: number, toX: number, height: number): void {
    const [from, to] = [fromX - this.#left, toX - this.#left];
    if (from >= this.#width) return;
    const first = Math.floor(from);
    if (to <= first + 1 && first >= 0) {
      this.#put(first, height, (from + to) / 2 - first);
      return;
    }
    const width = to - from;
    let at = from;
    if (from < 0) {
      this.#put(0, to <= 0 ? height : height * (-from / width), 0);
      at = 0;
    }
    const end = Math.min(to, this.#width);
    for (let column = Math.floor(at); at < end; column++) {
      const stop = Math.min(end, column + 1);
      this.#put(column, height * ((stop - at) / width), (at + stop) / 2 - column);
      at = stop;
    }
  }

  /** @param offset mean distance of the edge from the left side of the pixel */
  #put(column: number, height: number, offset: number): void {
    if (this.#isTouched[column] === 0) {
      this.#isTouched[column] = 1;
      this.#touched.push(column);
    }
    this.#heights[column]! += height;
    this.#areas[column]! += height * (1 - offset);
  }

  /** Writes the runs of the row and clears it. */
  flush(row: number, runs: RunList): void {
    const touched = this.#touched.toSorted((a, b) => a - b);
    let share = 0;
    let from = 0;
    for (const column of touched) {
      if (column > from) runs.add(row, this.#left + from, this.#left + column, share);
      runs.add(row, this.#left + column, this.#left + column + 1, share + this.#areas[column]!);
      share += this.#heights[column]!;
      from = column + 1;
      this.#heights[column] = 0;
      this.#areas[column] = 0;
      this.#isTouched[column] = 0;
    }
    if (this.#width > from) runs.add(row, this.#left + from, this.#left + this.#width, share);
    this.#touched = [];
  }
}

/** Runs in growing arrays. */
class RunList {
  #places = new Int32Array(3 * 64);
  #shares = new Float64Array(64);
  #count = 0;

  add(row: number, start: number, end: number, covered: number): void {
    if (covered < ROUNDING) return;
    const share = covered > 1 - ROUNDING ? 1 : covered;
    const last = this.#count - 1;
    if (last >= 0 && this.#shares[last] === share && this.#places[3 * last] === row) {
      if (this.#places[3 * last + 2] === start) {
        this.#places[3 * last + 2] = end;
        return;
      }
    }
    if (this.#count === this.#shares.length) this.#grow();
    this.#places[3 * this.#count] = row;
    this.#places[3 * this.#count + 1] = start;
    this.#places[3 * this.#count + 2] = end;
    this.#shares[this.#count++] = share;
  }

  #grow(): void {
    const places = new Int32Array(6 * this.#count);
    places.set(this.#places);
    const shares = new Float64Array(2 * this.#count);
    shares.set(this.#shares);
    [this.#places, this.#shares] = [places, shares];
  }

  finish(): PixelCoverage {
    const count = this.#count;
    const [rows, starts, ends] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
    for (let run = 0; run < count; run++) {
      rows[run] = this.#places[3 * run]!;
      starts[run] = this.#places[3 * run + 1]!;
      ends[run] = this.#places[3 * run + 2]!;
    }
    return { rows, starts, ends, shares: this.#shares.slice(0, count) };
  }
}
