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
 * Sum of noises from the longest wavelength down, each half as long; the strength of each is that of the one before
 * times `gain`. Octaves shorter than `shortestM` are left out: detail below the resolution is filtered. Not
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

/** Metres from the middle of the Earth, turned so that no axis of the noise lattice meets an inhabited place. */
export function placeOnSphere(lonDeg: number, latDeg: number, out: Float64Array, at = 0): void {
  const lon = lonDeg * RADIANS;
  const lat = latDeg * RADIANS;
  const cos = Math.cos(lat);
  const x = EARTH_M * cos * Math.cos(lon);
  const y = EARTH_M * cos * Math.sin(lon);
  const z = EARTH_M * Math.sin(lat);
  out[at] = 0.36 * x + 0.48 * y - 0.8 * z;
  out[at + 1] = -0.8 * x + 0.6 * y;
  out[at + 2] = 0.48 * x + 0.64 * y + 0.6 * z;
}
