import { stringify } from "csv-stringify/sync";
import type { Datapoint } from "@swath/contract/features/datacube/points-contract";

/** Columns of a file of datapoints. */
const DATAPOINT_COLUMNS = [
  "project",
  "algorithm",
  "source",
  "aoiId",
  "startDatetime",
  "endDatetime",
  "version",
  "firstSeen",
  "value",
  "unit",
  "confidence",
  "cloudCover",
  "sceneId",
  "mapId",
  "count",
] as const satisfies readonly (keyof Datapoint)[];

export const CSV_HEADER = lines([DATAPOINT_COLUMNS]);

/** A line for each datapoint. Texts that a spreadsheet would run as formulas are escaped. */
export function csvLines(points: readonly Datapoint[]): string {
  return lines(points.map((point) => DATAPOINT_COLUMNS.map((column) => point[column] ?? null)));
}

function lines(records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { record_delimiter: "\r\n", escape_formulas: true },
  );
}
