import { setImmediate as nextTurn } from "node:timers/promises";
import { lightRequests, untilQuiet } from "./light-requests.ts";

/** Time that work holds the event loop before others get their turn: a tile takes as long. */
const SHARE_MS = 0.5;
/** The longest wait for light requests in all, ms: beside a server that is never quiet large work takes so much longer. */
const PATIENCE_MS = 50;

/** A share of the event loop for a long loop of short steps: it pauses by elapsed time, whatever a step costs. */
export interface LoopShare {
  /** When the loop last gave way, in milliseconds of `performance.now`. */
  sinceMs: number;
  /** Rest of its wait for light requests, ms. */
  patienceMs: number;
}

export function loopShare(): LoopShare {
  return { sinceMs: performance.now(), patienceMs: PATIENCE_MS };
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

/**
 * Lets others run until no light request is in work, for 50 ms of the share at most. For work on large input, whose garbage
 * makes a light request wait for milliseconds more. The caller's own request must not count as light.
 *
 * @throws the signal's reason when it aborts
 */
export async function giveWayToLight(share: LoopShare, signal?: AbortSignal): Promise<void> {
  await giveWay(share, signal);
  share.patienceMs -= await untilQuiet(lightRequests, share.patienceMs, signal);
  share.sinceMs = performance.now();
}
