import { NO_SEED, type Features } from "./cluster-pixels.ts";
import type { SeedLattice } from "./seed-lattice.ts";
import { SPACING_PX } from "./seed-lattice.ts";

/** Seeds per side of the squares within which segments are joined. */
const SIDE = 5;
const MEMBERS = SIDE * SIDE;
/** Largest distance of seeds of one square. */
export const MERGE_REACH_PX = (SIDE - 1) * SPACING_PX;
/** Mean size that segments are joined up to, pixels: two cells of the lattice. */
const MEAN_SIZE_PX = 2 * SPACING_PX ** 2;

/**
 * Joins segments whose seeds lie in one square of the lattice and that touch, the pair of least Ward distance
 * `n m / (n + m) |mean a - mean b|²` first, until the segments of the square have `MEAN_SIZE_PX` pixels in the mean. Squares
 * lie fixed in the grid, so that no segment depends on what is far away.
 *
 * @returns the seed whose number each seed's pixels get: the first of those joined
 */
export function mergeSegments(labels: Int32Array, features: Features, lattice: SeedLattice): Int32Array {
  const { seedsX, seedsY, firstX, firstY } = lattice;
  const seeds = seedsX * seedsY;
  const joined = Int32Array.from({ length: seeds }, (_, i) => i);
  const [squareX, squareY] = [Math.floor(firstX / SIDE), Math.floor(firstY / SIDE)];
  const across = Math.floor((firstX + seedsX - 1) / SIDE) - squareX + 1;
  const down = Math.floor((firstY + seedsY - 1) / SIDE) - squareY + 1;
  const squareOf = new Int32Array(seeds);
  const memberOf = new Uint8Array(seeds);
  const seedOf = new Int32Array(across * down * MEMBERS).fill(NO_SEED);
  for (let seed = 0; seed < seeds; seed++) {
    const [x, y] = [firstX + (seed % seedsX), firstY + Math.floor(seed / seedsX)];
    const [inX, inY] = [Math.floor(x / SIDE), Math.floor(y / SIDE)];
    const square = (inY - squareY) * across + inX - squareX;
    const member = (y - inY * SIDE) * SIDE + x - inX * SIDE;
    squareOf[seed] = square;
    memberOf[seed] = member;
    seedOf[square * MEMBERS + member] = seed;
  }
  const sums = sumsOf(labels, features, seeds);
  const touching = touchesOf(labels, features.columns, squareOf, memberOf, across * down);
  for (let square = 0; square < across * down; square++) {
    joinSquare(
      seedOf.subarray(square * MEMBERS, (square + 1) * MEMBERS),
      touching.subarray(square * MEMBERS ** 2, (square + 1) * MEMBERS ** 2),
      sums,
      features.bands + 1,
      joined,
    );
  }
  return joined;
}

/** Pixels and sums of the bands of each seed. */
function sumsOf(labels: Int32Array, { bands, values }: Features, seeds: number): Float64Array {
  const sums = new Float64Array(seeds * (bands + 1));
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === NO_SEED) continue;
    const at = labels[i]! * (bands + 1);
    sums[at]! += 1;
    for (let b = 0; b < bands; b++) sums[at + 1 + b]! += values[i * bands + b]!;
  }
  return sums;
}

/** For each square a table of which of its members touch by sides. */
function touchesOf(
  labels: Int32Array,
  columns: number,
  squareOf: Int32Array,
  memberOf: Uint8Array,
  squares: number,
): Uint8Array {
  const touching = new Uint8Array(squares * MEMBERS ** 2);
  const touch = (a: number, b: number): void => {
    if (a === b || b === NO_SEED || squareOf[a] !== squareOf[b]) return;
    const table = squareOf[a]! * MEMBERS ** 2;
    touching[table + memberOf[a]! * MEMBERS + memberOf[b]!] = 1;
    touching[table + memberOf[b]! * MEMBERS + memberOf[a]!] = 1;
  };
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label === NO_SEED) continue;
    if ((i + 1) % columns !== 0) touch(label, labels[i + 1]!);
    if (i + columns < labels.length) touch(label, labels[i + columns]!);
  }
  return touching;
}

function joinSquare(
  seedOf: Int32Array,
  touching: Uint8Array,
  sums: Float64Array,
  width: number,
  joined: Int32Array,
): void {
  const alive: number[] = [];
  let pixels = 0;
  for (let member = 0; member < MEMBERS; member++) {
    const seed = seedOf[member]!;
    if (seed === NO_SEED || sums[seed * width] === 0) continue;
    alive.push(member);
    pixels += sums[seed * width]!;
  }
  const wanted = Math.max(1, Math.ceil(pixels / MEAN_SIZE_PX));
  while (alive.length > wanted) {
    let least = Number.POSITIVE_INFINITY;
    let [first, second] = [-1, -1];
    for (let a = 0; a < alive.length; a++) {
      for (let b = a + 1; b < alive.length; b++) {
        if (touching[alive[a]! * MEMBERS + alive[b]!] === 0) continue;
        const distance = wardDistance(sums, seedOf[alive[a]!]! * width, seedOf[alive[b]!]! * width, width);
        if (distance >= least) continue;
        least = distance;
        [first, second] = [a, b];
      }
    }
    if (first === -1) return;
    const [keeps, goes] = [alive[first]!, alive[second]!];
    const [keeper, goer] = [seedOf[keeps]!, seedOf[goes]!];
    for (let k = 0; k < width; k++) sums[keeper * width + k]! += sums[goer * width + k]!;
    for (let other = 0; other < MEMBERS; other++) {
      if (touching[goes * MEMBERS + other] === 0 || other === keeps) continue;
      touching[keeps * MEMBERS + other] = 1;
      touching[other * MEMBERS + keeps] = 1;
    }
    for (const seed of seedOf) if (seed !== NO_SEED && joined[seed] === goer) joined[seed] = keeper;
    alive.splice(second, 1);
  }
}

function wardDistance(sums: Float64Array, a: number, b: number, width: number): number {
  const [n, m] = [sums[a]!, sums[b]!];
  let square = 0;
  for (let k = 1; k < width; k++) square += (sums[a + k]! / n - sums[b + k]! / m) ** 2;
  return ((n * m) / (n + m)) * square;
}
