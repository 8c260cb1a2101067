import { planeOf, type OpticalBands } from "../optical/optical-block.ts";
import { doublesOf, TextureCall } from "../texture/texture-kernel.ts";

/** Half the window that the land around is measured in, pixels. */
export const LAND_RADIUS_PX = 12;

/** Limits of pixels; normalised differences and reflectances in ten-thousandths. */
export interface MixtureLimits {
  /** Pixels that begin a river are wetter, barer and darker than these. */
  readonly seedNdwi: number;
  readonly seedNdvi: number;
  readonly seedNir: number;
  /** Share of water, and how far NDWI lies above the mean of the land around. */
  readonly seedFraction: number;
  readonly seedRise: number;
  readonly courseFraction: number;
  readonly courseRise: number;
  /** Share of water down to which pixels beside a river belong to it. */
  readonly bankFraction: number;
}

/** Bits of pixels that begin a river, can lie along one, or can belong to its banks. */
export const SEED = 1;
export const COURSE = 2;
export const BANK = 4;

export interface WaterMixture {
  /** Of each pixel; COURSE and BANK mean something where `mask` is 1. */
  readonly bits: Uint8Array;
  /** Pixels that begin a river. */
  readonly seeds: number;
}

/**
 * Pixels as mixtures of water and the land around (linear unmixing with two members). The land is the mean of a window,
 * weighted by the near infrared, so that the water in it counts for nothing. The share of water is how far the pixel has
 * sunk from that land to water: 0.02 in near infrared and 0.01 in shortwave infrared. Seeds and courses sink in both;
 * banks in the shortwave infrared, for wet ground and trees over banks are dark in the near infrared already. Where the
 * land reflects no more than 0.08, or 0.02 in shortwave infrared, nothing is water by this.
 *
 * @param mask only pixels of 1 begin a river
 * @returns null where none is wet, bare and dark enough to begin one
 */
export function waterMixture(
  bands: OpticalBands,
  { ndvi, ndwi }: { readonly ndvi: Int16Array; readonly ndwi: Int16Array },
  mask: Uint8Array,
  limits: MixtureLimits,
): WaterMixture | null {
  const { columns, rows, planes } = bands;
  const count = columns * rows;
  const call = new TextureCall();
  const { kernel } = call;
  const [pixels, bits] = [call.plane(count), call.plane(count)];
  const [nir, wet] = [call.put(planeOf(bands, "N")), call.put(ndwi)];
  const { seedNdwi, seedNdvi, seedNir } = limits;
  if (kernel.riverPixels(call.put(mask), wet, call.put(ndvi), nir, pixels, count, seedNdwi, seedNdvi, seedNir) === 0) {
    return null;
  }
  const swir = planes.S1 === undefined ? 0 : call.put(planes.S1);
  const lines = call.lines(8 * doublesOf(columns));
  const { seedFraction, seedRise, courseFraction, courseRise, bankFraction } = limits;
  const shares = [seedFraction, seedRise, courseFraction, courseRise, bankFraction] as const;
  const seeds = kernel.waterMixture(pixels, nir, swir, wet, bits, columns, rows, LAND_RADIUS_PX, lines, ...shares);
  return { bits: call.bytes(bits, count), seeds };
}
