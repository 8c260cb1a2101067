import type { Db } from "../../platform/context.ts";
import { deleteExpired } from "../../platform/queue/pipeline-store.ts";

const BATCH = 1_000;

/** Removes pipelines that ended longer ago than they are kept, in batches until none is left or the signal aborts. */
export async function removeExpired(db: Db, retentionDays: number, signal: AbortSignal): Promise<void> {
  let removed = BATCH;
  while (removed === BATCH && !signal.aborted) removed = await deleteExpired(db, retentionDays, BATCH);
}
