import type { Landscape } from "./landscape.ts";
import { sample } from "./lattice.ts";
import { fractalNoise, smoothStep } from "./noise.ts";

/** Height of the cloud base over the ground, which decides how far off the shadows fall. */
const BASE_M = 700;

export interface Clouds {
  /** Opacity of the clouds over a place, 0 to 1. */
  readonly cover: (x: number, y: number) => number;
  /** How much of the sunlight the clouds keep from a place on the ground, 0 to 1. */
  readonly shadow: (x: number, y: number) => number;
  /** Brightness of the cloud top over a place, around 1: sunlit flanks are brighter. */
  readonly light: (x: number, y: number) => number;
}

/** Fair-weather cumulus in clusters, with shadows away from the sun. */
export function createClouds(landscape: Landscape): Clouds {
  const { seed, cloudiness } = landscape.options;
  const threshold = 0.62 - 0.8 * cloudiness;
  const density = (x: number, y: number): number => {
    const bias = sample(landscape.lattice, landscape.cloudBias, x, y);
    // Most places are too far below the threshold for the finer octaves to matter.
    if (cloudiness === 0 || 0.5 * bias + 0.5 < threshold) return -1;
    return 0.5 * bias + 0.9 * fractalNoise(x / 400, y / 400, 6, seed + 60) - threshold;
  };
  const reachM = BASE_M * landscape.shadowRun;
  const cover = (x: number, y: number): number => smoothStep(0, 0.22, density(x, y));
  return {
    cover,
    shadow: (x, y) => cover(x + landscape.sunX * reachM, y + landscape.sunY * reachM),
    light: (x, y) => {
      const here = density(x, y);
      const slope = density(x + landscape.sunX * 30, y + landscape.sunY * 30) - here;
      return 0.8 + 0.25 * smoothStep(0, 0.5, here) + Math.min(0.2, Math.max(-0.3, -2 * slope));
    },
  };
}
