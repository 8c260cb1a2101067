import { excessOver } from "../texture/int-plane.ts";
import { topHat } from "../texture/top-hat.ts";
import type { Contrast } from "./contrast.ts";

/**
 * Contrast in blue over that in red along which bare ground differs: the slope of the clear line of the haze optimised
 * transform (Zhang et al. 2002; Zhu & Woodcock 2012, doi:10.1016/j.rse.2011.10.028). Soil is red, roofs and streets are
 * grey.
 */
export const SOIL_IN_BLUE = 0.5;
/** The same in green: on the line from 0.5 at 490 nm to 1 at 665 nm, green at 560 nm is at 0.7. */
export const SOIL_IN_GREEN = 0.7;

/**
 * Blue or green of small things less what bare ground with the same red has, ten-thousandths of surface reflectance: 0
 * for plots and paths of soil, `INVALID` where the pixel is.
 *
 * @param shorter the blue band, or green where there is no blue
 * @param soilSlope contrast of soil in that band over its contrast in red
 */
export function roofContrast(
  shorter: Int16Array,
  red: Int16Array,
  columns: number,
  rows: number,
  contrast: Contrast,
  soilSlope: number,
): Int16Array {
  const inShorter = topHat(shorter, columns, rows);
  const inRed = topHat(red, columns, rows);
  return excessOver(inShorter, contrast.blue, inRed, contrast.red, soilSlope);
}
