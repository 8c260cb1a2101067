import { splitSearch, type Client, type FoundScene, type SearchRequest } from "@swath/client";
import { extentArea } from "@swath/kernel/geometry/extent";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { parseInstant } from "../instant.ts";
import { formatTable } from "../output.ts";
import { searchTiles } from "../search-tiles.ts";

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

interface Found {
  readonly results: readonly FoundScene[];
  /** Null at the end and for a search in tiles. */
  readonly cursor: number | null;
  /** Whether nothing was left out. */
  readonly complete: boolean;
  readonly tiles: number;
}

const PAGE_SIZE = 1000;

/** `swath search`: pages through the results until the limit; exit code 0 also when nothing is found. */
export async function search(context: CommandContext, options: SearchOptions): Promise<void> {
  const extent = await readExtent(options.extent);
  const datasets = (options.dataset ?? ["local/uploads"]).map(parseDataset);
  const request = {
    datasets,
    extent,
    ...(options.from === undefined ? {} : { startDatetime: parseInstant(options.from, "--from") }),
    ...(options.to === undefined ? {} : { endDatetime: parseInstant(options.to, "--to") }),
    ...(options.minIntersection === undefined ? {} : { minIntersection: options.minIntersection }),
    ...(options.onlyIngested === true ? { onlyIngested: true } : {}),
  };
  const client = await connect(context);
  const inTiles = options.split === true || options.tileSide !== undefined;
  const found = await (inTiles ? searchInTiles : searchWhole)(context, client, request, options);
  const { results } = found;
  const notes = [
    ...(found.tiles > 1 ? [`${results.length} scenes from ${found.tiles} tiles`] : []),
    ...(found.complete ? [] : [`more than ${options.limit} scenes: narrow the search or raise --limit`]),
  ];
  const rows = results.map((scene) => [
    scene.datetime,
    scene.sceneId,
    scene.satellite,
    `${scene.areaKm2.toFixed(1)} km2`,
    scene.cloudCover === undefined ? "" : `${Math.round(scene.cloudCover * 100)}% cloud`,
  ]);
  context.output.result(
    { results, cursor: found.cursor, ...(inTiles ? { tiles: found.tiles, complete: found.complete } : {}) },
    results.length === 0 ? ["no scene found"] : [...formatTable(rows), ...notes],
  );
}

async function searchWhole(
  { output, signal }: CommandContext,
  client: Client,
  request: SearchRequest,
  options: SearchOptions,
): Promise<Found> {
  const progress = output.progress("search", options.limit);
  const results: FoundScene[] = [];
  let cursor: number | null = null;
  try {
    do {
      const limit = Math.min(PAGE_SIZE, options.limit - results.length);
      const page: { readonly results: readonly FoundScene[]; readonly cursor: number | null } = await client.run(
        "/imagery/search",
        { ...request, limit, ...(cursor === null ? {} : { cursor }) },
        { signal },
      );
      results.push(...page.results);
      cursor = page.cursor;
      progress.update(results.length, `${results.length} scenes`);
    } while (cursor !== null && results.length < options.limit);
  } finally {
    progress.stop();
  }
  return { results, cursor, complete: cursor === null, tiles: 1 };
}

async function searchInTiles(
  { output, signal }: CommandContext,
  client: Client,
  request: SearchRequest,
  options: SearchOptions,
): Promise<Found> {
  const { extent, ...rest } = request;
  const area = extentArea(extent);
  if (area === null) throw new UsageError("--extent holds no polygon with an area");
  const limitM = await longestSearchM(client, request.datasets ?? [], signal);
  const tileSideM = options.tileSide === undefined ? undefined : options.tileSide * 1000;
  const tiles = searchTiles(area, limitM, tileSideM);
  const whole = prepareArea(area);
  const progress = output.progress("search", tiles.length);
  try {
    const { results, complete } = await splitSearch(client, rest, tiles, {
      limit: options.limit,
      signal,
      // A tile on the border reaches beyond the extent.
      accepts: ({ footprint }) => overlapsEnough(whole, prepareArea(footprint), { of: "extent", ratio: 0 }),
      onProgress: ({ doneParts, totalParts }) => progress.update(doneParts, `${doneParts} of ${totalParts} tiles`),
    });
    return { results, cursor: null, complete, tiles: tiles.length };
  } finally {
    progress.stop();
  }
}

/** Side of the largest search that all of the datasets allow, metres. */
async function longestSearchM(
  client: Client,
  datasets: readonly { readonly provider: string; readonly dataset: string }[],
  signal: AbortSignal,
): Promise<number> {
  const listed = await client.call("/imagery/datasets/list", {}, { signal });
  const sides = datasets.map(
    (one) => listed.find(({ provider, dataset }) => provider === one.provider && dataset === one.dataset)?.maxMbrSide,
  );
  return Math.min(DEFAULT_LIMIT_M, ...sides.filter((side) => side !== undefined));
}

/** What the service allows unless a dataset says less; for those that allow the whole world, tiles are not larger. */
const DEFAULT_LIMIT_M = 400_000;

/** `provider/dataset`; dataset names may hold slashes themselves. @throws {UsageError} */
function parseDataset(text: string): { readonly provider: string; readonly dataset: string } {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1) {
    throw new UsageError(`--dataset is "${text}", expected provider/dataset such as local/uploads`);
  }
  return { provider: text.slice(0, slash), dataset: text.slice(slash + 1) };
}
