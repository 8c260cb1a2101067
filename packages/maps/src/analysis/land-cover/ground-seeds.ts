import { planeOf, type OpticalBands } from "../optical/optical-block.ts";
import { gradientOf } from "../texture/gradient.ts";
import { GROUND_BARE, GROUND_CROPS_OR_GRASS, GROUND_TREES } from "./ground-classes.ts";
import type { LandCoverFeatures } from "./features.ts";

/** Ten-thousandths, as the planes. Bare soil and full cover: 0.2 and 0.5 of Sobrino et al. 2004, with a margin. */
const BARE_NDVI = 1500;
const LEAST_COVER_NDVI = 2500;
const MOST_OPEN_NDVI = 5000;
const DENSE_NDVI = 6500;
/**
 * Canopies shade themselves: forest is darker than fields in shortwave infrared and in visible light, the ground of
 * the forest index of Huang et al. 2008.
 */
const CANOPY_SWIR = 1800;
const FIELD_SWIR = 2000;
const CANOPY_GREEN = 450;
const FIELD_GREEN = 700;
/** Mean gradient of the near infrared over 3 x 3 pixels by its value: crowns are rough, a field of one crop is even. */
const ROUGH = 0.04;
const EVEN = 0.03;
/** Crops at their peak are brighter in the near infrared than any forest. */
const FIELD_NIR = 4500;

/**
 * Pixels of land without buildings whose class rules can tell: trees, crops or grass, and bare ground; 0 elsewhere.
 *
 * @param wanted 1 for pixels of such land
 */
export function groundSeeds(
  bands: OpticalBands,
  { ndvi, windows }: Pick<LandCoverFeatures, "ndvi" | "windows">,
  wanted: Uint8Array,
): Uint8Array {
  const green = planeOf(bands, "G");
  const nir = planeOf(bands, "N");
  const swir = bands.planes.S1 ?? null;
  const gradient = windows.mean(gradientOf(nir, bands.columns, bands.rows).magnitude, 1);
  const seeds = new Uint8Array(wanted.length);
  for (let i = 0; i < seeds.length; i++) {
    if (wanted[i] !== 1) continue;
    const cover = ndvi[i]!;
    if (cover < BARE_NDVI) seeds[i] = GROUND_BARE;
    else if (cover < LEAST_COVER_NDVI) continue;
    else if (cover <= MOST_OPEN_NDVI || nir[i]! > FIELD_NIR) seeds[i] = GROUND_CROPS_OR_GRASS;
    else {
      const shade = swir === null ? green[i]! : swir[i]!;
      const [canopy, field] = swir === null ? [CANOPY_GREEN, FIELD_GREEN] : [CANOPY_SWIR, FIELD_SWIR];
      const roughness = gradient[i]! / nir[i]!;
      if (shade > field || roughness < EVEN) seeds[i] = GROUND_CROPS_OR_GRASS;
      else if (shade < canopy && cover > DENSE_NDVI && roughness > ROUGH) seeds[i] = GROUND_TREES;
    }
  }
  return seeds;
}
