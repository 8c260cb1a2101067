import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { ReportRequest, ReportSeries } from "@swath/contract/features/maps/report-contract";
import type { Caller } from "../../../platform/context.ts";
import type { ReportChart } from "../../../platform/pdf/report-content.ts";
import { pointLines, type PointLine } from "../../datacube/point-lines.ts";
import { readChartPoints } from "../../datacube/read-chart-points.ts";
import type { SelectAoisDeps } from "../../datacube/select-aois.ts";
import { LINE_COLORS } from "./line-colors.ts";

/** Gaps that a chart names. */
const MAX_NAMED_GAPS = 4;
/** Algorithms that a title names. */
const MAX_NAMED_ALGORITHMS = 3;
const MAX_NAME_CHARS = 100;

/**
 * A chart for each series of a request, of datapoints that the caller may read. A series without datapoints has a chart
 * that says so.
 *
 * @param areas of the maps of the report, for series that name no areas
 * @throws {ServiceError} VALIDATION-ERROR for moments that do not exist and for too many lines or datapoints
 */
export async function seriesCharts(
  deps: SelectAoisDeps,
  caller: Caller,
  { series = [] }: Pick<ReportRequest, "series">,
  areas: readonly MultiPolygon[],
  signal: AbortSignal,
): Promise<readonly ReportChart[]> {
  const charts: ReportChart[] = [];
  for (const [index, one] of series.entries()) {
    charts.push(await chartOf(deps, caller, one, { index, areas }, signal));
  }
  return charts;
}

async function chartOf(
  deps: SelectAoisDeps,
  caller: Caller,
  { title, project, ...selection }: ReportSeries,
  { index, areas }: { readonly index: number; readonly areas: readonly MultiPolygon[] },
  signal: AbortSignal,
): Promise<ReportChart> {
  const path = `/series/${index}`;
  const coordinates = areas.flatMap((area) => area.coordinates);
  const place = selection.aoiIds === undefined ? { extent: { type: "MultiPolygon" as const, coordinates } } : {};
  const points = await within(path, () =>
    readChartPoints(deps, caller, { ...selection, ...place, projects: [project] }, signal),
  );
  const lines = pointLines(points, path);
  const algorithms = [...new Set(points.map(({ algorithm }) => algorithm))];
  const named = algorithms.length <= MAX_NAMED_ALGORITHMS ? algorithms : [`${algorithms.length} algorithms`];
  const gaps = gapsOf(lines);
  return {
    name: `series-${index + 1}-${project}`.replaceAll(/[^A-Za-z0-9]+/gu, "-").slice(0, MAX_NAME_CHARS),
    title: title ?? [project, named.join(", ")].filter((part) => part !== "").join(": "),
    unit: [...new Set(points.map(({ unit }) => unit).filter((unit) => unit !== ""))].join(", "),
    isTabulated: true,
    ...(gaps === null ? {} : { remark: gaps }),
    series: lines.map(({ name, points: own }, i) => ({
      name: lines.length === 1 ? (algorithms[0] ?? name) : name,
      color: LINE_COLORS[i % LINE_COLORS.length]!,
      points: own.map(({ startDatetime: date, value, isAfterGap }) => ({ date, value, isAfterGap })),
    })),
  };
}

/** "No value between 2024-06-04 and 2024-06-20 (north ndvi_mean S2)."; null without a gap. */
function gapsOf(lines: readonly PointLine[]): string | null {
  const gaps = lines.flatMap(({ name, points }) =>
    points.flatMap(({ startDatetime, isAfterGap }, i) =>
      isAfterGap ? [`${day(points[i - 1]?.startDatetime)} and ${day(startDatetime)} (${name})`] : [],
    ),
  );
  if (gaps.length === 0) return null;
  const more = gaps.length - MAX_NAMED_GAPS;
  const named = gaps.slice(0, MAX_NAMED_GAPS).join(", ");
  return `No value between ${named}${more > 0 ? `, and in ${more} more gaps` : ""}.`;
}

function day(datetime = ""): string {
  return datetime.slice(0, 10);
}

/** Errors of a selection name its place in the request. */
async function within<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "VALIDATION-ERROR") throw error;
    const details = error.details?.map((detail) => ({ ...detail, path: path + detail.path }));
    throw new ServiceError("VALIDATION-ERROR", `${path}${error.message}`, details === undefined ? {} : { details });
  }
}
