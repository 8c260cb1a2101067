import type { SearchResult } from "@swath/contract/features/imagery/contract";
import type { Clock } from "@swath/base/clock";
import type { Log } from "@swath/base/log/log";
import type { Db } from "../../platform/context.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import { byId } from "./catalogue-rows.ts";
import { searchFrame, type Hit } from "./hit.ts";
import { mergeHits } from "./merge-hits.ts";
import { requestedName } from "./requested-names.ts";
import { foundScenes, pageScenes } from "./search-page.ts";
import type { SearchPlan } from "./search-plan.ts";
import { searchStreams, type SearchStreamsDeps } from "./search-streams.ts";
import * as store from "./store.ts";
import { audiencesOf, type Viewer } from "./visibility.ts";

export interface SearchDeps extends SearchStreamsDeps {
  readonly clock: Clock;
  readonly log: Log | null;
}

export interface PlannedSearch {
  readonly plan: SearchPlan;
  /** The last scene of the page before; null for the first page. */
  readonly after: store.Keyset | null;
  readonly viewer: Viewer;
  readonly mayDownload: (registered: RegisteredDataset) => boolean;
}

/**
 * One page of the store, the table of datasets without a source, and the sources, merged newest first. The answer has
 * a stored scene as the store has it, also when a source has it too.
 */
export async function searchScenes(
  deps: SearchDeps,
  { plan, after, viewer, mayDownload }: PlannedSearch,
  signal: AbortSignal,
): Promise<SearchResult> {
  const now = deps.clock.now();
  const frame = searchFrame(
    plan,
    after === null ? null : { acquiredAtMs: after.acquiredAt.getTime(), sceneId: after.sceneId },
  );
  const streams = await searchStreams(deps, audiencesOf(viewer), frame, now, signal);
  const known = new Map<string, store.KnownSceneRow>();
  const select = (hits: readonly Hit[]): Promise<ReadonlySet<Hit>> => withoutStored(deps.db, known, hits);
  const { hits, failed } = await mergeHits(streams, plan.limit + 1, select, { log: deps.log, signal });
  const page = hits.slice(0, plan.limit);
  const scenes = await pageScenes(deps, page, { known, forceRefresh: plan.forceRefresh, now });
  const last = hits.length > plan.limit ? page.findLast(({ key }) => scenes.has(key.sceneId)) : undefined;
  return {
    results: foundScenes(page, scenes, plan, mayDownload),
    cursor: last === undefined ? null : (scenes.get(last.key.sceneId)?.sceneKey ?? null),
    ...(failed.length === 0
      ? {}
      : { failedDatasets: failed.map((one) => ({ ...one, ...requestedName(plan.names, one) })) }),
  };
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
