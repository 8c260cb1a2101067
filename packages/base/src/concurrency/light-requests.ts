import { countInWork, createRequestsInWork, type RequestsInWork } from "./requests-in-work.ts";
import { sleep } from "./sleep.ts";

/** Requests that are answered within milliseconds, of all servers of this process: they share one event loop. */
export const lightRequests: RequestsInWork = createRequestsInWork();

/** A user who is answered asks the next thing within this time, ms. */
const MOMENT_MS = 1;
/** A request counts as light for so long, ms: long polls and streams last for minutes and use little. */
const LONGEST_LIGHT_MS = 50;

/** Whether no light request is in work or has ended within the last moment. */
export function isQuiet(light: RequestsInWork, nowMs: number): boolean {
  return nowMs - light.endedMs >= MOMENT_MS && countInWork(light, nowMs, LONGEST_LIGHT_MS) === 0;
}

/**
 * Waits until it is quiet, for `patienceMs` at most.
 *
 * @returns the time that it waited, ms
 * @throws the signal's reason when it aborts
 */
export async function untilQuiet(light: RequestsInWork, patienceMs: number, signal?: AbortSignal): Promise<number> {
  const fromMs = performance.now();
  let waitedMs = 0;
  while (waitedMs < patienceMs && !isQuiet(light, fromMs + waitedMs)) {
    await sleep(MOMENT_MS, signal);
    signal?.throwIfAborted();
    waitedMs = performance.now() - fromMs;
  }
  return waitedMs;
}
