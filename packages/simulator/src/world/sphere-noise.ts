/** Radius of the sphere that stands for the Earth in the simulated world. */
export const EARTH_M = 6_371_000;

const RADIANS = Math.PI / 180;

/**
 * Value noise of three coordinates on the unit lattice, -1 to 1, twice differentiable. Evaluated on the surface of a
 * sphere it gives fields of the whole globe that have neither seams nor poles.
 */
export function noise3(x: number, y: number, z: number, seed: number): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const iz = Math.floor(z);
  const fx = x - ix;
  const fy = y - iy;
  const fz = z - iz;
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  const w = fz * fz * fz * (fz * (fz * 6 - 15) + 10);
  const x0 = Math.imul(ix, 0x27d4eb2d) ^ Math.imul(seed, 0x9e3779b1);
  const x1 = Math.imul(ix + 1, 0x27d4eb2d) ^ Math.imul(seed, 0x9e3779b1);
  const y0 = Math.imul(iy, 0x165667b1);
  const y1 = Math.imul(iy + 1, 0x165667b1);
  const z0 = Math.imul(iz, 0x9e3779b9 ^ 0x2545f491);
  const z1 = Math.imul(iz + 1, 0x9e3779b9 ^ 0x2545f491);
  const a = mix(x0 ^ y0 ^ z0);
  const b = mix(x1 ^ y0 ^ z0);
  const c = mix(x0 ^ y1 ^ z0);
  const d = mix(x1 ^ y1 ^ z0);
  const e = mix(x0 ^ y0 ^ z1);
  const f = mix(x1 ^ y0 ^ z1);
  const g = mix(x0 ^ y1 ^ z1);
  const h = mix(x1 ^ y1 ^ z1);
  const low = a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
  const high = e + (f - e) * u + (g - e + (e - f - g + h) * u) * v;
  return low + (high - low) * w;
}

/** A hash of 32 bits as a number from -1 to 1. */
function mix(bits: number): number {
  let h = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) * 4.656612873077393e-10;
}

/**
 * Sum of noises from the longest wavelength down, each half as long; the strength of each is `gain` times
 * the strength before it. Octaves shorter than `shortestM` are left out: detail below the resolution is filtered. Not
 * normalised; a place is metres on the sphere.
 */
export function octaves(
  x: number,
  y: number,
  z: number,
  longestM: number,
  shortestM: number,
  gain: number,
  seed: number,
): number {
  let sum = 0;
  let strength = 1;
  let salt = seed;
  for (let wavelengthM = longestM; wavelengthM >= shortestM; wavelengthM /= 2) {
    const scale = 1 / wavelengthM;
    // Offsets keep the lattices of the octaves from sharing nodes.
    sum += strength * noise3(x * scale + salt * 0.37, y * scale + salt * 0.71, z * scale - salt * 0.53, salt);
    strength *= gain;
    salt += 1;
  }
  return sum;
}

/**
 * Adds `octaves` at many places to `out`, times `strength`. Places that follow each other share the cells of the long
 * waves, whose corners are hashed once.
 *
 * @param shift metres added to every place
 */
export function addOctaves(
  out: Float64Array,
  places: Float64Array,
  shift: readonly [number, number, number],
  longestM: number,
  shortestM: number,
  gain: number,
  seed: number,
  strength: number,
): void {
  let height = strength;
  let salt = seed;
  for (let wavelengthM = longestM; wavelengthM >= shortestM; wavelengthM /= 2) {
    const scale = 1 / wavelengthM;
    addOctave(
      out,
      places,
      scale,
      shift[0] * scale + salt * 0.37,
      shift[1] * scale + salt * 0.71,
      shift[2] * scale - salt * 0.53,
      salt,
      height,
      false,
    );
    height *= gain;
    salt += 1;
  }
}

/** One wave of `addOctaves`: `noise3` of places times `scale` plus an offset; `ridged` folds it. */
export function addOctave(
  out: Float64Array,
  places: Float64Array,
  scale: number,
  offsetX: number,
  offsetY: number,
  offsetZ: number,
  seed: number,
  strength: number,
  ridged: boolean,
): void {
  const salt = Math.imul(seed, 0x9e3779b1);
  let ix = NaN;
  let iy = NaN;
  let iz = NaN;
  let a = 0;
  let ab = 0;
  let ac = 0;
  let abcd = 0;
  let e = 0;
  let ef = 0;
  let eg = 0;
  let efgh = 0;
  for (let i = 0, at = 0; i < out.length; i += 1, at += 3) {
    const px = places[at]! * scale + offsetX;
    const py = places[at + 1]! * scale + offsetY;
    const pz = places[at + 2]! * scale + offsetZ;
    const nx = Math.floor(px);
    const ny = Math.floor(py);
    const nz = Math.floor(pz);
    if (nx !== ix || ny !== iy || nz !== iz) {
      ix = nx;
      iy = ny;
      iz = nz;
      const x0 = Math.imul(ix, 0x27d4eb2d) ^ salt;
      const x1 = Math.imul(ix + 1, 0x27d4eb2d) ^ salt;
      const y0 = Math.imul(iy, 0x165667b1);
      const y1 = Math.imul(iy + 1, 0x165667b1);
      const z0 = Math.imul(iz, 0x9e3779b9 ^ 0x2545f491);
      const z1 = Math.imul(iz + 1, 0x9e3779b9 ^ 0x2545f491);
      a = mix(x0 ^ y0 ^ z0);
      const b = mix(x1 ^ y0 ^ z0);
      const c = mix(x0 ^ y1 ^ z0);
      const d = mix(x1 ^ y1 ^ z0);
      e = mix(x0 ^ y0 ^ z1);
      const f = mix(x1 ^ y0 ^ z1);
      const g = mix(x0 ^ y1 ^ z1);
      const h = mix(x1 ^ y1 ^ z1);
      ab = b - a;
      ac = c - a;
      abcd = a - b - c + d;
      ef = f - e;
      eg = g - e;
      efgh = e - f - g + h;
    }
    const fx = px - ix;
    const fy = py - iy;
    const fz = pz - iz;
    const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
    const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
    const w = fz * fz * fz * (fz * (fz * 6 - 15) + 10);
    const low = a + ab * u + (ac + abcd * u) * v;
    const high = e + ef * u + (eg + efgh * u) * v;
    const value = low + (high - low) * w;
    out[i]! += strength * (ridged ? 0.8 - 1.6 * Math.abs(value) : value);
  }
}

/** Metres from the middle of the Earth, turned so that no axis of the noise lattice meets an inhabited place. */
export function placeOnSphere(lonDeg: number, latDeg: number, out: Float64Array, at = 0): void {
  const lon = lonDeg * RADIANS;
  const lat = latDeg * RADIANS;
  const cos = Math.cos(lat);
  turnedPlace(cos * Math.cos(lon), cos * Math.sin(lon), Math.sin(lat), out, at);
}

/** As `placeOnSphere`, of a direction from the middle of the Earth. */
export function turnedPlace(ux: number, uy: number, uz: number, out: Float64Array, at: number): void {
  const x = EARTH_M * ux;
  const y = EARTH_M * uy;
  const z = EARTH_M * uz;
  out[at] = 0.36 * x + 0.48 * y - 0.8 * z;
  out[at + 1] = -0.8 * x + 0.6 * y;
  out[at + 2] = 0.48 * x + 0.64 * y + 0.6 * z;
}
