import { timeMs } from "../format/dates.ts";
import { seriesText } from "./series-text.ts";

/** The members of a row of statistics that a series draws. */
export interface SeriesRow {
  readonly sceneId: string;
  readonly datetime: string;
  readonly layer: string;
  readonly count: number;
  readonly clearShare: number | null;
  readonly mean: number | null;
  readonly percentiles: Readonly<Record<string, number | null>> | null;
  readonly classes: Readonly<Record<string, { readonly share: number }>> | null;
}

/** A drawn value of the rows: the mean of a layer, or the share of a class. */
export interface Measure {
  readonly layer: string;
  readonly className: string | null;
}

export interface SeriesPoint {
  readonly sceneId: string;
  readonly datetime: string;
  /** Null where no pixel counts. */
  readonly value: number | null;
  /** A quarter of the pixels is below; null of shares. */
  readonly low: number | null;
  readonly high: number | null;
  readonly clearShare: number | null;
  /** Most pixels are under clouds: the point is no part of the line. */
  readonly isCloudy: boolean;
}

const LEAST_CLEAR_SHARE = 0.5;
const MAX_MEASURES = 50;

/** Everything that can be drawn of the rows, the first layers first. */
export function measuresOf(rows: readonly SeriesRow[]): readonly Measure[] {
  const found = new Map<string, Measure>();
  for (const { layer, classes } of rows) {
    const names = classes === null ? [null] : Object.keys(classes);
    for (const className of names) found.set(measureKey({ layer, className }), { layer, className });
  }
  return [...found.values()].slice(0, MAX_MEASURES);
}

export function measureKey({ layer, className }: Measure): string {
  return JSON.stringify([layer, className]);
}

export function measureName({ layer, className }: Measure): string {
  return className === null ? seriesText.mean(layer) : seriesText.share(className, layer);
}

/** The points of a measure, the oldest first. */
export function pointsOf(rows: readonly SeriesRow[], { layer, className }: Measure): readonly SeriesPoint[] {
  return rows
    .filter((row) => row.layer === layer)
    .map((row): SeriesPoint => {
      const { sceneId, datetime, clearShare, mean, percentiles, count } = row;
      const isShare = className !== null;
      const share = count === 0 ? null : (row.classes?.[className ?? ""]?.share ?? 0);
      return {
        sceneId,
        datetime,
        value: isShare ? share : mean,
        low: isShare ? null : (percentiles?.["p25"] ?? null),
        high: isShare ? null : (percentiles?.["p75"] ?? null),
        clearShare,
        isCloudy: clearShare !== null && clearShare < LEAST_CLEAR_SHARE,
      };
    })
    .toSorted((a, b) => timeMs(a.datetime) - timeMs(b.datetime));
}
