import { boundsPolygon } from "../packages/kernel/src/geometry/bounds-polygon.ts";

/** A search that finds no scene: it measures the queue, not the catalogue. */
export const SMALL_SEARCH = {
  datasets: [{ provider: "local", dataset: "uploads" }],
  extent: boundsPolygon([14, 50, 14.01, 50.01]),
} as const;
