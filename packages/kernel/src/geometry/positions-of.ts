import type { LinearRing } from "./geojson.ts";

/** Number of positions of all rings, closing ones counted. */
export function positionsOf(rings: readonly LinearRing[]): number {
  return rings.reduce((sum, { length }) => sum + length, 0);
}
