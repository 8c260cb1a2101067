import { hashUnit, smoothStep } from "../noise.ts";

/** The common part of the hashes of all pixels of a row. */
export function rowHash(row: number, seed: number): number {
  return Math.imul(row, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
}

/** 32 bits for two neighbouring pixels of a row, an even column and the next: see `halfOf`. */
export function pairHash(ofRow: number, column: number): number {
  let h = Math.imul(column >> 1, 0x27d4eb2d) ^ ofRow;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** A column's half of the hash of its pair, as a number from 0 to 1 (exclusive) in 65536 steps. */
export function halfOf(pair: number, column: number): number {
  return ((column & 1) === 0 ? pair & 0xffff : pair >>> 16) * (1 / 65_536);
}

/**
 * Adds noise of one wavelength to a row of pixels: from place (x, y) on, a step of (dx, dy) metres per pixel. The
 * corners of a cell are hashed once for all pixels in it.
 */
export function addNoiseRow(
  out: Float32Array,
  x: number,
  y: number,
  dx: number,
  dy: number,
  wavelengthM: number,
  strength: number,
  seed: number,
): void {
  const scale = 1 / wavelengthM;
  let u = x * scale;
  let v = y * scale;
  const du = dx * scale;
  const dv = dy * scale;
  let ix = NaN;
  let iy = NaN;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < out.length; i += 1) {
    const nx = Math.floor(u);
    const ny = Math.floor(v);
    if (nx !== ix || ny !== iy) {
      ix = nx;
      iy = ny;
      a = hashUnit(ix, iy, seed) - 0.5;
      b = hashUnit(ix + 1, iy, seed) - 0.5;
      c = hashUnit(ix, iy + 1, seed) - 0.5;
      d = hashUnit(ix + 1, iy + 1, seed) - 0.5;
    }
    const fx = u - ix;
    const fy = v - iy;
    const sx = fx * fx * (3 - 2 * fx);
    const sy = fy * fy * (3 - 2 * fy);
    const top = a + (b - a) * sx;
    out[i]! += 2 * strength * (top + (c + (d - c) * sx - top) * sy);
    u += du;
    v += dv;
  }
}

/** Wavelengths of ground texture: each resolution shows those that it resolves. */
const WAVELENGTHS_M = [1.7, 6.3, 23, 87, 330, 1250] as const;

/** The two shortest wavelengths that a pixel resolves. */
export function textureWavelengths(pixelM: number): readonly number[] {
  return WAVELENGTHS_M.filter((wavelength) => wavelength >= 2.4 * pixelM).slice(0, 2);
}

/** Sides of the tables of grain in samples: small enough to stay at hand, large enough not to be seen to repeat. */
const GRAIN_BITS = 9;
const GRAIN_SIDE = 2 ** GRAIN_BITS;
const GRAIN_MASK = GRAIN_SIDE - 1;
/** Samples per wavelength: the short wave is two to nine pixels long, the long one up to 33. */
const FINE_SAMPLES = 8;
const WIDE_SAMPLES = 16;
/** Steps between two samples. */
const FRACTION_BITS = 10;
const STEPS = 2 ** FRACTION_BITS;

const grains = new Map<number, Int8Array>();

/** Noise of wavelength 1, tabulated: grain is laid on every pixel, and looking it up takes a fifth of making it. */
function grainTable(samples: number): Int8Array {
  const known = grains.get(samples);
  if (known !== undefined) return known;
  const table = new Int8Array(GRAIN_SIDE * GRAIN_SIDE);
  const cells = GRAIN_SIDE / samples;
  const smooth = Float64Array.from({ length: samples }, (_, k) => smoothStep(0, 1, (k + 0.5) / samples));
  for (let j = 0; j < GRAIN_SIDE; j += 1) {
    const top = Math.floor(j / samples);
    const bottom = (top + 1) % cells;
    const v = smooth[j % samples]!;
    for (let i = 0; i < GRAIN_SIDE; i += 1) {
      const left = Math.floor(i / samples);
      const right = (left + 1) % cells;
      const a = hashUnit(left, top, 301) * 2 - 1;
      const b = hashUnit(right, top, 301) * 2 - 1;
      const c = hashUnit(left, bottom, 301) * 2 - 1;
      const d = hashUnit(right, bottom, 301) * 2 - 1;
      const u = smooth[i % samples]!;
      table[j * GRAIN_SIDE + i] = Math.round(127 * (a + (b - a) * u + (c - a + (a - b - c + d) * u) * v));
    }
  }
  grains.set(samples, table);
  return table;
}

/**
 * Writes the grain of a row of pixels: the noise of a short and a long wavelength of a few pixels each, about -1 to 1;
 * 0 for a wavelength of 0.
 */
export function grainRow(
  out: Float32Array,
  x: number,
  y: number,
  dx: number,
  dy: number,
  shortM: number,
  longM: number,
): void {
  if (shortM === 0) {
    out.fill(0);
    return;
  }
  const fineTable = grainTable(FINE_SAMPLES);
  const wideTable = grainTable(WIDE_SAMPLES);
  const fine = FINE_SAMPLES / shortM;
  const wide = longM === 0 ? 0 : WIDE_SAMPLES / longM;
  const fineHeight = 0.55 / 127;
  const wideHeight = longM === 0 ? 0 : 0.6 / 127;
  // Both are turned, each its own way, so that their lattices line up neither with the pixels nor with each other.
  let u = stepsOf((0.8 * x + 0.6 * y) * fine);
  let v = stepsOf((0.8 * y - 0.6 * x) * fine);
  const du = Math.round((0.8 * dx + 0.6 * dy) * fine * STEPS);
  const dv = Math.round((0.8 * dy - 0.6 * dx) * fine * STEPS);
  let s = stepsOf((x - 0.4 * y) * wide);
  let t = stepsOf((y + 0.4 * x) * wide);
  const ds = Math.round((dx - 0.4 * dy) * wide * STEPS);
  const dt = Math.round((dy + 0.4 * dx) * wide * STEPS);
  for (let i = 0; i < out.length; i += 1) {
    const near = fineTable[(((v >> FRACTION_BITS) & GRAIN_MASK) << GRAIN_BITS) | ((u >> FRACTION_BITS) & GRAIN_MASK)]!;
    const far = wideTable[(((t >> FRACTION_BITS) & GRAIN_MASK) << GRAIN_BITS) | ((s >> FRACTION_BITS) & GRAIN_MASK)]!;
    out[i] = near * fineHeight + far * wideHeight;
    u += du;
    v += dv;
    s += ds;
    t += dt;
  }
}

/** A place in samples as steps from where the table begins. */
function stepsOf(samples: number): number {
  return Math.floor((samples - Math.floor(samples / GRAIN_SIDE) * GRAIN_SIDE) * STEPS);
}
