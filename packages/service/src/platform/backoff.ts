import { ServiceError } from "@swath/kernel/errors/service-error";

const FIRST_MS = 2_000;
const MOST_MS = 30 * 60_000;
/** A provider that wants to be left alone for longer is asked after a day. */
const MOST_WANTED_MS = 86_400_000;

/**
 * Pause before the next question after failures in a row: doubled with each, at most half an hour, scattered over its
 * second half so that questions that failed together do not come back together. A provider that names a longer pause
 * (`Retry-After`) has it.
 *
 * @param failures 1 or more
 * @param random 0 to below 1
 * @param error the latest failure
 */
export function backoffMs(failures: number, random: number, error: unknown): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.max(longest * (0.5 + random / 2), Math.min(wantedMs(error), MOST_WANTED_MS));
}

function wantedMs(error: unknown): number {
  return error instanceof ServiceError ? (error.retryAfterS ?? 0) * 1000 : 0;
}
