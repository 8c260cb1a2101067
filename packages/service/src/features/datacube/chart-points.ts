import { seriesSvg, type SeriesPoint } from "@swath/kernel/charts/series-svg";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { parseInstant } from "@swath/kernel/time/instant";
import type { Datapoint } from "@swath/contract/features/datacube/points-contract";

/** There are as many colours. */
const MAX_LINES = 5;
/** Drawing takes a few milliseconds. */
const MAX_POINTS = 2000;
/** A longer time without a value, in medians of the time between values, interrupts a line. */
const GAP_MEDIANS = 3;

/**
 * A chart of datapoints over their start: a line for each area and series; null without a datapoint.
 *
 * @throws {ServiceError} VALIDATION-ERROR for too many lines or datapoints
 */
export function chartPoints(points: readonly Datapoint[]): string | null {
  if (points.length > MAX_POINTS)
    refuse(`${points.length} datapoints, expected at most ${MAX_POINTS}: take a lower limit`);
  const lines = Map.groupBy(points, ({ aoiId, algorithm, source }) => `${aoiId ?? "all"} ${algorithm} ${source}`);
  if (lines.size > MAX_LINES) {
    refuse(`${lines.size} lines of areas and series, expected at most ${MAX_LINES}: name aoiIds and algorithms`);
  }
  const [first] = points;
  if (first === undefined) return null;
  const drawn = [...lines].map(([name, own]) => ({
    name: lines.size === 1 ? first.algorithm : name,
    points: withGaps(own),
  }));
  const title = lines.size === 1 ? `${first.aoiId ?? "all"} ${first.algorithm} ${first.source}` : first.project;
  const units = new Set(points.map(({ unit }) => unit).filter((unit) => unit !== ""));
  return seriesSvg(drawn, { title, caption: ["date, UTC", ...units].join("; ") });
}

function withGaps(points: readonly Datapoint[]): readonly SeriesPoint[] {
  const sorted = points
    .map(({ startDatetime, value }) => ({ timeMs: parseInstant(startDatetime) ?? 0, value }))
    .toSorted((a, b) => a.timeMs - b.timeMs);
  const steps = sorted.slice(1).map(({ timeMs }, i) => timeMs - sorted[i]!.timeMs);
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return sorted.flatMap((point, i) => {
    const step = i === 0 ? 0 : steps[i - 1]!;
    const isGap = step > GAP_MEDIANS * median;
    return isGap ? [{ timeMs: point.timeMs - step / 2, value: null }, point] : [point];
  });
}

function refuse(got: string): never {
  const message = `format svg has ${got}`;
  throw new ServiceError("VALIDATION-ERROR", message, { details: [{ path: "/format", message }] });
}
