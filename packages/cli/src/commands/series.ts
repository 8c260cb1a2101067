import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client, FoundScene } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { parseInstant } from "../instant.ts";
import { splitMapTypes } from "../split-map-types.ts";
import { searchPages } from "../search-pages.ts";
import { namedDatasets, parseDataset } from "../searched-datasets.ts";
import { clearStatistics } from "../series/clear-statistics.ts";
import { downloadPixels } from "../series/map-pixels.ts";
import { seriesSvg } from "../series/series-chart.ts";
import { CLOUDS, seriesMaps, type SeriesMap } from "../series/series-maps.ts";
import { seriesCsv, seriesTable, sortedRows, type SeriesRow } from "../series/series-rows.ts";

export interface SeriesOptions {
  readonly area: string;
  readonly dataset: readonly string[];
  readonly types: string;
  readonly from?: string;
  readonly to?: string;
  readonly minIntersection: number;
  readonly limit: number;
  readonly out: string;
  readonly yes?: boolean;
}

/** Maps that are downloaded at once. */
const AT_ONCE = 4;

/** `swath series`: statistics of maps over dates, where the sky is clear, as table, CSV and chart. */
export async function series(context: CommandContext, options: SeriesOptions): Promise<void> {
  const { output, signal } = context;
  const mapTypes = splitMapTypes(options.types, "--types");
  const extent = await readExtent(options.area, "--area");
  const conditions = {
    ...(options.from === undefined ? {} : { startDatetime: parseInstant(options.from, "--from") }),
    ...(options.to === undefined ? {} : { endDatetime: parseInstant(options.to, "--to") }),
  };
  const named = options.dataset.map(parseDataset);
  const client = await connect(context);
  await refuseClasses(client, mapTypes, signal);
  const { datasets } = await namedDatasets(client, named, signal);
  const request = { ...conditions, extent, datasets: [...datasets], minIntersection: options.minIntersection };
  const found = await searchPages(context, client, request, { limit: options.limit, takesPartial: false });
  if (found.results.length === 0) {
    const why = found.empty === null ? "" : `: ${found.empty.message}`;
    throw new CommandError(
      `no scene covers the area${why}`,
      EXIT.notFound,
      "widen --from and --to, or another dataset",
    );
  }
  if (!found.complete) output.note(`more than ${options.limit} scenes: the newest are taken, --limit takes more`);
  const released = await seriesMaps(context, client, {
    mapTypes,
    scenes: found.results,
    extent,
    pays: options.yes === true,
  });
  for (const note of released.notes) output.note(note);
  const rows = sortedRows(await rowsOf(context, client, released.maps, found.results), mapTypes);
  if (rows.length === 0) throw new CommandError("no map could be made of any scene");
  const files = await writeFiles(options.out, rows, `${mapTypes.join(", ")} over time`);
  output.result({ rows, files, chargedCredits: released.chargedCredits }, [...seriesTable(rows), ...files]);
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

/** The statistics of every map of values, where the map of clouds of its scene is clear. */
async function rowsOf(
  { output, signal }: CommandContext,
  client: Client,
  maps: readonly SeriesMap[],
  scenes: readonly FoundScene[],
): Promise<readonly SeriesRow[]> {
  const byScene = [...Map.groupBy(maps, ({ sceneId }) => sceneId)];
  const datetimes = new Map(scenes.map(({ sceneId, datetime }) => [sceneId, datetime]));
  const progress = output.progress("statistics", byScene.length);
  const rows: SeriesRow[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < byScene.length; index = next++) {
      const [sceneId, own] = byScene[index]!;
      const mask = own.find(({ mapType }) => mapType === CLOUDS);
      const clouds = mask === undefined ? null : await downloadPixels(client, mask.mapId, signal);
      for (const { mapType, mapId } of own) {
        if (mapType === CLOUDS) continue;
        const statistics = clearStatistics(await downloadPixels(client, mapId, signal), clouds);
        rows.push({ mapType, datetime: datetimes.get(sceneId) ?? "", sceneId, ...statistics });
      }
      progress.update(++done, `${done} of ${byScene.length} scenes`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, byScene.length) }, work));
  } finally {
    progress.stop();
  }
  return rows;
}

async function writeFiles(folder: string, rows: readonly SeriesRow[], title: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const csv = join(folder, "series.csv");
  await writeFile(csv, seriesCsv(rows));
  const svg = seriesSvg(rows, title);
  if (svg === null) return [csv];
  const [svgPath, pngPath] = [join(folder, "series.svg"), join(folder, "series.png")];
  await writeFile(svgPath, svg);
  const { default: sharp } = await import("sharp");
  await writeFile(pngPath, await sharp(Buffer.from(svg)).png().toBuffer());
  return [csv, svgPath, pngPath];
}
