import { NO_SEED } from "./cluster-pixels.ts";
import { SPACING_PX } from "./seed-lattice.ts";

/** Widest piece of what one seed has won. */
const WIDEST_PX = 2 * SPACING_PX;
/** Pieces that have found a segment are part of it for those beside them, so often. */
const ROUNDS = 2;
/** Pixels around one that decide which segment it belongs to: its piece, those beside it, and all that their seeds have won. */
export const CONNECTION_REACH_PX = (ROUNDS + 1) * WIDEST_PX;
/** How far the pixels of a segment lie from its seed, columns and rows. */
export const SEGMENT_REACH_PX = SPACING_PX + ROUNDS * WIDEST_PX;

/**
 * Makes segments of one piece, in place: of the pieces of a seed that do not touch by sides the largest stays, and each
 * other goes to the segment that it has the longest border with. A piece that touches no such segment, because no data
 * or other pieces are all around it, stays with its seed.
 *
 * @param labels seed of each pixel, `NO_SEED` for none
 */
export function connectSegments(labels: Int32Array, columns: number, seeds: number): void {
  const { order, starts, piece } = piecesOf(labels, columns);
  const count = starts.length - 1;
  const largest = new Int32Array(seeds).fill(-1);
  const size = (one: number): number => starts[one + 1]! - starts[one]!;
  const seedOf = (one: number): number => labels[order[starts[one]!]!]!;
  // Pieces come in the order of their first pixels: of equal ones the first stays.
  for (let one = 0; one < count; one++) {
    const seed = seedOf(one);
    if (largest[seed] === -1 || size(one) > size(largest[seed]!)) largest[seed] = one;
  }
  const goesTo = new Int32Array(count).fill(NO_SEED);
  for (let one = 0; one < count; one++) if (largest[seedOf(one)] === one) goesTo[one] = seedOf(one);
  const border = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const before = goesTo.slice();
    for (let one = 0; one < count; one++) {
      if (before[one] !== NO_SEED) continue;
      border.clear();
      for (let k = starts[one]!; k < starts[one + 1]!; k++) {
        const i = order[k]!;
        const column = i % columns;
        for (let side = 0; side < 4; side++) {
          const other = neighbour(i, column, side, columns, labels.length);
          const segment = other < 0 || piece[other] === -1 ? NO_SEED : before[piece[other]!]!;
          if (segment !== NO_SEED) border.set(segment, (border.get(segment) ?? 0) + 1);
        }
      }
      goesTo[one] = longest(border);
    }
  }
  for (let one = 0; one < count; one++) {
    if (goesTo[one] === NO_SEED) continue;
    for (let k = starts[one]!; k < starts[one + 1]!; k++) labels[order[k]!] = goesTo[one]!;
  }
}

/** The segment with the longest border, of equal ones the first; `NO_SEED` without any. */
function longest(border: ReadonlyMap<number, number>): number {
  let best = NO_SEED;
  for (const [segment, pixels] of border) {
    const most = best === NO_SEED ? 0 : border.get(best)!;
    if (pixels > most || (pixels === most && segment < best)) best = segment;
  }
  return best;
}

interface Pieces {
  /** Pixels, piece by piece. */
  readonly order: Int32Array;
  /** Where each piece begins in `order`, and the end of the last. */
  readonly starts: readonly number[];
  /** Piece of each pixel, -1 for none. */
  readonly piece: Int32Array;
}

/** Groups of pixels of one label that touch by sides. */
function piecesOf(labels: Int32Array, columns: number): Pieces {
  const order = new Int32Array(labels.length);
  const piece = new Int32Array(labels.length).fill(-1);
  const starts: number[] = [];
  let filled = 0;
  for (let first = 0; first < labels.length; first++) {
    if (labels[first] === NO_SEED || piece[first] !== -1) continue;
    const one = starts.length;
    starts.push(filled);
    let read = filled;
    order[filled++] = first;
    piece[first] = one;
    for (; read < filled; read++) {
      const i = order[read]!;
      const column = i % columns;
      for (let side = 0; side < 4; side++) {
        const other = neighbour(i, column, side, columns, labels.length);
        if (other < 0 || piece[other] !== -1 || labels[other] !== labels[first]) continue;
        piece[other] = one;
        order[filled++] = other;
      }
    }
  }
  starts.push(filled);
  return { order, starts, piece };
}

/** The pixel to the left, right, above or below, or -1. */
function neighbour(i: number, column: number, side: number, columns: number, length: number): number {
  if (side === 0) return column > 0 ? i - 1 : -1;
  if (side === 1) return column < columns - 1 ? i + 1 : -1;
  if (side === 2) return i - columns;
  return i + columns < length ? i + columns : -1;
}
