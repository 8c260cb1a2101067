import type { PipelineTypes, contract } from "@swath/contract";
import type { Client, RequestOptions } from "./client-interface.ts";

type Search = PipelineTypes<typeof contract>["/imagery/search"];
export type SearchRequest = Search["request"];
export type FoundScene = Search["result"]["results"][number];

export interface SplitProgress {
  readonly doneParts: number;
  readonly totalParts: number;
}

export interface SplitOptions {
  /** Number of concurrent parts; 4 by default. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Called after each part. */
  readonly onProgress?: (progress: SplitProgress) => void;
}

const CONCURRENCY = 4;
const PAGE_SIZE = 1000;

/**
 * Processes the parts of a job too large for one request, a few concurrently, and returns the answers in the order of the
 * parts. The first failure stops the others and is thrown.
 */
export async function runSplit<Part, Result>(
  parts: readonly Part[],
  work: (part: Part, signal: AbortSignal) => Promise<Result>,
  options: SplitOptions = {},
): Promise<readonly Result[]> {
  const failed = new AbortController();
  const signal = options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
  const results: Result[] = [];
  const queue = parts.entries();
  let doneParts = 0;
  async function workOn(): Promise<void> {
    for (const [index, part] of queue) {
      signal.throwIfAborted();
      results[index] = await work(part, signal);
      doneParts += 1;
      options.onProgress?.({ doneParts, totalParts: parts.length });
    }
  }
  const workers = Array.from({ length: Math.max(1, options.concurrency ?? CONCURRENCY) }, async () => {
    try {
      await workOn();
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(workers);
  // The other parts fail with the abort, whose reason is the first failure.
  if (failed.signal.aborted) throw failed.signal.reason;
  return results;
}

/**
 * Searches each part of an extent separately and merges the results: every scene once, newest first, then by identifier.
 *
 * `minIntersection` is a share of the part, because each part is the extent of one search. `minAoiIntersection` is a
 * share of the scene, for the area in common with one part.
 *
 * @param parts the extent in pieces that one search may cover, such as the result of the kernel's `splitExtent`
 * @param options `limit` is the total number of scenes; `accepts` drops scenes that meet a part but not the whole
 */
export async function splitSearch(
  client: Pick<Client, "run">,
  request: Omit<SearchRequest, "extent" | "cursor" | "limit">,
  parts: readonly SearchRequest["extent"][],
  options: SplitOptions & { readonly limit?: number; readonly accepts?: (scene: FoundScene) => boolean } = {},
): Promise<{ readonly results: readonly FoundScene[]; readonly complete: boolean }> {
  const { limit = Infinity, accepts = () => true } = options;
  const pages = await runSplit(
    parts,
    (extent, signal) => searchPart(client, { ...request, extent }, limit, accepts, { signal }),
    options,
  );
  const found = new Map<string, FoundScene>();
  for (const scene of pages.flatMap(({ scenes }) => scenes)) found.set(scene.sceneId, scene);
  const merged = [...found.values()].toSorted(newestFirst);
  return {
    results: merged.slice(0, limit),
    complete: merged.length <= limit && pages.every(({ complete }) => complete),
  };
}

/** Pages until the total number of scenes is reached: the newest may all lie in one part. */
async function searchPart(
  client: Pick<Client, "run">,
  request: SearchRequest,
  limit: number,
  accepts: (scene: FoundScene) => boolean,
  options: RequestOptions,
): Promise<{ readonly scenes: readonly FoundScene[]; readonly complete: boolean }> {
  const scenes: FoundScene[] = [];
  let cursor: number | null = null;
  do {
    const page: Search["result"] = await client.run(
      "/imagery/search",
      { ...request, limit: Math.min(PAGE_SIZE, limit), ...(cursor === null ? {} : { cursor }) },
      options,
    );
    scenes.push(...page.results.filter(accepts));
    cursor = page.cursor;
  } while (cursor !== null && scenes.length < limit);
  return { scenes, complete: cursor === null };
}

function newestFirst(a: FoundScene, b: FoundScene): number {
  if (a.datetime !== b.datetime) return a.datetime < b.datetime ? 1 : -1;
  return a.sceneId < b.sceneId ? -1 : 1;
}
