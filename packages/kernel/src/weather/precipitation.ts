import type { EpochMs } from "../time/instant.ts";
import type { CellWeights } from "./cell-weights.ts";

export const HOUR_MS = 3_600_000;
/** Share of a polygon's area that must have values for a raster to count. */
const MIN_VALID_SHARE = 0.5;
/** Share of the hours that may be missing. */
const MAX_MISSING_SHARE = 0.2;

/** Rain over a polygon in the time of one raster. */
export interface RainInterval {
  /** The raster speaks about `[startMs, endMs)`. */
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Mean rate over the polygon, mm per hour; null when too few cells have a value. */
  readonly meanMmPerH: number | null;
}

/** A mean that is put together from several rasters: those either side of the antimeridian. */
export interface PartialMean {
  readonly weightedSum: number;
  readonly validKm2: number;
}

/** How the numbers of a raster are to be read: physical = scale * value + offset. */
export interface RasterValues {
  readonly values: ArrayLike<number>;
  /** Index, in the grid of the weights, of the first value; 0 when the whole grid is given. */
  readonly firstCell?: number;
  readonly nodata?: number | null;
  readonly scale?: number;
  readonly offset?: number;
}

/** Sums over a polygon of one raster, or of the rows of it that the polygon touches; NaN and nodata are left out. */
export function weightedSum({ cells, areasKm2 }: CellWeights, raster: RasterValues): PartialMean {
  const { values, firstCell = 0, nodata = null, scale = 1, offset = 0 } = raster;
  let sum = 0;
  let validKm2 = 0;
  for (let i = 0; i < cells.length; i += 1) {
    const value = values[cells[i]! - firstCell];
    if (value === undefined || value === nodata || Number.isNaN(value)) continue;
    const area = areasKm2[i]!;
    sum += area * value;
    validKm2 += area;
  }
  return { weightedSum: scale * sum + offset * validKm2, validKm2 };
}

/** The mean over the polygon, or null when less than half of its area has a value. */
export function meanOf(parts: readonly PartialMean[], totalKm2: number): number | null {
  let sum = 0;
  let validKm2 = 0;
  for (const part of parts) {
    sum += part.weightedSum;
    validKm2 += part.validKm2;
  }
  return validKm2 > 0 && validKm2 >= MIN_VALID_SHARE * totalKm2 ? sum / validKm2 : null;
}

export type Precipitation =
  | { readonly kind: "known"; readonly precipitationMm: number; readonly missingHours: number }
  /** More than a fifth of the hours have no value. */
  | { readonly kind: "missing"; readonly missingHours: number };

/**
 * Millimetres that fell in the `windowHours` hours before `endMs`: the sum of mean rate times hours in common over the
 * intervals. Hours without a value are counted as the mean of the others, up to a fifth of them.
 *
 * @param intervals in any order; of two that overlap the first one counts
 * @see domain notes, section 9
 */
export function precipitation(intervals: readonly RainInterval[], endMs: EpochMs, windowHours: number): Precipitation {
  const fromMs = endMs - windowHours * HOUR_MS;
  const valid = intervals
    .filter((interval) => interval.meanMmPerH !== null && interval.endMs > fromMs && interval.startMs < endMs)
    .toSorted((a, b) => a.startMs - b.startMs);
  let coveredMs = 0;
  let mmMs = 0;
  let reachMs = fromMs;
  for (const { startMs, endMs: stopMs, meanMmPerH } of valid) {
    const from = Math.max(startMs, reachMs);
    const to = Math.min(stopMs, endMs);
    if (to <= from) continue;
    coveredMs += to - from;
    mmMs += (to - from) * (meanMmPerH ?? 0);
    reachMs = to;
  }
  const coveredHours = coveredMs / HOUR_MS;
  const missingHours = windowHours - coveredHours;
  // A tolerance of a millisecond: exactly a fifth missing is still accepted.
  if (missingHours > MAX_MISSING_SHARE * windowHours + 1 / HOUR_MS) return { kind: "missing", missingHours };
  return { kind: "known", precipitationMm: (mmMs / HOUR_MS) * (windowHours / coveredHours), missingHours };
}
