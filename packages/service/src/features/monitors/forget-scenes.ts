import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import { removeMonths, removeScenes } from "./forget-store.ts";
import { monthOf } from "./month-of.ts";

/** As matches of standing queries. */
const SCENES_KEPT_MS = 400 * 86_400_000;
const REMOVED_TOGETHER = 1_000;

/**
 * Scenes that matched before this moment are forgotten. A monitor that is older takes no scene acquired before it, so
 * that no scene is paid twice.
 */
export function forgottenBefore(at: Date): Date {
  return new Date(at.getTime() - SCENES_KEPT_MS);
}

/** Removes old scenes of monitors and the spending of old months. */
export async function forgetScenes(
  { clock, db }: { readonly clock: Clock; readonly db: Db },
  signal: AbortSignal,
): Promise<void> {
  const before = forgottenBefore(clock.now());
  await inBatches(signal, () => removeScenes(db, before, REMOVED_TOGETHER));
  await inBatches(signal, () => removeMonths(db, monthOf(before), REMOVED_TOGETHER));
}

async function inBatches(signal: AbortSignal, remove: () => Promise<number>): Promise<void> {
  let removed = REMOVED_TOGETHER;
  while (removed === REMOVED_TOGETHER && !signal.aborted) removed = await remove();
}
