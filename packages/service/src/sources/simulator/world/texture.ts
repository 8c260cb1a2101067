import { hashUnit } from "../noise.ts";

/** What `hashUnit` of all pixels of a row has in common. */
export function rowHash(row: number, seed: number): number {
  return Math.imul(row, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
}

/** `hashUnit` of a pixel: a number from 0 to 1 (exclusive). */
export function columnHash(ofRow: number, column: number): number {
  let h = Math.imul(column, 0x27d4eb2d) ^ ofRow;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) * 2.3283064365386963e-10;
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

/** Samples of grain per wavelength, and the wavelengths after which it repeats. */
const GRAIN_SAMPLES = 16;
const GRAIN_CELLS = 128;
const GRAIN_SIDE = GRAIN_SAMPLES * GRAIN_CELLS;
const GRAIN_MASK = GRAIN_SIDE - 1;
const GRAIN_BITS = Math.log2(GRAIN_SIDE);
/** Steps between two samples. */
const FRACTION_BITS = 10;
const STEPS = 2 ** FRACTION_BITS;

let grains: Int8Array | null = null;

function corner(i: number, j: number): number {
  return hashUnit(i % GRAIN_CELLS, j % GRAIN_CELLS, 301) * 2 - 1;
}

/** Noise of wavelength 1, tabulated: grain is laid on every pixel, and looking it up takes a fifth of making it. */
function grainTable(): Int8Array {
  if (grains !== null) return grains;
  const table = new Int8Array(GRAIN_SIDE * GRAIN_SIDE);
  const smooth = Float64Array.from({ length: GRAIN_SAMPLES }, (_, k) => {
    const t = (k + 0.5) / GRAIN_SAMPLES;
    return t * t * (3 - 2 * t);
  });
  for (let j = 0; j < GRAIN_CELLS; j += 1) {
    for (let i = 0; i < GRAIN_CELLS; i += 1) {
      const [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
      for (let n = 0; n < GRAIN_SAMPLES; n += 1) {
        const left = a + (c - a) * smooth[n]!;
        const right = b + (d - b) * smooth[n]!;
        const at = (j * GRAIN_SAMPLES + n) * GRAIN_SIDE + i * GRAIN_SAMPLES;
        for (let m = 0; m < GRAIN_SAMPLES; m += 1) {
          table[at + m] = Math.round(127 * (left + (right - left) * smooth[m]!));
        }
      }
    }
  }
  grains = table;
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
  const table = grainTable();
  const fine = GRAIN_SAMPLES / shortM;
  const wide = longM === 0 ? 0 : GRAIN_SAMPLES / longM;
  const fineHeight = 0.55 / 127;
  const wideHeight = longM === 0 ? 0 : 0.6 / 127;
  let u = stepsOf(x * fine);
  let v = stepsOf(y * fine);
  const du = Math.round(dx * fine * STEPS);
  const dv = Math.round(dy * fine * STEPS);
  // The long wave is turned, so that the lattices of the two do not line up.
  let s = stepsOf((x + 0.3 * y) * wide);
  let t = stepsOf((y - 0.3 * x) * wide);
  const ds = Math.round((dx + 0.3 * dy) * wide * STEPS);
  const dt = Math.round((dy - 0.3 * dx) * wide * STEPS);
  for (let i = 0; i < out.length; i += 1) {
    const near = table[(((v >> FRACTION_BITS) & GRAIN_MASK) << GRAIN_BITS) | ((u >> FRACTION_BITS) & GRAIN_MASK)]!;
    const far = table[(((t >> FRACTION_BITS) & GRAIN_MASK) << GRAIN_BITS) | ((s >> FRACTION_BITS) & GRAIN_MASK)]!;
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
