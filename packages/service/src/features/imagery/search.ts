import type { SearchResult } from "@swath/contract/features/imagery/contract";
import type { Clock } from "@swath/base/clock";
import { TimeLimit } from "@swath/base/concurrency/time-limit";
import type { Log } from "@swath/base/log/log";
import type { Db } from "../../platform/context.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import { byId } from "./catalogue-rows.ts";
import { countHits, MAX_COUNTED } from "./count-hits.ts";
import { knownDatasetKeys, registeredName, type DatasetKeys } from "./dataset-keys.ts";
import { explainEmpty } from "./explain-empty.ts";
import { searchFrame, type Hit, type SearchFrame } from "./hit.ts";
import { mergeHits, type MergedHits } from "./merge-hits.ts";
import { requestedName } from "./requested-names.ts";
import { foundScenes, pageScenes } from "./search-page.ts";
import type { SearchPlan } from "./search-plan.ts";
import { searchStreams, type SearchStreamsDeps, type StreamsReading } from "./search-streams.ts";
import * as store from "./store.ts";
import { audiencesOf, type Viewer } from "./visibility.ts";

export interface SearchDeps extends SearchStreamsDeps {
  readonly keys: DatasetKeys;
  readonly clock: Clock;
  readonly log: Log | null;
}

export interface PlannedSearch {
  readonly plan: SearchPlan;
  /** The last scene of the page before; null for the first page. */
  readonly after: store.Keyset | null;
  readonly viewer: Viewer;
  readonly mayDownload: (registered: RegisteredDataset) => boolean;
  /** Whether an answer without a scene says why. */
  readonly empty: "explained" | "unexplained";
}

/**
 * One page of the store, the table of datasets without a source, and the sources, merged newest first. The answer has
 * a stored scene as the store has it, also when a source has it too.
 */
export async function searchScenes(
  deps: SearchDeps,
  { plan, after, viewer, mayDownload, empty }: PlannedSearch,
  signal: AbortSignal,
): Promise<SearchResult> {
  const now = deps.clock.now();
  const isCounting = plan.counted && after === null;
  const frame = searchFrame(
    isCounting ? { ...plan, limit: Math.max(plan.limit, MAX_COUNTED) } : plan,
    after === null ? null : { acquiredAtMs: after.acquiredAt.getTime(), sceneId: after.sceneId },
  );
  const keys = await knownDatasetKeys(deps.keys, plan.datasets.map(registeredName));
  const known = new Map<string, store.KnownSceneRow>();
  const reading: Reading = { audiences: audiencesOf(viewer), isSparse: false, keys, known, now };
  const { hits, failed } = await readHits(deps, frame, reading, signal);
  const page = hits.slice(0, plan.limit);
  const scenes = await pageScenes(deps, page, { known, forceRefresh: plan.forceRefresh, now });
  const last = hits.length > plan.limit ? page.findLast(({ key }) => scenes.has(key.sceneId)) : undefined;
  // An end of the pages needs no explanation.
  const isEmpty = empty === "explained" && hits.length === 0 && after === null && failed.length === 0;
  return {
    results: await foundScenes(page, scenes, { plan, extent: frame.extent, mayDownload }, signal),
    ...(isEmpty ? await emptyMember(deps, plan, reading, signal) : {}),
    ...(isCounting ? { counts: await countHits(deps.db, hits, plan.names) } : {}),
    cursor: last === undefined ? null : (scenes.get(last.key.sceneId)?.sceneKey ?? null),
    ...(failed.length === 0
      ? {}
      : { failedDatasets: failed.map((one) => ({ ...one, ...requestedName(plan.names, one) })) }),
  };
}

/** An explanation is worth this time, and no search fails for the lack of it. */
const EXPLAIN_MS = 5_000;

async function emptyMember(
  deps: SearchDeps,
  plan: SearchPlan,
  reading: Reading,
  signal: AbortSignal,
): Promise<Pick<SearchResult, "empty">> {
  using limit = new TimeLimit(EXPLAIN_MS, signal);
  // The search has found nothing.
  const sparse: Reading = { ...reading, isSparse: true };
  try {
    const empty = await explainEmpty(plan, async (relaxed) => {
      const { hits, failed } = await readHits(deps, searchFrame(relaxed, null), sparse, limit.signal);
      return hits.length === 0 && failed.length > 0 ? null : hits;
    });
    return empty === null ? {} : { empty };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) return {};
    throw error;
  }
}

interface Reading extends StreamsReading {
  /** Receives the rows of the scenes of sources. */
  readonly known: Map<string, store.KnownSceneRow>;
}

/** The hits of a page, and one more. */
async function readHits(
  deps: SearchDeps,
  frame: SearchFrame,
  reading: Reading,
  signal: AbortSignal,
): Promise<MergedHits> {
  const streams = searchStreams(deps, reading, frame, signal);
  const select = (hits: readonly Hit[]): Promise<ReadonlySet<Hit>> => withoutStored(deps.db, reading.known, hits);
  return await mergeHits(streams, frame.plan.limit + 1, select, { log: deps.log, signal });
}

/**
 * The hits without ingested scenes of sources: these come from the table, with the footprint of their pixels.
 *
 * @param known receives the rows of the scenes of sources
 */
async function withoutStored(
  db: Db,
  known: Map<string, store.KnownSceneRow>,
  hits: readonly Hit[],
): Promise<ReadonlySet<Hit>> {
  const ids = hits.filter(({ origin }) => origin.kind === "source").map(({ key }) => key.sceneId);
  const rows = ids.length === 0 ? [] : await store.readKnown(db, ids);
  for (const [sceneId, row] of byId(rows)) known.set(sceneId, row);
  return new Set(
    hits.filter(({ key, origin }) => origin.kind === "table" || known.get(key.sceneId)?.ingested !== true),
  );
}
