import { excessOver } from "../texture/int-plane.ts";
import { topHat } from "../texture/top-hat.ts";
import type { Contrast } from "./contrast.ts";

/**
 * Contrast in blue over that in red along which bare ground differs: the slope of the clear line of the haze optimised
 * transform (Zhang et al. 2002; Zhu & Woodcock 2012, doi:10.1016/j.rse.2011.10.028). Soil is red, roofs and streets are
 * grey.
 */
const SOIL_SLOPE = 0.5;
/**
 * Blue of small things beyond the blue of bare ground with the same red, ten-thousandths of surface reflectance: 0 for plots and paths of soil, `INVALID` where the pixel is.
 */
export function roofContrast(
  blue: Int16Array,
  red: Int16Array,
  columns: number,
  rows: number,
  contrast: Contrast,
): Int16Array {
  const inBlue = topHat(blue, columns, rows);
  const inRed = topHat(red, columns, rows);
  return excessOver(inBlue, contrast.blue, inRed, contrast.red, SOIL_SLOPE);
}
