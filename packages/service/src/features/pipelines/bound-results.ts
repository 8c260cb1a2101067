import type { Db } from "../../platform/context.ts";
import { dropOldResults, pipelineTableBytes } from "../../platform/queue/result-bound-store.ts";

const BATCH = 1_000;
/** The newest results of a group take at most a quarter of the room, whatever the others keep. */
const SHARE_OF_GROUP = 1 / 4;

/** Drops the oldest results beyond the bound, in batches until none is left or the signal aborts. */
export async function boundResults(db: Db, totalBytes: number, signal: AbortSignal): Promise<void> {
  if ((await pipelineTableBytes(db)) <= totalBytes * SHARE_OF_GROUP) return;
  const bounds = { totalBytes, groupBytes: totalBytes * SHARE_OF_GROUP, limit: BATCH };
  let dropped = BATCH;
  while (dropped === BATCH && !signal.aborted) dropped = await dropOldResults(db, bounds);
}
