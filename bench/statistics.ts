/** The value below which `share` of the sorted sample lies; linear between order statistics. */
export function quantile(sample: readonly number[], share: number): number {
  if (sample.length === 0) throw new RangeError("a quantile of an empty sample is undefined");
  const sorted = sample.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

export function mean(sample: readonly number[]): number {
  return sample.reduce((sum, value) => sum + value, 0) / sample.length;
}

export const median = (sample: readonly number[]): number => quantile(sample, 0.5);

/** Uniform numbers in [0, 1) from a 32-bit seed (mulberry32), so that every run draws the same work. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function printRatio(name: string, ratio: number, peer: string): void {
  process.stdout.write(`${name} ratio ${ratio.toFixed(2)} (against ${peer})\n`);
}

export function printP95(name: string, p95Ms: number): void {
  process.stdout.write(`${name} p95 ${p95Ms.toFixed(1)} ms\n`);
}
