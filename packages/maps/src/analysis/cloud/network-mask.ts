import type { OpticalBands } from "../optical/optical-block.ts";
import { planeOf } from "../optical/optical-block.ts";
import type { CloudModel } from "./cloud-model.ts";
import { darkestOf, isInShadowZone, MASK_CLEAR, MASK_CLOUD, MASK_SHADOW, MASK_SNOW, MASK_THIN } from "./cloud-model.ts";
import { CIRRUS, potentialClouds, SNOW } from "./potential-cloud.ts";

/** Classes of a network that tells clouds and their shadows. */
export const NETWORK_CLOUDS = 1;
export const NETWORK_SHADOWS = 2;

/** Fmask: every cloud reflects more at 2.2 µm. */
const DARKEST_CLOUD_SWIR2 = 300;

/**
 * The mask of a network, corrected by rules of Fmask (Zhu and Woodcock 2012). Snow by its spectrum is
 * snow, also where the network sees a cloud. Water that is dark at 2.2 µm is no cloud. Water is a shadow only where a cloud of
 * the scene throws one. Cirrus at 1.38 µm, which the network is not given, is thin cloud.
 *
 * @param network class of each pixel of the block; 0 without data, 3 for none
 * @returns classes of `cloudMask`
 */
export function networkMask(
  network: Uint8Array,
  bands: OpticalBands,
  model: CloudModel,
  rect: { readonly column: number; readonly row: number },
): Uint8Array {
  const { columns, valid } = bands;
  const classes = potentialClouds(bands);
  const { C: cirrus = null, S2: swir2 = null } = bands.planes;
  const darkestAt = darkestOf(bands);
  const cloudAt = (i: number): number => (darkestAt(i) >= model.minOpaque ? MASK_CLOUD : MASK_THIN);
  const mask = new Uint8Array(network.length);
  for (let i = 0; i < mask.length; i++) {
    if (valid[i] === 0 || network[i] === 0) continue;
    const isSnow = classes[i] === SNOW;
    if (isSnow) mask[i] = MASK_SNOW;
    else if (cirrus !== null && cirrus[i]! > CIRRUS) mask[i] = cloudAt(i);
    else if (network[i] === NETWORK_CLOUDS) {
      const isDark = swir2 !== null && swir2[i]! <= DARKEST_CLOUD_SWIR2;
      mask[i] = isDark && isWater(bands, i) ? MASK_CLEAR : cloudAt(i);
    } else if (network[i] === NETWORK_SHADOWS) {
      const row = Math.floor(i / columns);
      const isShaded =
        !isWater(bands, i) || isInShadowZone(model.shadows, rect.column + i - row * columns, rect.row + row);
      mask[i] = isShaded ? MASK_SHADOW : MASK_CLEAR;
    } else mask[i] = MASK_CLEAR;
  }
  return mask;
}

/** Water of Fmask: NDVI below 0.01 and near infrared below 0.11, or NDVI below 0.1 and near infrared below 0.05. */
function isWater(bands: OpticalBands, i: number): boolean {
  const red = planeOf(bands, "R")[i]!;
  const nir = planeOf(bands, "N")[i]!;
  const ndvi = nir + red > 0 ? (nir - red) / (nir + red) : 0;
  return (ndvi < 0.01 && nir < 1100) || (ndvi < 0.1 && nir < 500);
}
