import type { SeriesLine } from "@swath/kernel/charts/series-svg";
import { formatTable } from "../output.ts";
import type { StatisticsRow } from "./priced-statistics.ts";

/** A map of a series with its statistics. */
export type SeriesRow = Pick<
  StatisticsRow,
  "clearShare" | "count" | "datetime" | "layer" | "mapType" | "max" | "mean" | "min" | "sceneId" | "std"
>;

const COLUMNS = [
  "mapType",
  "layer",
  "datetime",
  "sceneId",
  "clearShare",
  "count",
  "mean",
  "std",
  "min",
  "max",
] as const;

/** In the order of map types and of time; layers of a map follow each other. */
export function sortedRows(rows: readonly StatisticsRow[], mapTypes: readonly string[]): readonly SeriesRow[] {
  return rows
    .map(({ mapType, layer, datetime, sceneId, clearShare, count, mean, std, min, max }) => {
      return { mapType, layer, datetime, sceneId, clearShare, count, mean, std, min, max };
    })
    .toSorted(
      (a, b) =>
        mapTypes.indexOf(a.mapType) - mapTypes.indexOf(b.mapType) ||
        a.datetime.localeCompare(b.datetime) ||
        a.sceneId.localeCompare(b.sceneId),
    );
}

/** RFC 4180: a row for each map and layer; unknown numbers are empty. */
export function seriesCsv(rows: readonly SeriesRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => quoted(String(row[column] ?? ""))).join(","));
  return [COLUMNS.join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

/** A line for each map type, or for each layer of a map type that has several. */
export function seriesLines(rows: readonly SeriesRow[]): readonly SeriesLine[] {
  const nameOf = namesOf(rows);
  return [...Map.groupBy(rows, nameOf)].map(([name, own]) => ({
    name,
    points: own.map(({ datetime, mean }) => ({ timeMs: Date.parse(`${datetime.replace(" ", "T")}Z`), value: mean })),
  }));
}

/** Lines for people. */
export function seriesTable(rows: readonly SeriesRow[]): readonly string[] {
  const nameOf = namesOf(rows);
  return formatTable([
    ["date", "map type", "clear", "pixels", "mean", "std", "min", "max"],
    ...rows.map((row) => [
      row.datetime,
      nameOf(row),
      row.clearShare === null ? "unknown" : `${(100 * row.clearShare).toFixed(0)} %`,
      row.count.toFixed(0),
      ...[row.mean, row.std, row.min, row.max].map(cell),
    ]),
  ]);
}

/** A number of a table; "-" where there is none. */
export function cell(value: number | null): string {
  return value === null ? "-" : value.toPrecision(4);
}

/** The map type, with the layer where it has several. */
function namesOf(rows: readonly SeriesRow[]): (row: SeriesRow) => string {
  const layers = new Map<string, Set<string>>();
  for (const { mapType, layer } of rows) layers.set(mapType, (layers.get(mapType) ?? new Set()).add(layer));
  return ({ mapType, layer }) => ((layers.get(mapType)?.size ?? 0) > 1 ? `${mapType} ${layer}` : mapType);
}

function quoted(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
