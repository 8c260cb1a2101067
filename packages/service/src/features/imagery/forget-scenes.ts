import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import type { SourceBindings } from "../../sources/bindings.ts";
import { knownDatasetKeys, type DatasetKeys } from "./dataset-keys.ts";
import { deleteAbandonedCrawls } from "../../sources/stac-static/store.ts";
import * as store from "./store.ts";

export interface ForgetScenesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, "providers">;
  readonly sources: Pick<SourceBindings, "sourceOf">;
  readonly keys: DatasetKeys;
  /** Days that scenes of sources stay known without a request. */
  readonly catalogueDays: number;
}

const BATCH = 1000;
const DAY_MS = 86_400_000;

/** Removes scenes of sources without a recent request that nothing here needs; answers how many. */
export async function forgetScenes(
  { db, clock, catalog, sources, keys, catalogueDays }: ForgetScenesDeps,
  signal?: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - catalogueDays * DAY_MS);
  await deleteAbandonedCrawls(db, before);
  const orphaned = catalog.providers.flatMap(({ id: provider, datasets }) =>
    datasets
      .filter(({ dataset }) => sources.sourceOf(provider, dataset) === null)
      .map(({ dataset }) => ({ provider, dataset })),
  );
  const orphanedKeys = [...(await knownDatasetKeys(keys, orphaned)).values()];
  let forgotten = 0;
  // Short statements, one after the other.
  for (;;) {
    signal?.throwIfAborted();
    const deleted = await store.deleteForgotten(db, { before, orphanedKeys, limit: BATCH });
    forgotten += deleted;
    if (deleted < BATCH) return forgotten;
  }
}
