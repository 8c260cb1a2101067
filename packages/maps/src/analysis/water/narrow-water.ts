import { CLOUD_MARGIN_PX, MASK_CLEAR } from "../cloud/cloud-model.ts";
import { planeOf, type OpticalBands } from "../optical/optical-block.ts";
import { BoxWindows } from "../texture/box-sum.ts";
import { grown } from "../texture/grown.ts";
import { countAround } from "../texture/mask-morphology.ts";
import type { WaterIndices } from "./path-radiance.ts";

/** Half the window that the land around is measured in, pixels. */
const LAND_RADIUS_PX = 12;
/** Near infrared and shortwave infrared of water itself, and the least that land around must have, ten-thousandths. */
const WATER_NIR = 200;
const WATER_SWIR = 100;
const LEAST_LAND_NIR = 800;

/** What pixels must show to begin a river with; normalised differences in ten-thousandths. */
interface Rules {
  readonly seedFraction: number;
  readonly seedNdwi: number;
  readonly seedNdvi: number;
  /** How far NDWI must lie above that of the land around. */
  readonly seedRise: number;
  /** Share of water down to which pixels beside a river belong to it. */
  readonly bankFraction: number;
}

/** Asphalt, roofs and fields are bright in the shortwave infrared, as water never is. */
const WITH_SWIR: Rules = {
  seedFraction: 0.55,
  seedNdwi: -3000,
  seedNdvi: 4000,
  seedRise: 2500,
  bankFraction: 0.4,
};
/** Without it a road differs from a river by its colour only. */
const WITHOUT_SWIR: Rules = {
  seedFraction: 0.75,
  seedNdwi: -1500,
  seedNdvi: 3000,
  seedRise: 3000,
  bankFraction: 0.5,
};
/** Seeds stand by each other: so many in a square of so many pixels to each side. Lone ones are shadows. */
const FEWEST_SEEDS = 5;
const SUPPORT_RADIUS_PX = 4;
/** Steps along a river, over pixels of which water is the half in every band and whose NDWI is above the land's. */
const COURSE_STEPS = 4;
const COURSE_FRACTION = 0.5;
const COURSE_RISE = 1000;
/** Steps from there to the banks. */
const BANK_STEPS = 3;
/** Seeds are darker, or no land around is bright enough to make them seeds. */
const MOST_SEED_NIR = 2200;

/** Narrower things than pixels of this size are ditches, and as dark as shadows of houses and trees. */
const FINEST_GSD_M = 3.2;

/** Pixels around that the result of one pixel depends on. */
export const NARROW_WATER_REACH_PX =
  COURSE_STEPS + BANK_STEPS + SUPPORT_RADIUS_PX + Math.max(LAND_RADIUS_PX, CLOUD_MARGIN_PX);

