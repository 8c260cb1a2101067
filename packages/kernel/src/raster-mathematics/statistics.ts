import type { BandStatistics, DataType } from "../scenes/stored-raster.ts";
import { addToSample, createSample, nearestRank, SAMPLE_CAPACITY, samplePercentiles } from "./sketch.ts";
import type { Pixels } from "./sketch.ts";

/**
 * Collects the statistics of one band from blocks of pixels in any order.
 *
 * Types of up to 16 bits are counted in a histogram with a bin per value, so that all figures are exact. Wider types
 * get exact count, minimum, maximum, mean and standard deviation, and percentiles from a bounded sample
 * (see `sketch.ts` for its error).
 */
export interface StatisticsCollector {
  /** Adds pixels `[start, end)`; those where `valid` is 0 are left out. NaN is never counted. */
  add(pixels: Pixels, start: number, end: number, valid: Uint8Array | null): void;
  finish(): BandStatistics;
}

const FRACTIONS = [0.005, 0.05, 0.5, 0.95, 0.995] as const;

const EMPTY: BandStatistics = {
  validPixels: 0,
  min: 0,
  max: 0,
  mean: 0,
  std: 0,
  p005: 0,
  p05: 0,
  p50: 0,
  p95: 0,
  p995: 0,
};

/** Types with a histogram bin per value. */
const HISTOGRAM_RANGE: Readonly<Partial<Record<DataType, { readonly bins: number; readonly lowest: number }>>> = {
  uint8: { bins: 256, lowest: 0 },
  int8: { bins: 256, lowest: -128 },
  uint16: { bins: 65_536, lowest: 0 },
  int16: { bins: 65_536, lowest: -32_768 },
};

/**
 * A collector for bands of a data type.
 *
 * @param nodata pixel value that is never counted; null when there is none
 * @param sampleCapacity bound of the percentile sample of types wider than 16 bits
 */
export function createStatistics(
  dataType: DataType,
  nodata: number | null,
  sampleCapacity: number = SAMPLE_CAPACITY,
): StatisticsCollector {
  const range = HISTOGRAM_RANGE[dataType];
  if (range === undefined) return sampledStatistics(nodata, sampleCapacity);
  return histogramStatistics(range.bins, range.lowest, nodata);
}

function histogramStatistics(bins: number, lowest: number, nodata: number | null): StatisticsCollector {
  const counts = new Float64Array(bins);
  // 32-bit counters are twice as fast as doubles; they are moved over before any of them can overflow.
  const recent = new Uint32Array(bins);
  let pending = 0;
  const settle = (): void => {
    for (let i = 0; i < bins; i++) counts[i] = counts[i]! + recent[i]!;
    recent.fill(0);
    pending = 0;
  };
  return {
    add(pixels, start, end, valid) {
      if (pending + (end - start) > 0xffff_ffff) settle();
      pending += end - start;
      if (valid === null) {
        for (let i = start; i < end; i++) recent[pixels[i]! - lowest]!++;
      } else {
        for (let i = start; i < end; i++) if (valid[i] !== 0) recent[pixels[i]! - lowest]!++;
      }
    },
    finish() {
      settle();
      if (nodata !== null && nodata - lowest >= 0 && nodata - lowest < bins) counts[nodata - lowest] = 0;
      return histogramFigures(counts, lowest);
    },
  };
}

function histogramFigures(counts: Float64Array, lowest: number): BandStatistics {
  let total = 0;
  let sum = 0;
  let min = -1;
  let max = -1;
  for (let bin = 0; bin < counts.length; bin++) {
    const count = counts[bin]!;
    if (count === 0) continue;
    if (min < 0) min = bin;
    max = bin;
    total += count;
    sum += count * (bin + lowest);
  }
  if (total === 0) return EMPTY;
  const mean = sum / total;
  let squares = 0;
  for (let bin = min; bin <= max; bin++) squares += counts[bin]! * (bin + lowest - mean) ** 2;
  const percentiles: number[] = [];
  let bin = min;
  let below = counts[min]!;
  for (const fraction of FRACTIONS) {
    const rank = nearestRank(fraction, total);
    while (below <= rank) below += counts[++bin]!;
    percentiles.push(bin + lowest);
  }
  return figures(total, min + lowest, max + lowest, mean, Math.sqrt(squares / total), percentiles);
}

function sampledStatistics(nodata: number | null, capacity: number): StatisticsCollector {
  const sample = createSample(capacity);
  // Sums are taken around the first value: raw squares of large, nearly equal numbers would cancel.
  let shift = Number.NaN;
  let total = 0;
  let sum = 0;
  let squares = 0;
  let min = Infinity;
  let max = -Infinity;
  return {
    add(pixels, start, end, valid) {
      let blockSum = 0;
      let blockSquares = 0;
      for (let i = start; i < end; i++) {
        const value = pixels[i]!;
        if ((valid !== null && valid[i] === 0) || value === nodata || !Number.isFinite(value)) continue;
        if (total === 0) shift = value;
        total++;
        const difference = value - shift;
        blockSum += difference;
        blockSquares += difference * difference;
        if (value < min) min = value;
        if (value > max) max = value;
        addToSample(sample, value);
      }
      sum += blockSum;
      squares += blockSquares;
    },
    finish() {
      if (total === 0) return EMPTY;
      const mean = sum / total;
      const variance = Math.max(squares / total - mean * mean, 0);
      return figures(total, min, max, mean + shift, Math.sqrt(variance), samplePercentiles(sample, FRACTIONS));
    },
  };
}

function figures(
  validPixels: number,
  min: number,
  max: number,
  mean: number,
  std: number,
  percentiles: readonly number[],
): BandStatistics {
  const [p005 = min, p05 = min, p50 = min, p95 = max, p995 = max] = percentiles;
  return { validPixels, min, max, mean, std, p005, p05, p50, p95, p995 };
}
