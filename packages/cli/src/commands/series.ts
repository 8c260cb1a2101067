import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@swath/client";
import { seriesSvg } from "@swath/kernel/charts/series-svg";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { oneArea } from "../series/one-area.ts";
import { pricedStatistics } from "../series/priced-statistics.ts";
import { searchedScenes, type PeriodOptions } from "../series/searched-scenes.ts";
import { seriesCsv, seriesLines, seriesTable, sortedRows, type SeriesRow } from "../series/series-rows.ts";
import { splitMapTypes } from "../split-map-types.ts";

export interface SeriesOptions extends PeriodOptions {
  readonly area: string;
  readonly types: string;
  readonly out: string;
  readonly yes?: boolean;
}

/** `swath series`: statistics of an area over dates, where the sky is clear, as table, CSV and chart. */
export async function series(context: CommandContext, options: SeriesOptions): Promise<void> {
  const { output, signal } = context;
  const mapTypes = splitMapTypes(options.types, "--types");
  const areas = oneArea(await readExtent(options.area, "--area"));
  const client = await connect(context);
  await refuseClasses(client, mapTypes, signal);
  const scenes = await searchedScenes(context, client, areas, options);
  const sceneIds = scenes.map(({ sceneId }) => sceneId);
  const request = { areas, mapTypes, sceneIds, format: "json", pays: options.yes === true } as const;
  const counted = await pricedStatistics(context, client, request);
  for (const note of counted.notes) output.note(note);
  const rows = sortedRows(counted.rows, mapTypes);
  if (rows.length === 0) throw new CommandError("no map could be made of any scene");
  const files = await writeFiles(options.out, rows, `${mapTypes.join(", ")} over time`);
  output.result({ rows, files, chargedCredits: counted.chargedCredits }, [...seriesTable(rows), ...files]);
}

/** Means of classes say nothing. */
async function refuseClasses(client: Client, mapTypes: readonly string[], signal: AbortSignal): Promise<void> {
  const listing = await client.call("/mapsvc/map-types/list", {}, { signal });
  for (const wanted of mapTypes) {
    const listed = Object.values(listing)
      .flat()
      .find(({ mapType }) => mapType === wanted);
    if (listed?.segmentationMetadata !== undefined) {
      throw new UsageError(
        `--types has ${wanted}, whose pixels are classes: expected map types of values, such as ndvi`,
      );
    }
  }
}

async function writeFiles(folder: string, rows: readonly SeriesRow[], title: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const csv = join(folder, "series.csv");
  await writeFile(csv, seriesCsv(rows));
  const svg = seriesSvg(seriesLines(rows), { title, caption: "date, UTC; mean of clear pixels" });
  if (svg === null) return [csv];
  const [svgPath, pngPath] = [join(folder, "series.svg"), join(folder, "series.png")];
  await writeFile(svgPath, svg);
  const { default: sharp } = await import("sharp");
  await writeFile(pngPath, await sharp(Buffer.from(svg)).png().toBuffer());
  return [csv, svgPath, pngPath];
}
