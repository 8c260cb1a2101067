import { stringify } from "csv-stringify/sync";
import type { ReportChart } from "./report-content.ts";

/** The numbers of a chart as CSV (RFC 4180): a row for each date, a column for each line, nothing where it has none. */
export function chartCsv({ series }: Pick<ReportChart, "series">): string {
  const dates = [...new Set(series.flatMap(({ points }) => points.map(({ date }) => date)))].toSorted();
  const columns = series.map(({ points }) => new Map(points.map(({ date, value }) => [date, value])));
  const rows = dates.map((date) => [date, ...columns.map((values) => values.get(date) ?? "")]);
  return stringify([["date", ...series.map(({ name }) => name)], ...rows], { record_delimiter: "windows" });
}
