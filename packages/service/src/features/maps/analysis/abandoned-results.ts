import { randomUUID } from "node:crypto";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Db } from "../../../platform/context.ts";
import { removeBlobs, resultPrefix } from "./result-blobs.ts";
import { LEASE_MS } from "./result-lease.ts";
import * as store from "./result-store.ts";

/** A pipeline that is repeated after a crash takes its result over long before. */
const ABANDONED_MS = 60 * 60 * 1000;
const ABANDONED_BATCH = 20;

/** Removes the rows and blobs of results that dead processes left unfinished and nobody has asked for since. */
export async function removeAbandoned(db: Db, blobs: BlobStore): Promise<void> {
  const sweeper = randomUUID();
  for (const resultId of await store.claimAbandoned(db, sweeper, LEASE_MS, ABANDONED_MS, ABANDONED_BATCH)) {
    await removeBlobs(blobs, resultPrefix(resultId));
    // Last, so that a crash before it repeats the rest.
    await store.releaseResult(db, resultId, sweeper);
  }
}
