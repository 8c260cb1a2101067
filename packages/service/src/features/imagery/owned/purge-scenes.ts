import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { Trx } from "../../../platform/context.ts";
import * as store from "./owned-store.ts";

export interface PurgedScenes {
  /** Keys of blobs that no scene names any more. */
  readonly blobKeys: readonly string[];
  readonly removed: number;
  /** Scenes looked at; less than the limit when no more are due. */
  readonly seen: number;
}

/** Maps live for a year and paid area for good: scenes that are needed now are seldom looked at again. */
const LOOK_AGAIN_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes scenes whose deletion can no longer be taken back, unless maps, cuttings or paid area need them. */
export async function purgeScenes(trx: Trx, now: Date, limit: number): Promise<PurgedScenes> {
  const nextLook = new Date(now.getTime() + LOOK_AGAIN_MS);
  const { removed, seen } = await store.purgeDeleted(trx, { now, nextLook, limit });
  return { blobKeys: removed.flatMap(({ raster }) => keysOf(raster)), removed: removed.length, seen };
}

function keysOf(raster: unknown): readonly string[] {
  if (raster === null) return [];
  // Written by an ingest of this release or an earlier one.
  const keys = (raster as StoredRaster).bands.flatMap(({ key, maskKey }) => [key, maskKey]);
  return [...new Set(keys.filter((key) => key !== null))];
}
