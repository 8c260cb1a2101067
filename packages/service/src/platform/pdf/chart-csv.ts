import { stringify } from "csv-stringify/sync";
import { chartRows } from "./chart-rows.ts";
import type { ReportChart } from "./report-content.ts";

/** The numbers of a chart as CSV (RFC 4180): a row for each date, a column for each line, nothing where it has none. */
export function chartCsv(chart: Pick<ReportChart, "series">): string {
  const rows = chartRows(chart).map(({ date, values }) => [date, ...values]);
  return stringify([["date", ...chart.series.map(({ name }) => name)], ...rows], { record_delimiter: "windows" });
}
