import { countInWork, createRequestsInWork, type RequestsInWork } from "./requests-in-work.ts";

/** Requests that are answered within milliseconds, of all servers of this process: they share one event loop. */
export const lightRequests: RequestsInWork = createRequestsInWork();

/** A user who is answered asks the next thing within this time, ms. */
export const MOMENT_MS = 1;
/** A request counts as light for so long, ms: long polls and streams last for minutes and use little. */
const LONGEST_LIGHT_MS = 50;

/** Whether no light request is in work or has ended within the last moment. */
export function isQuiet(light: RequestsInWork, nowMs: number): boolean {
  return nowMs - light.endedMs >= MOMENT_MS && countInWork(light, nowMs, LONGEST_LIGHT_MS) === 0;
}
