import type { Client, FoundScene, SearchRequest } from "@swath/client";
import type { CommandContext } from "./command-context.ts";

export interface Found {
  readonly results: readonly FoundScene[];
  /** Null at the end and for a search in tiles. */
  readonly cursor: number | null;
  /** Whether nothing was left out. */
  readonly complete: boolean;
  readonly tiles: number;
  /** Why nothing was found, in the words of the service; null when it does not say. */
  readonly empty: { readonly code: string; readonly message: string } | null;
  /** Datasets that could not be searched. */
  readonly failed: readonly { readonly provider: string; readonly dataset: string; readonly errorMessage: string }[];
}

const PAGE_SIZE = 1000;
/** Datasets of one request. */
const MAX_DATASETS = 100;

/** Pages through a search until the limit. @param takesPartial whether datasets may fail */
export async function searchPages(
  context: CommandContext,
  client: Client,
  request: SearchRequest & { readonly datasets: readonly { readonly provider: string; readonly dataset: string }[] },
  options: { readonly limit: number; readonly takesPartial: boolean },
): Promise<Found> {
  const { datasets } = request;
  const parts: Found[] = [];
  for (let start = 0; start < datasets.length; start += MAX_DATASETS) {
    const part = { ...request, datasets: datasets.slice(start, start + MAX_DATASETS) };
    parts.push(await searchTogether(context, client, part, options));
  }
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const results = parts
    .flatMap((part) => part.results)
    .toSorted((a, b) => b.datetime.localeCompare(a.datetime) || a.sceneId.localeCompare(b.sceneId));
  return {
    results: results.slice(0, options.limit),
    cursor: null,
    complete: parts.every((part) => part.complete) && results.length <= options.limit,
    tiles: 1,
    empty: parts.find((part) => part.empty !== null)?.empty ?? null,
    failed: parts.flatMap((part) => part.failed),
  };
}

async function searchTogether(
  { output, signal }: CommandContext,
  client: Client,
  request: SearchRequest,
  { limit: most, takesPartial }: { readonly limit: number; readonly takesPartial: boolean },
): Promise<Found> {
  const progress = output.progress("search", most);
  const results: FoundScene[] = [];
  let cursor: number | null = null;
  let empty: Found["empty"] = null;
  const failed = new Map<string, Found["failed"][number]>();
  try {
    do {
      const limit = Math.min(PAGE_SIZE, most - results.length);
      const page: Awaited<ReturnType<typeof searchPage>> = await searchPage(
        client,
        { ...request, limit, ...(cursor === null ? {} : { cursor }) },
        { signal, allowPartial: takesPartial },
      );
      results.push(...page.results);
      cursor = page.cursor;
      empty ??= page.empty ?? null;
      for (const one of page.failedDatasets ?? []) failed.set(`${one.provider}/${one.dataset}`, one);
      progress.update(results.length, `${results.length} scenes`);
    } while (cursor !== null && results.length < most);
  } finally {
    progress.stop();
  }
  return { results, cursor, complete: cursor === null, tiles: 1, empty, failed: [...failed.values()] };
}

async function searchPage(
  client: Client,
  request: SearchRequest,
  options: { readonly signal: AbortSignal; readonly allowPartial: boolean },
) {
  return await client.run("/imagery/search", request, options);
}
