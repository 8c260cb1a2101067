import type { ReportChart } from "./report-content.ts";

/** The values of all lines at a date, null where a line has none. */
export interface ChartRow {
  readonly date: string;
  readonly values: readonly (number | null)[];
}

/** The numbers of a chart by date. A line with several values of a date has a row for each. */
export function chartRows({ series }: Pick<ReportChart, "series">): readonly ChartRow[] {
  const columns = series.map(({ points }) => Map.groupBy(points, ({ date }) => date));
  const dates = [...new Set(columns.flatMap((column) => [...column.keys()]))].toSorted();
  return dates.flatMap((date) => {
    const cells = columns.map((column) => column.get(date) ?? []);
    const rows = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: rows }, (_, i) => ({ date, values: cells.map((cell) => cell[i]?.value ?? null) }));
  });
}
