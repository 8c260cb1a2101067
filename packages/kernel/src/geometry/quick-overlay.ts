import { edgesMeetMoreThan } from "./edge-meetings.ts";
import { placesOnMap } from "./antimeridian.ts";
import type { LinearRing } from "./geojson.ts";
import { positionsOf } from "./positions-of.ts";
import { ringNesting } from "./ring-nesting.ts";

const MAX_POSITIONS = 200;
/** Two hundred positions can meet 20,000 times, which takes an overlay a quarter of a second. */
const MAX_MEETINGS = 500;

/** Whether an overlay of all these rings takes a few milliseconds at most. */
export function isQuickOverlay(rings: readonly LinearRing[]): boolean {
  return positionsOf(rings) <= MAX_POSITIONS && !edgesMeetMoreThan(rings, MAX_MEETINGS);
}

/** A sweep over more takes longer than a millisecond. */
export const MAX_SWEPT_POSITIONS = 1_000;

/** Whether rings are known within a millisecond to meet seldom: they do not meet at all, or are few. */
export function isSoonUntangled(rings: readonly LinearRing[]): boolean {
  if (positionsOf(rings) > MAX_SWEPT_POSITIONS) return false;
  const places = rings.flatMap(placesOnMap);
  return ringNesting(places) !== null || isQuickOverlay(places);
}