/**
 * Rivers, ditches and banks of few pixels: 1 where water makes up a good part of a pixel, else 0.
 *
 * A pixel is taken as a mixture of water and of the land around it (linear unmixing with two members). The land is the mean
 * of a window, weighted by the near infrared, so that the water in it counts for nothing; the share of water is how far the pixel
 * has sunk from that land to water, in near infrared and shortwave infrared each. A shadow sinks as well, but its
 * NDWI stays near that of the land it falls on. Where five or more pixels near each other are water for the most
 * part in both bands and by NDWI, the river goes on from them for a bounded number of steps, first along its course, then to
 * its banks.
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
  const water = new Uint8Array(mask.length);
  if (gsdM <= FINEST_GSD_M || ndvi === null) return water;
  const { columns, rows } = bands;
  const nir = planeOf(bands, "N");
  const rules = bands.planes.S1 === undefined ? WITHOUT_SWIR : WITH_SWIR;
  const { seedNdwi, seedNdvi } = rules;
  const seeds = new Uint8Array(mask.length);
  let candidates = 0;
  for (let i = 0; i < seeds.length; i++) {
    if (mask[i] !== MASK_CLEAR || ndwi[i]! <= seedNdwi || ndvi[i]! >= seedNdvi || nir[i]! >= MOST_SEED_NIR) continue;
    seeds[i] = 1;
    candidates++;
  }
  if (candidates < FEWEST_SEEDS) return water;
  const mixture = new Mixture(bands, ndwi);
  candidates = 0;
  for (let i = 0; i < seeds.length; i++) {
    if (seeds[i] === 0) continue;
    if (mixture.nirFraction(i) > rules.seedFraction) candidates++;
    else seeds[i] = 0;
  }
  // Few blocks have rivers: this is the end of most.
  if (candidates < FEWEST_SEEDS) return water;
  for (let i = 0; i < seeds.length; i++) {
    if (seeds[i] === 0) continue;
    const fits = mixture.leastFraction(i) > rules.seedFraction && mixture.rise(i) > rules.seedRise;
    seeds[i] = fits ? 1 : 0;
  }
  const support = countAround(seeds, columns, rows, SUPPORT_RADIUS_PX);
  let front: number[] = [];
  for (let i = 0; i < seeds.length; i++) {
    if (seeds[i] === 0 || support[i]! < FEWEST_SEEDS) continue;
    water[i] = 1;
    front.push(i);
  }
  front = grown(front, COURSE_STEPS, water, columns, (i) => {
    return mask[i] === MASK_CLEAR && mixture.leastFraction(i) > COURSE_FRACTION && mixture.rise(i) > COURSE_RISE;
  });
  grown(front, BANK_STEPS, water, columns, (i) => {
    return mask[i] === MASK_CLEAR && mixture.bankFraction(i) > rules.bankFraction;
  });
  return water;
}

/** Pixels as mixtures of water and the land around; sums over the land are worked out when they are first asked for. */
class Mixture {
  readonly #windows: BoxWindows;
  readonly #nir: Int16Array;
  readonly #swir: Int16Array | null;
  readonly #ndwi: Int16Array;
  /** Near infrared of valid pixels, at least 0. */
  readonly #weight: Int16Array;
  /** Sums over the window, weighted by the near infrared: of ones, near infrared, shortwave infrared and NDWI. */
  readonly #weights: Float64Array;
  readonly #nirs: Float64Array;
  #swirs: Float64Array | null = null;
  #ndwis: Float64Array | null = null;

  constructor(bands: OpticalBands, ndwi: Int16Array) {
    const { columns, rows, valid } = bands;
    this.#nir = planeOf(bands, "N");
    this.#swir = bands.planes.S1 ?? null;
    this.#ndwi = ndwi;
    this.#weight = new Int16Array(valid.length);
    for (let i = 0; i < valid.length; i++) this.#weight[i] = Math.max(0, this.#nir[i]!);
    this.#windows = new BoxWindows(valid, columns, rows);
    this.#weights = this.#windows.sums(this.#weight, LAND_RADIUS_PX);
    this.#nirs = this.#windows.sumsOfSquares(this.#weight, LAND_RADIUS_PX);
  }

  #weighted(plane: Int16Array): Float64Array {
    return this.#windows.sumsOfProducts(this.#weight, plane, LAND_RADIUS_PX);
  }

  /** Share of water by the near infrared, below 0 where the land around is darker than the pixel or than land is. */
  nirFraction(i: number): number {
    const land = this.#nirs[i]! / this.#weights[i]!;
    return land > LEAST_LAND_NIR ? (land - this.#nir[i]!) / (land - WATER_NIR) : -1;
  }

  #swirFraction(swir: Int16Array, i: number): number {
    this.#swirs ??= this.#weighted(swir);
    const land = this.#swirs[i]! / this.#weights[i]!;
    return land > 2 * WATER_SWIR ? (land - swir[i]!) / (land - WATER_SWIR) : -1;
  }

  leastFraction(i: number): number {
    const byNir = this.nirFraction(i);
    return this.#swir === null ? byNir : Math.min(byNir, this.#swirFraction(this.#swir, i));
  }

  /** Wet ground and trees over banks are dark in the near infrared already. */
  bankFraction(i: number): number {
    return this.#swir === null ? this.nirFraction(i) : this.#swirFraction(this.#swir, i);
  }

  /** How far NDWI lies above that of the land around, ten-thousandths. */
  rise(i: number): number {
    this.#ndwis ??= this.#weighted(this.#ndwi);
    return this.#ndwi[i]! - this.#ndwis[i]! / this.#weights[i]!;
  }
}
