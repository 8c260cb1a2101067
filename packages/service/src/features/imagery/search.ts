import { simplifyFootprint } from "@swath/kernel/geometry/simplify";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import type { Log } from "@swath/base/log/log";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import type { SourceBindings } from "../../sources/bindings.ts";
import type { SceneSource } from "@swath/raster/source/scene-source";
import { byId, rememberScenes } from "./catalogue-rows.ts";
import type { FoundScene, SearchResult } from "@swath/contract/features/imagery/contract";
import { searchFrame, type Hit } from "./hit.ts";
import { mergeHits, type HitStream } from "./merge-hits.ts";
import { toScene } from "./scene-record.ts";
import type { SearchPlan } from "./search-plan.ts";
import { sourceHits } from "./source-hits.ts";
import * as store from "./store.ts";
import { tableHits } from "./table-hits.ts";

export interface SearchDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sources: SourceBindings;
  readonly log: Log | null;
  readonly sourceTimeoutMs: number;
  /** Keys of the datasets that have rows. */
  readonly knownKeys: (
    names: readonly { readonly provider: string; readonly dataset: string }[],
  ) => Promise<readonly number[]>;
  readonly datasetKeyOf: (scene: Scene) => Promise<number>;
}

export type Search = (
  plan: SearchPlan,
  after: store.Keyset | null,
  signal: AbortSignal,
  mayDownload: (registered: RegisteredDataset) => boolean,
) => Promise<SearchResult>;

/** How old the row of a source's scene may be before a search that meets it again brings it up to date. */
const REFRESH_MS = 86_400_000;
/** Scenes asked of a source at once, in shares of the page: a catalogue over the network is better asked only once. */
const FETCHED_PAGE_SHARE = 1.5;
const COMPUTED_PAGE_SHARE = 1.1;
const MIN_SOURCE_PAGE = 20;
const MAX_SOURCE_PAGE = 1000;

function nameOf(one: { readonly provider: string; readonly dataset: string }): string {
  return `${one.provider} ${one.dataset}`;
}

function names(datasets: readonly RegisteredDataset[]) {
  return datasets.map(({ provider, dataset }) => ({ provider: provider.id, dataset: dataset.dataset }));
}

/**
 * Searches as they are run: what is stored, the table of datasets that have no source, and the sources, merged
 * newest first. A scene that is stored is answered as the store has it, wherever else it was found.
 */
