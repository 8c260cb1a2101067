/** A 32-bit hash of two integers and a seed, in 0 to 1 (exclusive). Equal arguments give equal results everywhere. */
export function hashUnit(ix: number, iy: number, seed: number): number {
  let h = Math.imul(ix, 0x27d4eb2d) ^ Math.imul(iy, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Value noise on the unit lattice with quintic interpolation, -1 to 1, twice differentiable. */
export function noise(x: number, y: number, seed: number): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  const a = hashUnit(ix, iy, seed);
  const b = hashUnit(ix + 1, iy, seed);
  const c = hashUnit(ix, iy + 1, seed);
  const d = hashUnit(ix + 1, iy + 1, seed);
  const top = a + (b - a) * u;
  return 2 * (top + (c + (d - c) * u - top) * v) - 1;
}

/** Fractal sum of `octaves` noises, each twice as fine and half as strong; about -1 to 1. */
export function fractalNoise(x: number, y: number, octaves: number, seed: number): number {
  let sum = 0;
  let strength = 1;
  let total = 0;
  let px = x;
  let py = y;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += strength * noise(px, py, seed + octave * 101);
    total += strength;
    strength *= 0.5;
    // The rotation keeps the lattices of the octaves from lining up, which would show as a grid.
    const turned = 1.6 * px - 1.2 * py + 17.3;
    py = 1.2 * px + 1.6 * py + 5.9;
    px = turned;
  }
  return sum / total;
}

/** 0 below `from`, 1 above `to`, smooth between; `from` below `to`. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
