import type { Datapoint } from "@swath/contract/features/datacube/points-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { parseInstant } from "@swath/kernel/time/instant";

/** Charts have as many colours. */
const MAX_LINES = 5;
/** Drawing takes a few milliseconds. */
export const MAX_CHART_POINTS = 2000;
/** A longer time without a value, in medians of the time between values, interrupts a line. */
const GAP_MEDIANS = 3;

/** The datapoints of an area and a series, in ascending time. */
export interface PointLine {
  readonly name: string;
  readonly points: readonly LinePoint[];
}

interface LinePoint {
  readonly startDatetime: string;
  readonly timeMs: number;
  readonly value: number;
  /** The line is interrupted before this point. */
  readonly isAfterGap: boolean;
}

/**
 * A line for each area and series.
 *
 * @param path the member of the request that the chart comes from
 * @throws {ServiceError} VALIDATION-ERROR for too many lines or datapoints
 */
export function pointLines(points: readonly Datapoint[], path: string): readonly PointLine[] {
  if (points.length > MAX_CHART_POINTS) {
    refuse(path, `${points.length} datapoints, expected at most ${MAX_CHART_POINTS}: take a lower limit`);
  }
  const lines = Map.groupBy(points, ({ aoiId, algorithm, source }) => `${aoiId ?? "all"} ${algorithm} ${source}`);
  if (lines.size > MAX_LINES) {
    refuse(path, `${lines.size} lines of areas and series, expected at most ${MAX_LINES}: name aoiIds and algorithms`);
  }
  return Array.from(lines, ([name, own]) => ({ name, points: withGaps(own) }));
}

function withGaps(points: readonly Datapoint[]): readonly LinePoint[] {
  const sorted = points
    .map((point) => ({
      point,
      timeMs: parseInstant(point.startDatetime) ?? 0,
      endMs: parseInstant(point.endDatetime) ?? 0,
    }))
    .toSorted((a, b) => a.timeMs - b.timeMs);
  const steps = sorted.slice(1).map(({ timeMs }, i) => timeMs - sorted[i]!.timeMs);
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return sorted.map(({ point, timeMs }, i) => {
    const before = sorted[i - 1];
    const { startDatetime, value, version } = point;
    // Intervals of an aggregate adjoin each other, unless one has no value.
    const isAfterGap =
      before !== undefined &&
      (version === null ? timeMs > before.endMs : timeMs - before.timeMs > GAP_MEDIANS * median);
    return { startDatetime, timeMs, value, isAfterGap };
  });
}

function refuse(path: string, got: string): never {
  const message = `has a chart of ${got}`;
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}
