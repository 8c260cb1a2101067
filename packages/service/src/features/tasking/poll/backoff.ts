const FIRST_MS = 2_000;
const MOST_MS = 30 * 60_000;

/**
 * Pause before the next question after failures in a row: doubled with each, at most half an hour, scattered over its
 * second half so that orders that failed together do not come back together.
 *
 * @param failures 1 or more
 * @param random 0 to below 1
 */
export function backoffMs(failures: number, random: number): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return longest * (0.5 + random / 2);
}
