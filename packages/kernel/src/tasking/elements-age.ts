const DAY_MS = 86_400_000;
/** Beyond it the along-track error of SGP4 grows to kilometres. */
export const STALE_ELEMENTS_DAYS = 14;
/** Beyond it elements say nothing about single passes. */
export const MAX_ELEMENTS_AGE_DAYS = 60;
const SECONDS_PER_DAY_OF_AGE = 0.05;
const LEAST_UNCERTAINTY_S = 1;

/** Thrown for elements whose epoch is further from the requested time than SGP4 can bridge. */
export class OldElementsError extends RangeError {
  override readonly name = "OldElementsError";
}

/** Days between the epoch of elements and the furthest end of an interval, whichever side of it. */
export function elementsAgeDays(epochMs: number, fromMs: number, toMs = fromMs): number {
  return Math.max(Math.abs(fromMs - epochMs), Math.abs(toMs - epochMs)) / DAY_MS;
}

/**
 * By how much a window may begin or end earlier or later, seconds.
 *
 * @see domain notes, "Feasibility by SGP4"
 */
export function windowUncertaintyS(ageDays: number): number {
  return Math.max(LEAST_UNCERTAINTY_S, SECONDS_PER_DAY_OF_AGE * ageDays);
}

/** @throws {OldElementsError} when elements are too old for the interval */
export function requireFreshElements(satellite: string, epochMs: number, fromMs: number, toMs: number): void {
  const ageDays = elementsAgeDays(epochMs, fromMs, toMs);
  if (ageDays <= MAX_ELEMENTS_AGE_DAYS) return;
  throw new OldElementsError(
    `the elements of ${satellite} of ${new Date(epochMs).toISOString()} are ${ageDays.toFixed(1)} days from ` +
      `the requested interval, expected at most ${MAX_ELEMENTS_AGE_DAYS}`,
  );
}
