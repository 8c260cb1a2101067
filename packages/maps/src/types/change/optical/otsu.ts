const BINS = 256;

/**
 * The value that parts a histogram of 256 bins so that the two sides differ most (Otsu 1979).
 *
 * @param values at least 0; NaN is left out
 * @returns 0 when there is no contrast
 */
export function otsuThreshold(values: ArrayLike<number>): number {
  let highest = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > highest) highest = values[i]!;
  if (!(highest > 0)) return 0;
  const histogram = new Float64Array(BINS);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!(value >= 0)) continue;
    histogram[Math.min(BINS - 1, Math.floor((value / highest) * BINS))]!++;
    count++;
  }
  let total = 0;
  for (let bin = 0; bin < BINS; bin++) total += histogram[bin]! * bin;
  let [below, belowSum, best, threshold] = [0, 0, -1, 0];
  for (let bin = 0; bin < BINS - 1; bin++) {
    below += histogram[bin]!;
    belowSum += histogram[bin]! * bin;
    const above = count - below;
    if (below === 0 || above === 0) continue;
    const between = below * above * (belowSum / below - (total - belowSum) / above) ** 2;
    if (between > best) {
      best = between;
      threshold = ((bin + 1) / BINS) * highest;
    }
  }
  return threshold;
}
