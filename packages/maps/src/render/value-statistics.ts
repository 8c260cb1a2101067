/** Statistics of values, all null when there are none. */
export interface ValueStatistics {
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly std: number | null;
  readonly p05: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** Values that are not NaN where `mask` is not 0. */
export function knownValues(values: Float32Array, mask: Uint8Array): Float32Array {
  const kept = new Float32Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (mask[i] !== 0 && !Number.isNaN(value)) kept[count++] = value;
  }
  return kept.subarray(0, count);
}

/** Statistics of values, of several bands for example, without NaN. */
export function valueStatistics(...parts: readonly Float32Array[]): ValueStatistics {
  const count = parts.reduce((total, { length }) => total + length, 0);
  if (count === 0) return { min: null, max: null, mean: null, std: null, p05: null, p50: null, p95: null };
  let [sum, min, max] = [0, Infinity, -Infinity];
  for (const values of parts) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  const mean = sum / count;
  let squares = 0;
  for (const values of parts) {
    for (let i = 0; i < values.length; i++) squares += (values[i]! - mean) * (values[i]! - mean);
  }
  const [p05, p50, p95] = quantiles([0.05, 0.5, 0.95], ...parts);
  return {
    min: rounded(min),
    max: rounded(max),
    mean: rounded(mean),
    std: rounded(Math.sqrt(squares / count)),
    p05: rounded(p05!),
    p50: rounded(p50!),
    p95: rounded(p95!),
  };
}

const HALF_BITS = 16;
const HALF = 1 << HALF_BITS;
const SIGN = 0x8000_0000;

/** Bits of floats sort like whole numbers once the sign is turned over, and all bits of negative ones. */
const keyOf = (bits: number): number => (bits >= SIGN ? ~bits : bits ^ SIGN) >>> 0;

/**
 * Order statistics of all values of some arrays, which hold at least one and no NaN: the value below which `share` of
 * them lie. Counts the upper halves of their bits, then the lower ones where a share falls: a quarter of a million
 * values take a tenth of the time of sorting them.
 */
export function quantiles(shares: readonly number[], ...parts: readonly Float32Array[]): readonly number[] {
  const count = parts.reduce((total, { length }) => total + length, 0);
  const allBits = parts.map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  const upper = new Uint32Array(HALF);
  for (const bits of allBits) for (let i = 0; i < bits.length; i++) upper[keyOf(bits[i]!) >>> HALF_BITS]!++;
  const places = shares.map((share) => placeOf(upper, Math.min(count - 1, Math.floor(share * count))));
  const lower = new Map(places.map(({ bin }) => [bin, new Uint32Array(HALF)]));
  const isWanted = Uint8Array.from(upper, (_, bin) => Number(lower.has(bin)));
  for (const bits of allBits) {
    for (let i = 0; i < bits.length; i++) {
      const key = keyOf(bits[i]!);
      const bin = key >>> HALF_BITS;
      if (isWanted[bin] !== 0) lower.get(bin)![key & (HALF - 1)]!++;
    }
  }
  return places.map(({ bin, rank }) => {
    const key = bin * HALF + placeOf(lower.get(bin)!, rank).bin;
    return new Float32Array(Uint32Array.of(key >= SIGN ? key ^ SIGN : ~key).buffer)[0]!;
  });
}

/** The bin that a rank falls into, and its rank there. */
function placeOf(counts: Uint32Array, rank: number): { readonly bin: number; readonly rank: number } {
  let bin = 0;
  for (; rank >= counts[bin]!; bin++) rank -= counts[bin]!;
  return { bin, rank };
}

export interface Histogram {
  readonly min: number;
  readonly max: number;
  /** Values outside are counted in the first and last bin. */
  readonly counts: readonly number[];
}

export function histogramOf(values: Float32Array, min: number, max: number, bins: number): Histogram {
  const counts = new Uint32Array(bins);
  for (let i = 0; i < values.length; i++) {
    const bin = Math.floor(((values[i]! - min) / (max - min)) * bins);
    counts[Math.min(Math.max(bin, 0), bins - 1)]!++;
  }
  return { min, max, counts: [...counts] };
}

/** Float32 carries seven digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

/** How many bytes are not 0. */
export function countSet(mask: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) count++;
  return count;
}

/** Six decimals; 0 of nothing. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(6));
}
