import { NO_SEED } from "./cluster-pixels.ts";
import { SPACING_PX, type SeedLattice } from "./seed-lattice.ts";

/** Parts that have found a segment are of it for those beside them, so often. */
const ROUNDS = 2;
const CORNERS = 4;
/** Pixels around one that decide which segment it belongs to: all that its seed has won, and a cell further each round. */
export const CONNECTION_REACH_PX = (2 + ROUNDS) * SPACING_PX;

/** Pixels by groups that touch by sides. */
interface Groups {
  /** Pixels, group by group. */
  readonly order: Int32Array;
  /** Where each group begins in `order`, and the end of the last. */
  readonly starts: readonly number[];
  /** Group of each pixel, -1 for none. */
  readonly groupOf: Int32Array;
}

/**
 * Makes segments of one piece, in place: of the pieces of a seed that do not touch by sides the largest stays. The others
 * are parted along the cells of the lattice, and each part goes to the segment that it has the longest border with among
 * those of the corners of its cell, so that no segment has pixels further than `SPACING_PX` from its seed. A part that
 * touches none of these, because no data or other parts are all around it, stays with its seed.
 *
 * @param labels seed of each pixel, `NO_SEED` for none
 * @param lattice its first seed in pixels of `labels`
 */
export function connectSegments(labels: Int32Array, columns: number, lattice: SeedLattice): void {
  const strays = strayKeys(labels, columns, lattice);
  const { order, starts, groupOf } = groupsOf(strays, columns);
  const parts = starts.length - 1;
  const goesTo = new Int32Array(parts).fill(NO_SEED);
  const borders = new Int32Array(CORNERS);
  for (let round = 0; round < ROUNDS; round++) {
    const before = goesTo.slice();
    for (let part = 0; part < parts; part++) {
      if (before[part] !== NO_SEED) continue;
      const first = order[starts[part]!]!;
      const cellX = Math.floor(((first % columns) - lattice.column) / SPACING_PX);
      const cellY = Math.floor((Math.floor(first / columns) - lattice.row) / SPACING_PX);
      borders.fill(0);
      for (let k = starts[part]!; k < starts[part + 1]!; k++) {
        const i = order[k]!;
        for (let side = 0; side < 4; side++) {
          const other = neighbour(i, side, columns, labels.length);
          if (other < 0) continue;
          const segment = groupOf[other] === -1 ? labels[other]! : before[groupOf[other]!]!;
          if (segment === NO_SEED) continue;
          const x = (segment % lattice.seedsX) - cellX;
          const y = Math.floor(segment / lattice.seedsX) - cellY;
          if ((x === 0 || x === 1) && (y === 0 || y === 1)) borders[2 * y + x]! += 1;
        }
      }
      const most = Math.max(...borders);
      // Of equal ones the first.
      const corner = borders.indexOf(most);
      if (most > 0) goesTo[part] = (cellY + (corner >> 1)) * lattice.seedsX + cellX + (corner & 1);
    }
  }
  for (let part = 0; part < parts; part++) {
    if (goesTo[part] === NO_SEED) continue;
    for (let k = starts[part]!; k < starts[part + 1]!; k++) labels[order[k]!] = goesTo[part]!;
  }
}

/** Seed and cell of each pixel that is not of the largest piece of its seed, as one number; `NO_SEED` for the others. */
function strayKeys(labels: Int32Array, columns: number, lattice: SeedLattice): Int32Array {
  const { order, starts } = groupsOf(labels, columns);
  const largest = new Int32Array(lattice.seedsX * lattice.seedsY).fill(-1);
  const size = (piece: number): number => starts[piece + 1]! - starts[piece]!;
  // Pieces come in the order of their first pixels: of equal ones the first stays.
  for (let piece = 0; piece < starts.length - 1; piece++) {
    const seed = labels[order[starts[piece]!]!]!;
    if (largest[seed] === -1 || size(piece) > size(largest[seed]!)) largest[seed] = piece;
  }
  const keys = new Int32Array(labels.length).fill(NO_SEED);
  for (let piece = 0; piece < starts.length - 1; piece++) {
    const seed = labels[order[starts[piece]!]!]!;
    if (largest[seed] === piece) continue;
    const seedColumn = lattice.column + (seed % lattice.seedsX) * SPACING_PX;
    const seedRow = lattice.row + Math.floor(seed / lattice.seedsX) * SPACING_PX;
    for (let k = starts[piece]!; k < starts[piece + 1]!; k++) {
      const i = order[k]!;
      const right = i % columns >= seedColumn ? 1 : 0;
      const below = Math.floor(i / columns) >= seedRow ? 2 : 0;
      keys[i] = CORNERS * seed + right + below;
    }
  }
  return keys;
}

/** Groups of pixels of one key that touch by sides, in the order of their first pixels. */
function groupsOf(keys: Int32Array, columns: number): Groups {
  const order = new Int32Array(keys.length);
  const groupOf = new Int32Array(keys.length).fill(-1);
  const starts: number[] = [];
  let filled = 0;
  for (let first = 0; first < keys.length; first++) {
    if (keys[first] === NO_SEED || groupOf[first] !== -1) continue;
    const group = starts.length;
    starts.push(filled);
    let read = filled;
    order[filled++] = first;
    groupOf[first] = group;
    for (; read < filled; read++) {
      for (let side = 0; side < 4; side++) {
        const other = neighbour(order[read]!, side, columns, keys.length);
        if (other < 0 || groupOf[other] !== -1 || keys[other] !== keys[first]) continue;
        groupOf[other] = group;
        order[filled++] = other;
      }
    }
  }
  starts.push(filled);
  return { order, starts, groupOf };
}

/** The pixel to the left, right, above or below, or -1. */
function neighbour(i: number, side: number, columns: number, length: number): number {
  if (side === 0) return i % columns > 0 ? i - 1 : -1;
  if (side === 1) return (i + 1) % columns > 0 ? i + 1 : -1;
  if (side === 2) return i - columns;
  return i + columns < length ? i + columns : -1;
}
