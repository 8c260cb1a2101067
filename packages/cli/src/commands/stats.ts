import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { downloadFile } from "../download-file.ts";
import { CommandError, UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { formatTable } from "../output.ts";
import { pricedStatistics, type StatisticsRow } from "../series/priced-statistics.ts";
import { searchedScenes, type PeriodOptions } from "../series/searched-scenes.ts";
import { cell } from "../series/series-rows.ts";
import { splitMapTypes } from "../split-map-types.ts";

export interface StatsOptions extends Omit<PeriodOptions, "dataset"> {
  readonly area: string;
  readonly types: string;
  readonly scenes?: readonly string[];
  readonly dataset?: readonly string[];
  readonly resolution?: number;
  readonly csv?: string;
  readonly yes?: boolean;
}

/** `swath stats`: statistics of areas over scenes, or over the scenes of a period. */
export async function stats(context: CommandContext, options: StatsOptions): Promise<void> {
  const { output, signal } = context;
  const { scenes, dataset, resolution, csv } = options;
  if ((scenes === undefined) === (dataset === undefined)) {
    throw new UsageError("stats counts either --scenes or the scenes of --dataset: give one of both");
  }
  const mapTypes = splitMapTypes(options.types, "--types");
  const areas = await readExtent(options.area, "--area");
  const client = await connect(context);
  const sceneIds =
    dataset === undefined
      ? (scenes ?? [])
      : (await searchedScenes(context, client, areas, { ...options, dataset })).map(({ sceneId }) => sceneId);
  const { rows, url, chargedCredits, notes } = await pricedStatistics(context, client, {
    areas,
    mapTypes,
    sceneIds,
    format: csv === undefined ? "json" : "csv",
    pays: options.yes === true,
    ...(resolution === undefined ? {} : { resolution }),
  });
  for (const note of notes) output.note(note);
  if (rows.length === 0) throw new CommandError("no map could be made of any scene");
  const files = csv === undefined ? [] : [await downloadFile(url, csv, signal)];
  output.result({ rows, files, chargedCredits }, [...statsTable(rows), ...files]);
}

/** A line for each row, of layers of classes a line for each class. */
function statsTable(rows: readonly StatisticsRow[]): readonly string[] {
  return formatTable([
    ["area", "date", "map type", "layer", "clear", "pixels", "mean", "std", "objects", "class", "km2"],
    ...rows.flatMap(({ area, datetime, mapType, layer, clearShare, count, mean, std, objects, classes }) => {
      const clear = clearShare === null ? "unknown" : `${(100 * clearShare).toFixed(0)} %`;
      const start = [area, datetime, mapType, layer, clear, count.toFixed(0), cell(mean), cell(std)];
      const figures = [...start, objects === null ? "-" : String(objects)];
      if (classes === null) return [[...figures, "", ""]];
      return Object.entries(classes).map(([name, { areaKm2 }]) => [...figures, name, areaKm2.toPrecision(4)]);
    }),
  ]);
}
