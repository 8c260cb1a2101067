import { edgesMeetMoreThan } from "./edge-meetings.ts";
import type { LinearRing } from "./geojson.ts";

const MAX_POSITIONS = 200;
/** Two hundred positions can meet 20,000 times, which takes an overlay a quarter of a second. */
const MAX_MEETINGS = 500;

/** Whether an overlay of all these rings takes a few milliseconds at most. */
export function isQuickOverlay(rings: readonly LinearRing[]): boolean {
  const positions = rings.reduce((sum, { length }) => sum + length, 0);
  return positions <= MAX_POSITIONS && !edgesMeetMoreThan(rings, MAX_MEETINGS);
}
