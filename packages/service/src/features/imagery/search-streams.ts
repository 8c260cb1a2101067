import type { RegisteredDataset } from "../../providers/catalog.ts";
import type { SourceBindings } from "../../sources/bindings.ts";
import type { SceneSource } from "@swath/raster/source/scene-source";
import type { Db } from "../../platform/context.ts";
import { datasetNameOf, registeredName } from "./dataset-keys.ts";
import type { SearchFrame } from "./hit.ts";
import type { HitStream } from "./merge-hits.ts";
import { sourceHits } from "./source-hits.ts";
import type { PixelCondition } from "./pixel-condition.ts";
import { tableHits } from "./table-hits.ts";

export interface SearchStreamsDeps {
  readonly db: Db;
  readonly sources: Pick<SourceBindings, "sourceOf">;
  /** How long a source may take for one page. */
  readonly sourceTimeoutMs: number;
}

/** Scenes asked of a source at once, in shares of the page: a catalogue over the network is better asked only once. */
const FETCHED_PAGE_SHARE = 1.5;
const COMPUTED_PAGE_SHARE = 1.1;
const MIN_SOURCE_PAGE = 20;
const MAX_SOURCE_PAGE = 1000;

/** What the streams of a search read by. */
export interface StreamsReading {
  /** Null reads the scenes of all. */
  readonly audiences: readonly string[] | null;
  /** Keys of datasets with rows, by `datasetNameOf`. */
  readonly keys: ReadonlyMap<string, number>;
  readonly now: Date;
  /** Whether few scenes are expected. */
  readonly isSparse: boolean;
}

/** Everything a search reads: the store, the table of datasets without a source, and the sources. */
export function searchStreams(
  { db, sources, sourceTimeoutMs }: SearchStreamsDeps,
  { audiences, isSparse, keys, now }: StreamsReading,
  frame: SearchFrame,
  signal: AbortSignal,
): readonly HitStream[] {
  const { plan } = frame;
  const bound = plan.datasets.map((registered) => ({ registered, source: sourceOf(sources, registered) }));
  const remote = plan.onlyIngested
    ? []
    : bound.flatMap(({ registered, source }) => (source === null ? [] : [registered]));
  const local = plan.datasets.filter((one) => !remote.includes(one));
  const asked = bound.flatMap(({ registered, source }) =>
    source !== null && remote.includes(registered) && mayHaveHits(frame, registered) ? [{ registered, source }] : [],
  );
  const table = (datasets: readonly RegisteredDataset[], pixels: PixelCondition, withClipped: boolean): HitStream => ({
    registered: null,
    hits: tableHits(
      db,
      frame,
      { datasetKeys: keysOf(datasets, keys), pixels, withClipped, audiences, isSparse },
      now.getTime(),
      signal,
    ),
  });
  // A scene without a source can only be downloaded from the store, or from the files of its item.
  const localPixels = plan.onlyIngested ? "stored" : plan.onlyDownloadable ? "available" : "any";
  return [
    table(local, localPixels, true),
    // Cuttings would repeat the whole scenes of a source.
    table(remote, "stored", false),
    ...asked.map(({ registered, source }): HitStream => {
      const pageSize = pageSizeOf(source, plan.limit + 1, asked.length);
      const scope = { source, registered, pageSize, timeoutMs: sourceTimeoutMs };
      return { registered, hits: sourceHits(frame, scope, signal) };
    }),
  ];
}

function sourceOf(sources: Pick<SourceBindings, "sourceOf">, { provider, dataset }: RegisteredDataset) {
  return sources.sourceOf(provider.id, dataset.dataset);
}

function keysOf(datasets: readonly RegisteredDataset[], keys: ReadonlyMap<string, number>): readonly number[] {
  return datasets.flatMap((registered) => keys.get(datasetNameOf(registeredName(registered))) ?? []);
}

function mayHaveHits({ plan, minAreaKm2 }: SearchFrame, { dataset }: RegisteredDataset): boolean {
  return (
    (dataset.archiveDownload || !plan.onlyDownloadable) &&
    (dataset.largestSceneKm2 === null || dataset.largestSceneKm2 >= minAreaKm2)
  );
}

/** Scenes that one of several sources is asked for at once. */
function pageSizeOf({ isComputed }: SceneSource, wanted: number, sourceCount: number): number {
  const share = Math.ceil(((isComputed ? COMPUTED_PAGE_SHARE : FETCHED_PAGE_SHARE) * wanted) / sourceCount);
  return Math.min(MAX_SOURCE_PAGE, Math.max(MIN_SOURCE_PAGE, share));
}
