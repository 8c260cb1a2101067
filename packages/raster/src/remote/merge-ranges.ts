/** Bytes `[start, end)` of a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface MergeLimits {
  /** Bytes between two ranges that are fetched along rather than asked around. */
  readonly maxGap: number;
  /** Longest merged range; a single range that is longer stays whole. */
  readonly maxLength: number;
}

/**
 * Gap: bytes that a round trip of 30 ms transfers at about 100 Mbit/s. Length: a bound of memory and repeated bytes.
 */
export const REMOTE_MERGE: MergeLimits = { maxGap: 256 * 1024, maxLength: 4 * 1024 * 1024 };

/** The fewest requests for the ranges: those near each other as one, in order of the file. Overlaps are united. */
export function mergeRanges(ranges: readonly ByteRange[], limits: MergeLimits): readonly ByteRange[] {
  const merged: { start: number; end: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1);
    const end = Math.max(last?.end ?? 0, range.end);
    if (last !== undefined && range.end <= last.end) continue;
    const overlaps = last !== undefined && range.start < last.end;
    if (
      last !== undefined &&
      (overlaps || (range.start - last.end <= limits.maxGap && end - last.start <= limits.maxLength))
    )
      last.end = end;
    else merged.push({ start: range.start, end: range.end });
  }
  return merged;
}
