import { setImmediate as nextTurn } from "node:timers/promises";

/** Time that work holds the event loop before others get their turn: a tile takes half of it. */
const SHARE_MS = 1;

/** A share of the event loop for a long loop of short steps: it pauses by elapsed time, whatever a step costs. */
export interface LoopShare {
  /** When the loop last gave way, in milliseconds of `performance.now`. */
  sinceMs: number;
}

export function loopShare(): LoopShare {
  return { sinceMs: performance.now() };
}

/** Whether the share is used up: then `giveWay` is due. */
export function isUsedUp({ sinceMs }: LoopShare): boolean {
  return performance.now() - sinceMs >= SHARE_MS;
}

/** Lets others run. @throws the signal's reason when it aborts */
export async function giveWay(share: LoopShare, signal?: AbortSignal): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
  share.sinceMs = performance.now();
}
