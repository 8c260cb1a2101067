import type { ElementSet } from "../orbits/element-set.ts";
import { elementsAgeDays, MAX_ELEMENTS_AGE_DAYS, STALE_ELEMENTS_DAYS } from "./elements-age.ts";

/** The satellite that an element set should describe. */
export interface ExpectedSatellite {
  readonly name: string;
  readonly catalogueNumber: number;
  /** Revolutions per day; null when it is not known. */
  readonly meanMotionRevPerDay: number | null;
}

const MAX_MOTION_DIFFERENCE = 0.05;
const MAX_ECCENTRICITY = 0.02;

/**
 * Reasons why an element set cannot be the satellite's, or is of no use.
 *
 * @param nowMs milliseconds since 1970, UTC
 * @see domain notes, "TLE hygiene"
 */
export function elementSetFaults(set: ElementSet, satellite: ExpectedSatellite, nowMs: number): readonly string[] {
  const faults: string[] = [];
  const { catalogueNumber, meanMotionRevPerDay: expected } = satellite;
  if (set.catalogueNumber !== catalogueNumber) {
    faults.push(`the catalogue number is ${set.catalogueNumber}, expected ${catalogueNumber}`);
  }
  const ageDays = elementsAgeDays(set.epochMs, nowMs);
  if (ageDays > MAX_ELEMENTS_AGE_DAYS) {
    faults.push(
      `the epoch ${new Date(set.epochMs).toISOString()} is ${ageDays.toFixed(1)} days from now, ` +
        `expected at most ${MAX_ELEMENTS_AGE_DAYS}`,
    );
  }
  if (expected !== null && Math.abs(set.meanMotionRevPerDay - expected) > MAX_MOTION_DIFFERENCE) {
    faults.push(
      `the mean motion is ${set.meanMotionRevPerDay} revolutions a day, expected ${expected} within ` +
        String(MAX_MOTION_DIFFERENCE),
    );
  }
  if (set.eccentricity >= MAX_ECCENTRICITY) {
    faults.push(`the eccentricity is ${set.eccentricity}, expected less than ${MAX_ECCENTRICITY}`);
  }
  return faults;
}

/** A warning about elements that are used although they are old; null for fresh ones. */
export function staleElementsWarning(set: Pick<ElementSet, "name" | "epochMs">, atMs: number): string | null {
  const ageDays = elementsAgeDays(set.epochMs, atMs);
  if (ageDays <= STALE_ELEMENTS_DAYS) return null;
  return (
    `the elements of ${set.name} are ${ageDays.toFixed(1)} days old, beyond ${STALE_ELEMENTS_DAYS} days ` +
    "windows shift by seconds: import newer ones"
  );
}
