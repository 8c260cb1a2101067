import { splitSearch, type Client, type FoundScene, type SearchRequest } from "@swath/client";
import { extentArea } from "@swath/kernel/geometry/extent";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { parseInstant } from "../instant.ts";
import { formatTable } from "../output.ts";
import { rememberSeen } from "../remember.ts";
import { whyNoScene } from "../search-reasons.ts";
import { searchPages, type Found } from "../search-pages.ts";
import { searchTiles } from "../search-tiles.ts";
import { allDatasets, namedDatasets, parseDataset } from "../searched-datasets.ts";

export interface SearchOptions {
  readonly extent: string;
  readonly from?: string;
  readonly to?: string;
  readonly dataset?: readonly string[];
  readonly minIntersection?: number;
  readonly onlyIngested?: boolean;
  readonly limit: number;
  readonly split?: boolean;
  /** Kilometres. */
  readonly tileSide?: number;
}

/** `swath search`: pages through the results until the limit; exit code 0 also when nothing is found. */
export async function search(context: CommandContext, options: SearchOptions): Promise<void> {
  const { output, signal } = context;
  const extent = await readExtent(options.extent);
  const named = options.dataset?.map(parseDataset);
  const conditions = {
    extent,
    ...(options.from === undefined ? {} : { startDatetime: parseInstant(options.from, "--from") }),
    ...(options.to === undefined ? {} : { endDatetime: parseInstant(options.to, "--to") }),
    ...(options.minIntersection === undefined ? {} : { minIntersection: options.minIntersection }),
    ...(options.onlyIngested === true ? { onlyIngested: true } : {}),
  };
  const client = await connect(context);
  const isSplit = options.split === true || options.tileSide !== undefined;
  const onlyIngested = options.onlyIngested === true;
  const { datasets, limitM, notes } =
    named === undefined
      ? await allDatasets(client, extent, { onlyIngested, isSplit }, signal)
      : await namedDatasets(client, named, signal);
  for (const note of notes) output.note(note);
  const request = { ...conditions, datasets: [...datasets] };
  const found = isSplit
    ? await searchInTiles(context, client, request, { ...options, limitM })
    : await searchPages(context, client, request, { limit: options.limit, takesPartial: named === undefined });
  for (const { provider, dataset, errorMessage } of found.failed) {
    output.note(`${provider}/${dataset} could not be searched: ${errorMessage}`);
  }
  report(context, options, found, { isSplit, datasetCount: datasets.length });
  await rememberSeen(context, { scenes: found.results.map(({ sceneId }) => sceneId) });
}

function report(
  { output }: CommandContext,
  options: SearchOptions,
  { results, cursor, complete, tiles, empty, failed }: Found,
  { isSplit, datasetCount }: { readonly isSplit: boolean; readonly datasetCount: number },
): void {
  const rows = results.map((scene) => [
    scene.datetime,
    scene.sceneId,
    scene.satellite,
    `${scene.areaKm2.toFixed(1)} km2`,
    scene.cloudCover === undefined ? "" : `${Math.round(scene.cloudCover * 100)}% cloud`,
  ]);
  const notes = [
    ...(tiles > 1 ? [`${results.length} scenes from ${tiles} tiles`] : []),
    ...(complete ? [] : [`more than ${options.limit} scenes: narrow the search or raise --limit`]),
    ...(options.minIntersection === undefined
      ? ["scenes that cover at least half of the area; --min-intersection 0 finds all that meet it"]
      : []),
  ];
  const document = {
    results,
    cursor,
    ...(isSplit ? { tiles, complete } : {}),
    ...(empty === null ? {} : { empty }),
    ...(failed.length === 0 ? {} : { failedDatasets: failed }),
  };
  const lines = results.length === 0 ? whyNoScene(empty, { ...options, isSplit, datasetCount }) : formatTable(rows);
  output.result(document, lines);
  if (results.length > 0) for (const note of notes) output.note(note);
}

async function searchInTiles(
  { output, signal }: CommandContext,
  client: Client,
  request: SearchRequest,
  options: { readonly limit: number; readonly tileSide?: number; readonly limitM: number },
): Promise<Found> {
  const { extent, ...rest } = request;
  const area = extentArea(extent);
  if (area === null) throw new UsageError("--extent holds no polygon with an area");
  const tileSideM = options.tileSide === undefined ? undefined : options.tileSide * 1000;
  const tiles = searchTiles(area, options.limitM, tileSideM);
  const whole = prepareArea(area);
  const progress = output.progress("search", tiles.length);
  try {
    const { results, complete } = await splitSearch(client, rest, tiles, {
      limit: options.limit,
      signal,
      // A tile on the border reaches beyond the extent.
      accepts: ({ footprint }: FoundScene) => overlapsEnough(whole, prepareArea(footprint), { of: "extent", ratio: 0 }),
      onProgress: ({ doneParts, totalParts }) => progress.update(doneParts, `${doneParts} of ${totalParts} tiles`),
    });
    return { results, cursor: null, complete, tiles: tiles.length, empty: null, failed: [] };
  } finally {
    progress.stop();
  }
}
