import { formatTable } from "../output.ts";
import type { ClearStatistics } from "./clear-statistics.ts";

/** A map of a series with its statistics. */
export interface SeriesRow extends ClearStatistics {
  readonly mapType: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly datetime: string;
  readonly sceneId: string;
}

const COLUMNS = ["mapType", "datetime", "sceneId", "clearShare", "count", "mean", "std", "min", "max"] as const;

/** In the order of map types and of time. */
export function sortedRows(rows: readonly SeriesRow[], mapTypes: readonly string[]): readonly SeriesRow[] {
  return rows.toSorted(
    (a, b) =>
      mapTypes.indexOf(a.mapType) - mapTypes.indexOf(b.mapType) ||
      a.datetime.localeCompare(b.datetime) ||
      a.sceneId.localeCompare(b.sceneId),
  );
}

/** RFC 4180: a row for each map; unknown numbers are empty. */
export function seriesCsv(rows: readonly SeriesRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => quoted(String(row[column] ?? ""))).join(","));
  return [COLUMNS.join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

function quoted(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cell(value: number | null): string {
  return value === null ? "-" : value.toPrecision(4);
}

/** Lines for people. */
export function seriesTable(rows: readonly SeriesRow[]): readonly string[] {
  return formatTable([
    ["date", "map type", "clear", "pixels", "mean", "std", "min", "max"],
    ...rows.map(({ datetime, mapType, clearShare, count, mean, std, min, max }) => [
      datetime,
      mapType,
      clearShare === null ? "unknown" : `${(100 * clearShare).toFixed(0)} %`,
      String(count),
      ...[mean, std, min, max].map(cell),
    ]),
  ]);
}
