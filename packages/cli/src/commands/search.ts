import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { parseInstant } from "../instant.ts";
import { formatTable } from "../output.ts";

export interface SearchOptions {
  readonly extent: string;
  readonly from?: string;
  readonly to?: string;
  readonly dataset?: readonly string[];
  readonly minIntersection?: number;
  readonly onlyIngested?: boolean;
  readonly limit: number;
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
  const { signal } = context;
  const progress = context.output.progress("search", options.limit);
  const scenes = [];
  let cursor: number | null = null;
  try {
    do {
      const limit = Math.min(PAGE_SIZE, options.limit - scenes.length);
      const page: { readonly results: readonly FoundScene[]; readonly cursor: number | null } = await client.run(
        "/imagery/search",
        { ...request, limit, ...(cursor === null ? {} : { cursor }) },
        { signal },
      );
      scenes.push(...page.results);
      cursor = page.cursor;
      progress.update(scenes.length, `${scenes.length} scenes`);
    } while (cursor !== null && scenes.length < options.limit);
  } finally {
    progress.stop();
  }
  const more = cursor === null ? [] : [`more than ${options.limit} scenes: narrow the search or raise --limit`];
  const rows = scenes.map((scene) => [
    scene.datetime,
    scene.sceneId,
    scene.satellite,
    `${scene.areaKm2.toFixed(1)} km2`,
    scene.cloudCover === undefined ? "" : `${Math.round(scene.cloudCover * 100)}% cloud`,
  ]);
  context.output.result(
    { results: scenes, cursor },
    scenes.length === 0 ? ["no scene found"] : [...formatTable(rows), ...more],
  );
}

type FoundScene = {
  readonly sceneId: string;
  readonly satellite: string;
  readonly datetime: string;
  readonly areaKm2: number;
  readonly cloudCover?: number;
};

/** `provider/dataset`; dataset names may hold slashes themselves. @throws {UsageError} */
function parseDataset(text: string): { readonly provider: string; readonly dataset: string } {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1) {
    throw new UsageError(`--dataset is "${text}", expected provider/dataset such as local/uploads`);
  }
  return { provider: text.slice(0, slash), dataset: text.slice(slash + 1) };
}
