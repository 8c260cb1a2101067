import type { Clock } from "@swath/base/clock";
import type { Db } from "../../../platform/context.ts";
import { deleteExpiredWindows } from "./window-store.ts";

export const FORGET_WINDOWS_EVERY_MS = 10 * 60_000;
/** An expired window is named by its refusal for a while. */
const KEPT_MS = 24 * 3_600_000;
const BATCH = 1_000;

/** Removes windows that expired a day ago, in batches until none is left or the signal aborts; answers how many. */
export async function forgetWindows(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  let removed = 0;
  let batch = BATCH;
  while (batch === BATCH && !signal.aborted) {
    batch = await deleteExpiredWindows(db, before, BATCH);
    removed += batch;
  }
  return removed;
}
