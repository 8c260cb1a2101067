import { CLOUD_MARGIN_PX, MASK_CLEAR } from "../cloud/cloud-model.ts";
import type { OpticalBands } from "../optical/optical-block.ts";
import { grown } from "../texture/grown.ts";
import { countAround } from "../texture/mask-morphology.ts";
import { zeroBytes } from "../texture/texture-kernel.ts";
import type { WaterIndices } from "./path-radiance.ts";
import { BANK, COURSE, LAND_RADIUS_PX, SEED, waterMixture, type MixtureLimits } from "./water-mixture.ts";

/**
 * Pixels along a river: water is the half of them in every band, and their NDWI is above the land's. Seeds are darker
 * than 0.22, or no land around is bright enough to make them seeds.
 */
const ALONG = { courseFraction: 0.5, courseRise: 1000, seedNir: 2200 };

/** Asphalt, roofs and fields are bright in the shortwave infrared, as water never is. */
const WITH_SWIR: MixtureLimits = {
  ...ALONG,
  seedFraction: 0.55,
  seedNdwi: -3000,
  seedNdvi: 4000,
  seedRise: 2500,
  bankFraction: 0.4,
};
/** Without it a road differs from a river by its colour only. */
const WITHOUT_SWIR: MixtureLimits = {
  ...ALONG,
  seedFraction: 0.75,
  seedNdwi: -1500,
  seedNdvi: 3000,
  seedRise: 3000,
  bankFraction: 0.5,
};
/** Seeds stand by each other: so many in a square of so many pixels to each side. Lone ones are shadows. */
const FEWEST_SEEDS = 5;
const SUPPORT_RADIUS_PX = 4;
/** Steps along a river, and from there to the banks. */
const COURSE_STEPS = 4;
const BANK_STEPS = 3;

/** Narrower things than pixels of this size are ditches, and as dark as shadows of houses and trees. */
const FINEST_GSD_M = 3.2;

/** Pixels around that the result of one pixel depends on. */
export const NARROW_WATER_REACH_PX =
  COURSE_STEPS + BANK_STEPS + SUPPORT_RADIUS_PX + Math.max(LAND_RADIUS_PX, CLOUD_MARGIN_PX);

/**
 * Rivers, ditches and banks of few pixels: 1 where water makes up a good part of a pixel, else 0.
 *
 * Pixels are taken as mixtures of water and of the land around. A shadow sinks from that land as well, but its NDWI stays
 * near the land's. A river begins where five or more pixels near each other are water for the most part, in both bands
 * and by NDWI. It goes on for a bounded number of steps, first along its course, then to its banks.
 *
 * Without a red band nothing tells a river from a damp field, and none is found.
 *
 * @param mask as `cloudMask` gives it: only clear pixels can be water
 */
export function narrowWater(
  bands: OpticalBands,
  indices: Pick<WaterIndices, "ndvi" | "ndwi">,
  mask: Uint8Array,
  gsdM: number,
): Uint8Array {
  const { ndvi, ndwi } = indices;
  const water = zeroBytes(mask.length);
  if (gsdM <= FINEST_GSD_M || ndvi === null) return water;
  const { columns, rows } = bands;
  const limits = bands.planes.S1 === undefined ? WITHOUT_SWIR : WITH_SWIR;
  const mixture = waterMixture(bands, { ndvi, ndwi }, mask, limits);
  // Few blocks have rivers: this is the end of most.
  if (mixture === null || mixture.seeds < FEWEST_SEEDS) return water;
  const { bits } = mixture;
  const seeds = bits.map((value) => value & SEED);
  const support = countAround(seeds, columns, rows, SUPPORT_RADIUS_PX);
  let front: number[] = [];
  for (let i = 0; i < seeds.length; i++) {
    if (seeds[i] === 0 || support[i]! < FEWEST_SEEDS) continue;
    water[i] = 1;
    front.push(i);
  }
  front = grown(front, COURSE_STEPS, water, columns, (i) => {
    return mask[i] === MASK_CLEAR && (bits[i]! & COURSE) !== 0;
  });
  grown(front, BANK_STEPS, water, columns, (i) => {
    return mask[i] === MASK_CLEAR && (bits[i]! & BANK) !== 0;
  });
  return water;
}
