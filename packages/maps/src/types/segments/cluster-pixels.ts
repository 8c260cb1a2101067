import { SPACING_PX, type SeedLattice } from "./seed-lattice.ts";

/** Weight of distance against colour, in units of colour per spacing (Achanta et al. 2012). */
const COMPACTNESS = 10;
/** Half of the original's: with ten, segments of Sentinel-2 explain no more of the variance of any band, and each costs margin. */
const ITERATIONS = 5;
/** Steps of one unit of colour, and of one pixel of a centre's place. */
export const STEPS_PER_UNIT = 16;

/**
 * Pixels around one that decide what it is assigned to: in each iteration a centre depends on the centres next to it, and
 * on the pixels between them; a centre begins with the gradient at its seed, or with the mean of the pixels around it.
 */
export const CLUSTER_REACH_PX = (ITERATIONS + 1) * SPACING_PX;

/** Pixels with their values side by side. */
export interface Features {
  readonly columns: number;
  readonly rows: number;
  /** 1 where all values are known. */
  readonly valid: Uint8Array;
  readonly bands: number;
  /** `values[pixel * bands + band]` in 16ths of a unit of colour. */
  readonly values: Int16Array;
}

/** No seed. */
export const NO_SEED = -1;
const CORNERS = 4;

interface Centres {
  readonly present: Uint8Array;
  /** `bands` values and the place relative to the seed, all in 16ths, per seed. */
  readonly values: Int32Array;
}

/**
 * SLIC: each pixel goes to the nearest by colour and distance of the four centres whose seeds are the corners of its cell, and
 * centres move to the mean of their pixels, `ITERATIONS` times in all. A centre therefore has the pixels within `SPACING_PX` of its seed
 * to win, the search region of the original method before centres drift. Whole numbers throughout: a block's result is the
 * same wherever it begins.
 *
 * @returns index of the seed in the lattice per pixel, `NO_SEED` for invalid pixels and those outside of whole cells
 */
export function clusterPixels(features: Features, lattice: SeedLattice): Int32Array {
  const { seedsX, seedsY } = lattice;
  const labels = new Int32Array(features.valid.length).fill(NO_SEED);
  if (seedsX < 2 || seedsY < 2) return labels;
  const centres = firstCentres(features, lattice);
  const cells = (seedsX - 1) * (seedsY - 1);
  const sums = new Float64Array(cells * CORNERS * (features.bands + 3));
  const corners = new Uint8Array(features.valid.length).fill(CORNERS);
  const moved = new Uint8Array(seedsX * seedsY).fill(1);
  const cell = assigner(features, lattice, centres, corners, sums);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    // What lies nearer to the edge of the block than this has no part in what the block answers for.
    for (let y = iteration; y < seedsY - 1 - iteration; y++) {
      for (let x = iteration; x < seedsX - 1 - iteration; x++) {
        const seed = y * seedsX + x;
        // What its centres have not changed stays as it is.
        if (moved[seed]! + moved[seed + 1]! + moved[seed + seedsX]! + moved[seed + seedsX + 1]! > 0) cell(x, y);
      }
    }
    if (iteration < ITERATIONS - 1) moveCentres(features.bands, lattice, centres, sums, moved);
  }
  for (let y = 0; y < seedsY - 1; y++) {
    for (let x = 0; x < seedsX - 1; x++) {
      for (let py = 0; py < SPACING_PX; py++) {
        const start = (lattice.row + y * SPACING_PX + py) * features.columns + lattice.column + x * SPACING_PX;
        for (let i = start; i < start + SPACING_PX; i++) {
          const corner = corners[i]!;
          if (corner < CORNERS) labels[i] = (y + (corner >> 1)) * seedsX + x + (corner & 1);
        }
      }
    }
  }
  return labels;
}

/** The four centres of a cell; places are from its upper left corner. */
interface CellCentres {
  /** The four values of a band side by side. */
  readonly colour: Int32Array;
  readonly across: Int32Array;
  readonly down: Int32Array;
  /** Infinity of an absent centre, else 0. */
  readonly absent: Float64Array;
}

