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

/** 0 below `from`, 1 above `to`, smooth between; `from` below `to`. */
export function smoothStep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}
