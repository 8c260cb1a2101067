/** Counts of values in equal bins of a range. */
export interface Histogram {
  readonly low: number;
  readonly high: number;
  readonly counts: Float64Array;
}

/** A threshold between two groups of values, and how far apart they are. */
export interface Split {
  /** Upper edge of the last bin of the lower group. */
  readonly threshold: number;
  readonly lowerMean: number;
  readonly upperMean: number;
  /** Share of the values that lie in the lower group. */
  readonly lowerShare: number;
  /** Standard deviation within the groups, both together. */
  readonly spread: number;
  /**
   * `sqrt(2) |m1 - m2| / sqrt(s1^2 + s2^2)` (Ashman et al. 1994). A single normal distribution cut in the middle has 2.65,
   * so 2 alone proves nothing.
   */
  readonly ashmanD: number;
  /** How far the smoothed counts sink between the peaks of the groups, as a share of the lower peak. */
  readonly valleyDepth: number;
}

const BINS = 256;
/** Bins to each side over which counts are averaged before peaks are looked for: noise has valleys too. */
const SMOOTHING = 4;

/** Equal bins over `[low, high]`, none of them counted in. */
export function emptyHistogram(low: number, high: number, bins = BINS): Histogram {
  return { low, high, counts: new Float64Array(bins) };
}

/** Counts finite values inside the range. */
export function addToHistogram({ low, high, counts }: Histogram, value: number): void {
  if (!(value >= low && value <= high)) return;
  const bin = Math.floor(((value - low) / (high - low)) * counts.length);
  counts[Math.min(bin, counts.length - 1)]!++;
}

/**
 * The split with the greatest variance between the groups (Otsu 1979), or null with less than two occupied bins. Of equal
 * ones, as in gaps between groups, the middle.
 */
export function otsuSplit({ low, high, counts }: Histogram): Split | null {
  const bins = counts.length;
  const width = (high - low) / bins;
  let total = 0;
  let sum = 0;
  for (let bin = 0; bin < bins; bin++) {
    total += counts[bin]!;
    sum += counts[bin]! * bin;
  }
  let best = 0;
  let first = -1;
  let last = -1;
  let below = 0;
  let sumBelow = 0;
  for (let bin = 0; bin < bins - 1; bin++) {
    below += counts[bin]!;
    sumBelow += counts[bin]! * bin;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const distance = sumBelow / below - (sum - sumBelow) / above;
    const between = below * above * distance * distance;
    if (between > best * (1 + 1e-12)) {
      best = between;
      first = bin;
      last = bin;
    } else if (between >= best * (1 - 1e-12)) last = bin;
  }
  if (first < 0) return null;
  const cut = Math.floor((first + last) / 2);
  const lower = momentsOf(counts, 0, cut + 1);
  const upper = momentsOf(counts, cut + 1, bins);
  // A bin is as uncertain as a uniform distribution over its width.
  const spread = Math.sqrt(lower.variance + upper.variance + 1 / 6);
  return {
    threshold: low + (cut + 1) * width,
    lowerMean: low + (lower.mean + 0.5) * width,
    upperMean: low + (upper.mean + 0.5) * width,
    lowerShare: lower.count / total,
    spread: width * Math.sqrt((lower.count * lower.variance + upper.count * upper.variance) / total + 1 / 12),
    ashmanD: (Math.SQRT2 * (upper.mean - lower.mean)) / spread,
    valleyDepth: valleyDepth(counts, cut),
  };
}

/** Whether a histogram has two groups: far apart, and fewer values between them than in either. */
export function isBimodal({ ashmanD, valleyDepth: depth }: Split): boolean {
  return ashmanD > 2 && depth > 0.1;
}

function momentsOf(
  counts: Float64Array,
  from: number,
  to: number,
): { readonly count: number; readonly mean: number; readonly variance: number } {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let bin = from; bin < to; bin++) {
    count += counts[bin]!;
    sum += counts[bin]! * bin;
    squares += counts[bin]! * bin * bin;
  }
  const mean = sum / count;
  return { count, mean, variance: Math.max(0, squares / count - mean * mean) };
}

function valleyDepth(counts: Float64Array, cut: number): number {
  const smooth = new Float64Array(counts.length);
  for (let bin = 0; bin < counts.length; bin++) {
    let sum = 0;
    for (let other = Math.max(0, bin - SMOOTHING); other <= Math.min(counts.length - 1, bin + SMOOTHING); other++) {
      sum += counts[other]!;
    }
    smooth[bin] = sum;
  }
  let left = 0;
  for (let bin = 0; bin <= cut; bin++) if (smooth[bin]! > smooth[left]!) left = bin;
  let right = cut + 1;
  for (let bin = cut + 1; bin < smooth.length; bin++) if (smooth[bin]! > smooth[right]!) right = bin;
  let valley = Number.POSITIVE_INFINITY;
  for (let bin = left; bin <= right; bin++) valley = Math.min(valley, smooth[bin]!);
  return 1 - valley / Math.min(smooth[left]!, smooth[right]!);
}