/** @param first the seed at the upper left corner */
function readCentres(
  { present, values }: Centres,
  first: number,
  seedsX: number,
  bands: number,
  { colour, across, down, absent }: CellCentres,
): void {
  for (let corner = 0; corner < CORNERS; corner++) {
    const seed = first + (corner >> 1) * seedsX + (corner & 1);
    const at = seed * (bands + 2);
    absent[corner] = present[seed] === 1 ? 0 : Number.POSITIVE_INFINITY;
    for (let b = 0; b < bands; b++) colour[b * CORNERS + corner] = values[at + b]!;
    across[corner] = values[at + bands]! + (corner & 1) * SPACING_PX * STEPS_PER_UNIT;
    down[corner] = values[at + bands + 1]! + (corner >> 1) * SPACING_PX * STEPS_PER_UNIT;
  }
}

/**
 * Assigns the pixels of a cell, and keeps the sums of what each of its four centres has won there. Squares of colours are summed
 * as 32-bit integers: values are within 2000, so that six bands stay below 2^27.
 */
function assigner(
  { columns, valid, bands, values }: Features,
  { column, row, seedsX }: SeedLattice,
  centres: Centres,
  corners: Uint8Array,
  sums: Float64Array,
): (cellX: number, cellY: number) => void {
  // Means of bands are to weigh as those of the three of colour do, however many there are.
  const weight = ((COMPACTNESS / SPACING_PX) ** 2 * bands) / 3;
  const cell: CellCentres = {
    colour: new Int32Array(CORNERS * bands),
    across: new Int32Array(CORNERS),
    down: new Int32Array(CORNERS),
    absent: new Float64Array(CORNERS),
  };
  const { colour, across, down, absent } = cell;
  const length = bands + 3;
  const add = (to: number, sign: number, px: number, py: number, corner: number, base: number): void => {
    sums[to]! += sign;
    sums[to + 1]! += sign * (px - (corner & 1) * SPACING_PX);
    sums[to + 2]! += sign * (py - (corner >> 1) * SPACING_PX);
    for (let b = 0; b < bands; b++) sums[to + 3 + b]! += sign * values[base + b]!;
  };
  return (cellX, cellY) => {
    readCentres(centres, cellY * seedsX + cellX, seedsX, bands, cell);
    const [absent0, absent1, absent2, absent3] = [absent[0]!, absent[1]!, absent[2]!, absent[3]!];
    const [x0, x1, x2, x3] = [across[0]!, across[1]!, across[2]!, across[3]!];
    const [y0, y1, y2, y3] = [down[0]!, down[1]!, down[2]!, down[3]!];
    const from = (cellY * (seedsX - 1) + cellX) * CORNERS * length;
    for (let py = 0; py < SPACING_PX; py++) {
      const y = py * STEPS_PER_UNIT;
      const v0 = (y - y0) * (y - y0);
      const v1 = (y - y1) * (y - y1);
      const v2 = (y - y2) * (y - y2);
      const v3 = (y - y3) * (y - y3);
      const start = (row + cellY * SPACING_PX + py) * columns + column + cellX * SPACING_PX;
      for (let px = 0; px < SPACING_PX; px++) {
        const i = start + px;
        if (valid[i] === 0) continue;
        const base = i * bands;
        let c0 = 0;
        let c1 = 0;
        let c2 = 0;
        let c3 = 0;
        for (let b = 0; b < bands; b++) {
          const value = values[base + b]!;
          const k = b << 2;
          const e0 = (value - colour[k]!) | 0;
          const e1 = (value - colour[k + 1]!) | 0;
          const e2 = (value - colour[k + 2]!) | 0;
          const e3 = (value - colour[k + 3]!) | 0;
          c0 = (c0 + Math.imul(e0, e0)) | 0;
          c1 = (c1 + Math.imul(e1, e1)) | 0;
          c2 = (c2 + Math.imul(e2, e2)) | 0;
          c3 = (c3 + Math.imul(e3, e3)) | 0;
        }
        const x = px * STEPS_PER_UNIT;
        const d1 = absent1 + c1 + weight * ((x - x1) * (x - x1) + v1);
        const d2 = absent2 + c2 + weight * ((x - x2) * (x - x2) + v2);
        const d3 = absent3 + c3 + weight * ((x - x3) * (x - x3) + v3);
        let corner = 0;
        let least = absent0 + c0 + weight * ((x - x0) * (x - x0) + v0);
        if (d1 < least) {
          corner = 1;
          least = d1;
        }
        if (d2 < least) {
          corner = 2;
          least = d2;
        }
        if (d3 < least) corner = 3;
        const before = corners[i]!;
        if (before === corner) continue;
        if (before < CORNERS) add(from + before * length, -1, px, py, before, base);
        add(from + corner * length, 1, px, py, corner, base);
        corners[i] = corner;
      }
    }
  };
}

