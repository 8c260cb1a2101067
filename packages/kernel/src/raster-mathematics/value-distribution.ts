import type { PixelCoverage } from "./pixel-coverage.ts";
import { sortWeighted, type SortedValues } from "./sort-weighted.ts";

/** Distinct values in ascending order, each with the pixels that have it: pixels at an edge count by their share. */
export interface ValueDistribution {
  readonly values: Float32Array;
  readonly weights: Float64Array;
}

/** Pixels row by row; NaN is no value. */
export interface PixelValues {
  readonly values: Float32Array;
  readonly widthPx: number;
  /** 0 where a pixel has no value; null: every pixel that is not NaN has one. */
  readonly valid: Uint8Array | null;
}

/**
 * The values under a polygon.
 *
 * @param coverage on the grid of the pixels
 * @param rowWeights what a whole pixel of each row counts, its area for example; null: 1
 */
export function valueDistribution(
  coverage: PixelCoverage,
  pixels: PixelValues,
  rowWeights: Float64Array | null = null,
): ValueDistribution {
  const { rows, starts, ends, shares } = coverage;
  const { values, valid, widthPx } = pixels;
  let covered = 0;
  for (let run = 0; run < rows.length; run++) covered += ends[run]! - starts[run]!;
  const kept = new Float32Array(covered);
  const weights = new Float64Array(covered);
  let count = 0;
  for (let run = 0; run < rows.length; run++) {
    const row = rows[run]!;
    const weight = rowWeights === null ? shares[run]! : shares[run]! * rowWeights[row]!;
    const end = row * widthPx + ends[run]!;
    for (let i = row * widthPx + starts[run]!; i < end; i++) {
      const value = values[i]!;
      if (Number.isNaN(value) || (valid !== null && valid[i] === 0)) continue;
      kept[count] = value;
      weights[count++] = weight;
    }
  }
  return distinct(sortWeighted(kept.subarray(0, count), weights.subarray(0, count)));
}

/** Weight of the pixels of a polygon that have a value. */
export function valuedWeight({ rows, starts, ends, shares }: PixelCoverage, pixels: PixelValues): number {
  const { values, valid, widthPx } = pixels;
  let weight = 0;
  for (let run = 0; run < rows.length; run++) {
    let count = 0;
    const end = rows[run]! * widthPx + ends[run]!;
    for (let i = rows[run]! * widthPx + starts[run]!; i < end; i++) {
      if (!Number.isNaN(values[i]!) && (valid === null || valid[i] !== 0)) count++;
    }
    weight += count * shares[run]!;
  }
  return weight;
}

/** Equal values become one, in place. */
function distinct({ values, weights }: SortedValues): ValueDistribution {
  let last = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (last >= 0 && values[last] === value) weights[last]! += weights[i]!;
    else {
      values[++last] = value;
      weights[last] = weights[i]!;
    }
  }
  return { values: values.slice(0, last + 1), weights: weights.slice(0, last + 1) };
}
