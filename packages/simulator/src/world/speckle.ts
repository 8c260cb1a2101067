/** Steps of the tables of quantiles. */
const STEPS = 1024;

const tables = new Map<number, Float32Array>();

/**
 * Quantiles of the gamma distribution with mean 1 and a number of looks, at the middles of equal steps of probability.
 * They are scaled so that the mean of the table is exactly 1.
 */
export function speckleQuantiles(looks: number): Float32Array {
  const known = tables.get(looks);
  if (known !== undefined) return known;
  const table = new Float32Array(STEPS);
  // Integrates the density on a fine grid of the square root of intensity, which resolves the steep start.
  const fine = 40_000;
  const top = 1 + 14 / Math.sqrt(looks) + 12 / looks;
  const width = Math.sqrt(top) / fine;
  const weights = new Float64Array(fine);
  let total = 0;
  for (let i = 0; i < fine; i += 1) {
    const root = (i + 0.5) * width;
    const value = root * root;
    const weight = Math.exp(looks * (1 - value) + (looks - 1) * Math.log(value)) * root;
    weights[i] = weight;
    total += weight;
  }
  let step = 0;
  let below = 0;
  let stepWeight = 0;
  let stepSum = 0;
  for (let i = 0; i < fine && step < STEPS; i += 1) {
    const root = (i + 0.5) * width;
    below += weights[i]!;
    stepWeight += weights[i]!;
    stepSum += weights[i]! * root * root;
    if (below >= ((step + 1) / STEPS) * total) {
      // The mean of the step keeps the mean of the whole; many steps may end in one cell of the grid.
      table[step] = stepSum / stepWeight;
      step += 1;
      stepWeight = 0;
      stepSum = 0;
      while (step < STEPS && below >= ((step + 1) / STEPS) * total) {
        table[step] = table[step - 1]!;
        step += 1;
      }
    }
  }
  for (; step < STEPS; step += 1) table[step] = stepWeight > 0 ? stepSum / stepWeight : (table[step - 1] ?? 1);
  let mean = 0;
  for (const value of table) mean += value / STEPS;
  for (let i = 0; i < STEPS; i += 1) table[i]! /= mean;
  tables.set(looks, table);
  return table;
}

/** Speckle of a uniform number from 0 to 1. */
export function speckle(quantiles: Float32Array, uniform: number): number {
  return quantiles[(uniform * STEPS) | 0]!;
}

/** Equivalent number of looks of a detected radar image: many for wide swaths, one for single-look complex. */
export function looksOf(datasetType: string, pixelM: number): number {
  if (datasetType === "sar-slc") return 1;
  if (pixelM >= 20) return 12;
  if (pixelM >= 8) return 4.4;
  return pixelM >= 2 ? 2.6 : 1.6;
}
