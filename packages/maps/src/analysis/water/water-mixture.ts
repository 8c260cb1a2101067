import { planeOf, type OpticalBands } from "../optical/optical-block.ts";
import { doublesOf, TextureCall } from "../texture/texture-kernel.ts";

/** Half the window that the land around is measured in, pixels. */
export const LAND_RADIUS_PX = 12;

/** Shares of water in a pixel, and how far its NDWI lies above that of the land around, ten-thousandths. */
export interface MixtureLimits {
  readonly seedFraction: number;
  readonly seedRise: number;
  readonly courseFraction: number;
  readonly courseRise: number;
  readonly bankFraction: number;
}

/** Bits of pixels that can begin a river, lie along one, or belong to its banks. */
export const SEED = 1;
export const COURSE = 2;
export const BANK = 4;

/**
 * Pixels as mixtures of water and the land around (linear unmixing with two members). The land is the mean of a window,
 * weighted by the near infrared, so that the water in it counts for nothing. The share of water is how far the pixel has
 * sunk from that land to water: 0.02 in near infrared and 0.01 in shortwave infrared. Seeds and courses sink in both;
 * banks in the shortwave infrared, for wet ground and trees over banks are dark in the near infrared already. Where the
 * land reflects no more than 0.08, or 0.02 in shortwave infrared, nothing is water by this.
 *
 * @returns bits of each pixel; invalid ones have any
 */
export function waterMixture(bands: OpticalBands, ndwi: Int16Array, limits: MixtureLimits): Uint8Array {
  const { columns, rows, planes } = bands;
  const count = columns * rows;
  const call = new TextureCall();
  const to = call.plane(count);
  const lines = call.lines(8 * doublesOf(columns));
  call.kernel.waterMixture(
    call.put(planeOf(bands, "N")),
    planes.S1 === undefined ? 0 : call.put(planes.S1),
    call.put(ndwi),
    to,
    columns,
    rows,
    LAND_RADIUS_PX,
    lines,
    limits.seedFraction,
    limits.seedRise,
    limits.courseFraction,
    limits.courseRise,
    limits.bankFraction,
  );
  return call.bytes(to, count);
}
