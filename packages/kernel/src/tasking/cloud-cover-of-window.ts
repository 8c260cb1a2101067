import { incompleteBeta } from "../distributions/beta.ts";
import type { SensorLimits } from "./sensor-limits.ts";

/** Mean cloud cover between two latitudes, the upper one of the last band included. */
interface Zone {
  readonly belowLatDeg: number;
  readonly cover: number;
}

/** Yearly means over land and sea; a place may differ by 0.2. */
const ZONES: readonly Zone[] = [
  { belowLatDeg: -60, cover: 0.75 },
  { belowLatDeg: -45, cover: 0.85 },
  { belowLatDeg: -30, cover: 0.7 },
  { belowLatDeg: -15, cover: 0.55 },
  { belowLatDeg: 0, cover: 0.62 },
  { belowLatDeg: 15, cover: 0.65 },
  { belowLatDeg: 30, cover: 0.5 },
  { belowLatDeg: 45, cover: 0.6 },
  { belowLatDeg: 60, cover: 0.7 },
];
const NORTHERNMOST_COVER = 0.72;
/** Skies are mostly clear or mostly covered: the density is high at both ends. */
const CONCENTRATION = 0.9;

/**
 * Mean cloud cover at a latitude, 0..1, by the climate of its zone.
 *
 * @see domain notes, "Cloud cover of a window"
 */
export function climaticCloudCover(latDeg: number): number {
  return ZONES.find(({ belowLatDeg }) => latDeg < belowLatDeg)?.cover ?? NORTHERNMOST_COVER;
}

/** Clouds to be expected in a window and the prospects of an order with a limit. */
export interface CloudProspect {
  /** Mean, 0..1; 0 for a radar, which sees through clouds. */
  readonly cloudCover: number;
  /** That a capture has no more clouds than the limit, 0..1. */
  readonly probability: number;
  /** Captures until one of them meets the limit, on average; at least 1. Infinite when none can. */
  readonly expectedAttempts: number;
}

/**
 * The clouds that a window of a sensor can expect at a latitude.
 *
 * @param maxCloudCover 0..1, the limit of the order
 */
export function cloudCoverOfWindow(sensor: SensorLimits["kind"], latDeg: number, maxCloudCover: number): CloudProspect {
  if (sensor === "radar") return { cloudCover: 0, probability: 1, expectedAttempts: 1 };
  const cloudCover = climaticCloudCover(latDeg);
  const probability = clearProbability(cloudCover, maxCloudCover);
  return { cloudCover, probability, expectedAttempts: 1 / probability };
}

/** That a capture has at most so many clouds, where their mean is known: both 0..1. */
function clearProbability(meanCover: number, maxCloudCover: number): number {
  if (meanCover <= 0) return 1;
  if (meanCover >= 1) return maxCloudCover >= 1 ? 1 : 0;
  return incompleteBeta(CONCENTRATION * meanCover, CONCENTRATION * (1 - meanCover), maxCloudCover);
}
