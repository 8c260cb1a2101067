import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { selectedPoints, type SelectionOptions } from "../series/selected-points.ts";
import { cell } from "../series/series-rows.ts";

export interface DatacubeSeriesOptions extends SelectionOptions {
  readonly chart?: string;
  readonly limit: number;
}

/** `swath datacube series`: datapoints as a table, and as a chart. */
export async function datacubeSeries(
  context: CommandContext,
  options: DatacubeSeriesOptions,
  [project = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const { chart, limit } = options;
  const request = { ...selectedPoints(project, options), limit };
  const client = await connect(context);
  const page = await client.call("/datacube/datapoints/get", request, { signal });
  const { asOf, cursor, results } = page;
  let files: readonly string[] = [];
  if (chart !== undefined) {
    // The chart has the datapoints of the table, also when others came in between.
    const drawn = await client.call("/datacube/datapoints/get", { ...request, asOf, format: "svg" }, { signal });
    files = await writeChart(chart, drawn.svg ?? null);
  }
  const notes = cursor === null ? [] : [`more than ${limit} datapoints: raise --limit, or swath datacube export`];
  const table = results.length === 0 ? ["no datapoint that you may read"] : tableOf(results);
  output.result({ results, asOf, cursor, files }, [...table, ...notes, ...files]);
}

async function writeChart(path: string, svg: string | null): Promise<readonly string[]> {
  if (svg === null) return [];
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, svg);
  return [path];
}

interface Row {
  readonly aoiId: string | null;
  readonly algorithm: string;
  readonly source: string;
  readonly version: string | null;
  readonly startDatetime: string;
  readonly endDatetime: string;
  readonly value: number;
  readonly unit: string;
  readonly count?: number;
}

function tableOf(points: readonly Row[]): readonly string[] {
  return formatTable([
    ["area", "algorithm", "source", "from", "to", "value", "unit", "version", "points"],
    ...points.map(({ aoiId, algorithm, source, startDatetime, endDatetime, value, unit, version, count }) => [
      aoiId ?? "all",
      algorithm,
      source,
      startDatetime,
      endDatetime,
      cell(value),
      unit === "" ? "ratio" : unit,
      version ?? "-",
      String(count ?? 1),
    ]),
  ]);
}