export function createSearch({
  db,
  clock,
  sources,
  log,
  sourceTimeoutMs,
  knownKeys,
  datasetKeyOf,
}: SearchDeps): Search {
  const sourceOf = ({ provider, dataset }: RegisteredDataset) => sources.sourceOf(provider.id, dataset.dataset);

  return async (plan, after, signal, mayDownload) => {
    const now = clock.now();
    const frame = searchFrame(
      plan,
      after === null ? null : { acquiredAtMs: after.acquiredAt.getTime(), sceneId: after.sceneId },
    );
    const registeredOf = new Map(
      plan.datasets.map((one) => [nameOf({ provider: one.provider.id, dataset: one.dataset.dataset }), one]),
    );
    const remote = plan.onlyIngested ? [] : plan.datasets.filter((one) => sourceOf(one) !== null);
    const local = plan.datasets.filter((one) => !remote.includes(one));
    const asked = remote.filter(
      ({ dataset }) =>
        (dataset.archiveDownload || !plan.onlyDownloadable) &&
        (dataset.largestSceneKm2 === null || dataset.largestSceneKm2 >= frame.minAreaKm2),
    );
    const pageSizeOf = ({ isComputed }: SceneSource): number => {
      const share = Math.ceil(
        ((isComputed ? COMPUTED_PAGE_SHARE : FETCHED_PAGE_SHARE) * (plan.limit + 1)) / asked.length,
      );
      return Math.min(MAX_SOURCE_PAGE, Math.max(MIN_SOURCE_PAGE, share));
    };

    const [localKeys, remoteKeys] = await Promise.all([knownKeys(names(local)), knownKeys(names(remote))]);
    const table = (datasetKeys: readonly number[], onlyIngested: boolean, withClipped: boolean): HitStream => ({
      registered: null,
      hits: tableHits(db, frame, { datasetKeys, onlyIngested, withClipped }, now.getTime(), signal),
    });
    const streams: HitStream[] = [
      // What is not in the store cannot be had when nothing but the store has it.
      table(localKeys, plan.onlyIngested || plan.onlyDownloadable, true),
      // Beside the whole scenes of a source, cuttings of them would only repeat.
      table(remoteKeys, true, false),
      ...asked.flatMap((registered): HitStream[] => {
        const source = sourceOf(registered);
        if (source === null) return [];
        return [
          {
            registered,
            hits: sourceHits(
              frame,
              { source, registered, pageSize: pageSizeOf(source), timeoutMs: sourceTimeoutMs },
              signal,
            ),
          },
        ];
      }),
    ];

    /** What is ingested comes from the table, with the footprint its pixels have. */
    const known = new Map<string, store.KnownSceneRow>();
    const select = async (hits: readonly Hit[]): Promise<ReadonlySet<Hit>> => {
      const ids = hits.filter(({ origin }) => origin.kind === "source").map(({ key }) => key.sceneId);
      const rows = ids.length === 0 ? [] : await store.readKnown(db, ids);
      for (const [sceneId, row] of byId(rows)) known.set(sceneId, row);
      return new Set(
        hits.filter(({ key, origin }) => origin.kind === "table" || known.get(key.sceneId)?.ingested !== true),
      );
    };
    const { hits, failed } = await mergeHits(streams, plan.limit + 1, select, { log, signal });

    const page = hits.slice(0, plan.limit);
    const found = await scenesOf(page, known, plan, now);
    const results = page.flatMap((hit): FoundScene[] => {
      const scene = found.get(hit.key.sceneId)?.scene;
      if (scene === undefined) return [];
      const registered = registeredOf.get(nameOf(scene));
      const fetchable = hit.origin.kind === "source" && registered?.dataset.archiveDownload === true;
      return [
        {
          ...scene,
          footprint: plan.simplified ? simplifyFootprint(scene.footprint) : scene.footprint,
          downloadable: (hit.ingested || fetchable) && registered !== undefined && mayDownload(registered),
          minArea: registered?.dataset.minAreaKm2 ?? 0,
          // Such a dataset is stored in cuttings only, whether or not it is known of what.
          clippedImagery: hit.clipped || (hit.ingested && registered?.dataset.clip === "required"),
        },
      ];
    });
    const last = hits.length > plan.limit ? page.findLast(({ key }) => found.has(key.sceneId)) : undefined;
    return {
      results,
      cursor: last === undefined ? null : (found.get(last.key.sceneId)?.sceneKey ?? null),
      ...(failed.length === 0 ? {} : { failedDatasets: failed }),
    };
  };

  /** The scenes of a page with their keys; those of sources are given rows. */
  async function scenesOf(
    page: readonly Hit[],
    known: ReadonlyMap<string, store.KnownSceneRow>,
    plan: SearchPlan,
    now: Date,
  ): Promise<ReadonlyMap<string, { readonly sceneKey: number; readonly scene: Scene }>> {
    const tableKeys = page.flatMap(({ origin }) => (origin.kind === "table" ? [origin.sceneKey] : []));
    const fromSources = page.flatMap(({ origin }) => (origin.kind === "source" ? [origin.scene] : []));
    const staleBefore = plan.forceRefresh ? now : new Date(now.getTime() - REFRESH_MS);
    const [documents, remembered] = await Promise.all([
      tableKeys.length === 0 ? [] : store.readDocuments(db, tableKeys),
      rememberScenes(db, fromSources, { known, now, staleBefore, datasetKeyOf }),
    ]);
    const byKey = new Map(documents.map((row) => [row.scene_key, row.document]));
    const scenes = new Map(remembered);
    for (const { key, origin, footprint } of page) {
      if (origin.kind !== "table") continue;
      const document = byKey.get(origin.sceneKey);
      if (document === undefined) continue;
      scenes.set(key.sceneId, { sceneKey: origin.sceneKey, scene: toScene(document, footprint) });
    }
    return scenes;
  }
}
