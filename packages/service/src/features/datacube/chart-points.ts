import { seriesSvg } from "@swath/kernel/charts/series-svg";
import type { Datapoint } from "@swath/contract/features/datacube/points-contract";
import { pointLines } from "./point-lines.ts";

/**
 * A chart of datapoints over their start: a line for each area and series; null without a datapoint.
 *
 * @throws {ServiceError} VALIDATION-ERROR for too many lines or datapoints
 */
export function chartPoints(points: readonly Datapoint[]): string | null {
  const lines = pointLines(points, "/format");
  const [first] = points;
  if (first === undefined) return null;
  const isAlone = lines.length === 1;
  const drawn = lines.map((line) => ({ ...line, name: isAlone ? first.algorithm : line.name }));
  const title = isAlone ? `${first.aoiId ?? "all"} ${first.algorithm} ${first.source}` : first.project;
  const units = new Set(points.map(({ unit }) => unit).filter((unit) => unit !== ""));
  return seriesSvg(drawn, { title, caption: ["date, UTC", ...units].join("; ") });
}