function moveCentres(
  bands: number,
  { seedsX, seedsY }: SeedLattice,
  { present, values }: Centres,
  sums: Float64Array,
  moved: Uint8Array,
): void {
  const length = bands + 3;
  const total = new Float64Array(length);
  for (let y = 0; y < seedsY; y++) {
    for (let x = 0; x < seedsX; x++) {
      const seed = y * seedsX + x;
      moved[seed] = 0;
      if (present[seed] === 0) continue;
      total.fill(0);
      for (let corner = 0; corner < CORNERS; corner++) {
        const cellX = x - (corner & 1);
        const cellY = y - (corner >> 1);
        if (cellX < 0 || cellY < 0 || cellX >= seedsX - 1 || cellY >= seedsY - 1) continue;
        const from = ((cellY * (seedsX - 1) + cellX) * CORNERS + corner) * length;
        for (let k = 0; k < length; k++) total[k]! += sums[from + k]!;
      }
      const [count = 0] = total;
      if (count === 0) continue;
      const at = seed * (bands + 2);
      for (let k = 0; k < bands + 2; k++) {
        // Places come after the colours there and before them here.
        const mean = k < bands ? total[3 + k]! / count : (STEPS_PER_UNIT * total[k - bands + 1]!) / count;
        const value = Math.floor(mean + 0.5);
        if (value === values[at + k]) continue;
        values[at + k] = value;
        moved[seed] = 1;
      }
    }
  }
}

/** Seeds go to where the gradient is least among their nine pixels, off edges and noise; where none of these is known, to the mean around. */
function firstCentres(features: Features, lattice: SeedLattice): Centres {
  const { bands } = features;
  const count = lattice.seedsX * lattice.seedsY;
  const present = new Uint8Array(count);
  const values = new Int32Array(count * (bands + 2));
  for (let seed = 0; seed < count; seed++) {
    const column = lattice.column + (seed % lattice.seedsX) * SPACING_PX;
    const row = lattice.row + Math.floor(seed / lattice.seedsX) * SPACING_PX;
    const at = seed * (bands + 2);
    let least = Number.POSITIVE_INFINITY;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const gradient = gradientAt(features, column + dx, row + dy);
        if (gradient >= least) continue;
        least = gradient;
        const from = ((row + dy) * features.columns + column + dx) * bands;
        for (let b = 0; b < bands; b++) values[at + b] = features.values[from + b]!;
        values[at + bands] = dx * STEPS_PER_UNIT;
        values[at + bands + 1] = dy * STEPS_PER_UNIT;
      }
    }
    if (least < Number.POSITIVE_INFINITY || meanAround(features, column, row, values, at)) present[seed] = 1;
  }
  return { present, values };
}

function gradientAt({ columns, rows, valid, bands, values }: Features, column: number, row: number): number {
  if (column < 1 || row < 1 || column >= columns - 1 || row >= rows - 1) return Number.POSITIVE_INFINITY;
  const i = row * columns + column;
  const known = valid[i]! + valid[i - 1]! + valid[i + 1]! + valid[i - columns]! + valid[i + columns]!;
  if (known < 5) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let b = 0; b < bands; b++) {
    const across = values[(i + 1) * bands + b]! - values[(i - 1) * bands + b]!;
    const down = values[(i + columns) * bands + b]! - values[(i - columns) * bands + b]!;
    sum += across * across + down * down;
  }
  return sum;
}

/** Writes the mean of the pixels that the seed may win; whether there is any. */
function meanAround(features: Features, column: number, row: number, to: Int32Array, at: number): boolean {
  const { columns, rows, valid, bands, values } = features;
  const sums = new Float64Array(bands);
  let count = 0;
  for (let y = Math.max(0, row - SPACING_PX + 1); y < Math.min(rows, row + SPACING_PX); y++) {
    for (let x = Math.max(0, column - SPACING_PX + 1); x < Math.min(columns, column + SPACING_PX); x++) {
      const i = y * columns + x;
      if (valid[i] === 0) continue;
      count++;
      for (let b = 0; b < bands; b++) sums[b]! += values[i * bands + b]!;
    }
  }
  if (count === 0) return false;
  for (let b = 0; b < bands; b++) to[at + b] = Math.floor(sums[b]! / count + 0.5);
  return true;
}
