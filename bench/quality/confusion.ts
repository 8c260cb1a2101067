import { unitInterval, type Interval } from "./interval.ts";

/** Counts of pixels by true and found class, `truth * classes + found`. */
export interface Confusion {
  readonly names: readonly string[];
  readonly counts: Float64Array;
}

export function emptyConfusion(names: readonly string[]): Confusion {
  return { names, counts: new Float64Array(names.length * names.length) };
}

export function joined(parts: readonly Confusion[]): Confusion {
  const names = parts[0]?.names ?? [];
  const sum = emptyConfusion(names);
  for (const { counts } of parts) counts.forEach((count, i) => (sum.counts[i]! += count));
  return sum;
}

/** Share of pixels whose class is right. */
export function overallAccuracy({ names, counts }: Confusion): number {
  let right = 0;
  for (let i = 0; i < names.length; i += 1) right += counts[i * names.length + i]!;
  return right / counts.reduce((sum, count) => sum + count, 0);
}

function partsOf({ names, counts }: Confusion, name: string): { hit: number; truth: number; found: number } {
  const n = names.length;
  const at = names.indexOf(name);
  let truth = 0;
  let found = 0;
  for (let i = 0; i < n; i += 1) {
    truth += counts[at * n + i]!;
    found += counts[i * n + at]!;
  }
  return { hit: counts[at * n + at]!, truth, found };
}

/** Intersection over union of a class. */
export function iou(confusion: Confusion, name: string): number {
  const { hit, truth, found } = partsOf(confusion, name);
  return hit / (truth + found - hit);
}

export function f1(confusion: Confusion, name: string): number {
  const { hit, truth, found } = partsOf(confusion, name);
  return (2 * hit) / (truth + found);
}

export function truePixels(confusion: Confusion, name: string): number {
  return partsOf(confusion, name).truth;
}

/** A statistic of all units together, with the interval that they give when drawn anew. */
export function overUnits(
  units: readonly Confusion[],
  statistic: (confusion: Confusion) => number,
): { readonly value: number; readonly interval: Interval | null } {
  return {
    value: statistic(joined(units)),
    interval: unitInterval(units, (resample) => statistic(joined(resample))),
  };
}

export interface Labelled {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Position in `names` of the true class, -1 where there is no truth. */
  readonly truthAt: (pixel: number) => number;
  /** Position in `names` of the found class, -1 where there is no result. */
  readonly foundAt: (pixel: number) => number;
}

/** Confusions of squares of pixels: the units of one scene. */
export function blockConfusions(names: readonly string[], labelled: Labelled, sidePx: number): readonly Confusion[] {
  const { widthPx, heightPx, truthAt, foundAt } = labelled;
  const blocks: Confusion[] = [];
  for (let top = 0; top < heightPx; top += sidePx) {
    for (let left = 0; left < widthPx; left += sidePx) {
      const confusion = emptyConfusion(names);
      let any = false;
      for (let row = top; row < Math.min(top + sidePx, heightPx); row += 1) {
        for (let column = left; column < Math.min(left + sidePx, widthPx); column += 1) {
          const pixel = row * widthPx + column;
          const truth = truthAt(pixel);
          const found = foundAt(pixel);
          if (truth < 0 || found < 0) continue;
          confusion.counts[truth * names.length + found]! += 1;
          any = true;
        }
      }
      if (any) blocks.push(confusion);
    }
  }
  return blocks;
}
