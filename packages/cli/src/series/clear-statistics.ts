import type { MapPixels } from "./map-pixels.ts";

/** Statistics of the values of a map where the sky is clear. */
export interface ClearStatistics {
  /** Pixels with a value where the sky is clear. */
  readonly count: number;
  /** Share of the pixels with a value where the sky is clear; null without a mask of clouds. */
  readonly clearShare: number | null;
  /** Null without a clear pixel, as the others. */
  readonly mean: number | null;
  /** Of the population. */
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** Value of clear pixels in the map type clouds. */
const CLEAR = 1;

/**
 * Mean, deviation and range of a map.
 *
 * @param clouds of the same scene, in the same CRS; its pixels may be of another size. Null: all pixels count
 */
export function clearStatistics(map: MapPixels, clouds: MapPixels | null): ClearStatistics {
  const isClear = clouds === null ? () => true : clearAt(map, clouds);
  let [known, count, mean, squares] = [0, 0, 0, 0];
  let [min, max] = [Infinity, -Infinity];
  for (const [i, value] of map.values.entries()) {
    if (Number.isNaN(value)) continue;
    known++;
    if (!isClear(i)) continue;
    // Welford's recurrence: sums of squares of values near each other would lose their digits.
    count++;
    const before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const clearShare = clouds === null || known === 0 ? null : count / known;
  return count === 0
    ? { count, clearShare, mean: null, std: null, min: null, max: null }
    : { count, clearShare, mean, std: Math.sqrt(squares / count), min, max };
}

/** Whether the sky is clear over the middle of a pixel. */
function clearAt(map: MapPixels, clouds: MapPixels): (pixel: number) => boolean {
  const columns = Int32Array.from({ length: map.widthPx }, (_, column) =>
    Math.floor((map.originX + (column + 0.5) * map.pixelX - clouds.originX) / clouds.pixelX),
  );
  const rows = Int32Array.from({ length: map.heightPx }, (_, row) =>
    Math.floor((map.originY + (row + 0.5) * map.pixelY - clouds.originY) / clouds.pixelY),
  );
  return (pixel) => {
    const x = columns[pixel % map.widthPx]!;
    const y = rows[Math.floor(pixel / map.widthPx)]!;
    if (x < 0 || y < 0 || x >= clouds.widthPx || y >= clouds.heightPx) return false;
    return clouds.values[y * clouds.widthPx + x] === CLEAR;
  };
}
