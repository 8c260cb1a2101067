import type { LandCoverFeatures } from "./features.ts";

/** Contrast of roofs where there is none to see: clear scenes of Sentinel-2 have 4 to 7 there. */
const USUAL = 7;
const PLAINEST = 0.01;
const LEVELS = 32_768;
/** Water is plainer than land, and darker. */
const MOST_NDWI_OF_LAND = -1000;

export interface NoiseLook {
  readonly features: Pick<LandCoverFeatures, "density" | "ndwi">;
  /** 1 for pixels that count. */
  readonly mask: Uint8Array;
}

/**
 * Contrast of roofs of the plainest hundredth of the land, beyond a clear scene: noise of the sensor, of compression or of
 * stretching, which every pixel of the scene has.
 */
export function noiseLevel(looks: readonly NoiseLook[]): number {
  const counts = new Uint32Array(LEVELS);
  let total = 0;
  for (const { features, mask } of looks) {
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] !== 1 || features.ndwi[i]! > MOST_NDWI_OF_LAND) continue;
      counts[Math.max(0, features.density[i]!)]!++;
      total++;
    }
  }
  let below = 0;
  for (let level = 0; level < LEVELS; level++) {
    below += counts[level]!;
    if (below > PLAINEST * total) return Math.max(0, level - USUAL);
  }
  return 0;
}
