import type { Merge } from "./classes.ts";
import { overUnits, truePixels, type Confusion } from "./confusion.ts";
import type { Bar, Figure } from "./figure.ts";

export const COVER = ["water", "urban", "nonurban", "clouds"] as const;
/** Labels of settlements hold their roads. */
export const withRoads: Merge = (name) => (name === "roads" ? "urban" : name);
export const itself: Merge = (name) => name;

export interface Measure {
  readonly metric: string;
  readonly of: (confusion: Confusion) => number;
  readonly bar: Bar | null;
  /** Class that must be there for the measure to mean anything. */
  readonly needs?: string;
}

export const atLeast = (value: number): Bar => ({ kind: "at-least", value });

export function figuresOf(
  like: Pick<Figure, "mapType" | "page" | "data">,
  units: readonly Confusion[],
  over: string,
  measures: readonly Measure[],
): readonly Figure[] {
  return measures.flatMap(({ metric, of, bar, needs }): Figure[] => {
    if (needs !== undefined && units.reduce((sum, unit) => sum + truePixels(unit, needs), 0) < MIN_TRUE_PIXELS)
      return [];
    const { value, interval } = overUnits(units, of);
    return Number.isFinite(value) ? [{ ...like, metric, value, interval, bar, over }] : [];
  });
}

/** Fewer tell nothing. */
const MIN_TRUE_PIXELS = 100;

export const onlyWater: Merge = (name) => (name === "water" ? "water" : name === "clouds" ? null : "other");
