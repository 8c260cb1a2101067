import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import { discardParts } from "./fetch-scene.ts";
import * as store from "./on-demand-store.ts";

const BATCH = 200;
/** Finished rasters of a scene that nobody fetches any more wait so long for somebody who does. */
const ABANDONED_S = 24 * 60 * 60;
const FORGOTTEN_S = 7 * 24 * 60 * 60;

/** Removes replaced blobs, what unfinished ingestions have left, and rows that say nothing any more. */
export async function sweepOnDemand(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
}): Promise<void> {
  const { db, clock, blobs } = deps;
  for (const key of await store.findRetired(db, clock.now(), BATCH)) {
    await blobs.delete(key);
    await store.deleteRetired(db, key);
  }
  for (const targetId of await store.findAbandoned(db, ABANDONED_S, BATCH)) {
    await discardParts(deps, targetId);
  }
  await store.deleteOld(db, FORGOTTEN_S, BATCH);
}
