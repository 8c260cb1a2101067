import { WEB_MERCATOR_RADIUS_M } from "../crs/web-mercator.ts";

/** WGS84. */
const SEMI_MAJOR_M = 6_378_137;
const ECCENTRICITY_SQUARED = 6.694_379_990_141_316e-3;

/** The authalic function q of latitude (Snyder 1987, equation 3-12), whose differences are areas. */
function authalicQ(latitudeRad: number): number {
  const e = Math.sqrt(ECCENTRICITY_SQUARED);
  const sine = Math.sin(latitudeRad);
  return (1 - ECCENTRICITY_SQUARED) * (sine / (1 - ECCENTRICITY_SQUARED * sine * sine) + Math.atanh(e * sine) / e);
}

/**
 * Area on the ellipsoid of one pixel in each row of a Web Mercator grid, in square metres.
 *
 * @param topM EPSG:3857 y of the grid's upper edge
 * @param pixelSizeM side of a pixel in EPSG:3857
 */
export function pixelAreasM2(topM: number, pixelSizeM: number, rows: number): Float64Array {
  const areas = new Float64Array(rows);
  const widthRad = pixelSizeM / WEB_MERCATOR_RADIUS_M;
  const q = (row: number): number => authalicQ(Math.atan(Math.sinh((topM - row * pixelSizeM) / WEB_MERCATOR_RADIUS_M)));
  let above = q(0);
  for (let row = 0; row < rows; row++) {
    const below = q(row + 1);
    areas[row] = (widthRad * (above - below) * SEMI_MAJOR_M * SEMI_MAJOR_M) / 2;
    above = below;
  }
  return areas;
}
