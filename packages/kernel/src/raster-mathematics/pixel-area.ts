import { webMercatorToLonLat } from "../crs/web-mercator.ts";
import { edgeAreaKm2 } from "../geometry/area.ts";

/**
 * Area on the ellipsoid of one pixel in each row of a Web Mercator grid, in square metres.
 *
 * @param topM EPSG:3857 y of the grid's upper edge
 * @param pixelSizeM side of a pixel in EPSG:3857
 */
export function pixelAreasM2(topM: number, pixelSizeM: number, rows: number): Float64Array {
  const areas = new Float64Array(rows);
  const [widthDeg] = webMercatorToLonLat(pixelSizeM, 0);
  // Area between a row's edge and the equator; a pixel is the difference of two.
  const below = (row: number): number => {
    const [, latDeg] = webMercatorToLonLat(0, topM - row * pixelSizeM);
    return edgeAreaKm2(0, latDeg, widthDeg, latDeg) * 1e6;
  };
  let upper = below(0);
  for (let row = 0; row < rows; row++) {
    const lower = below(row + 1);
    areas[row] = upper - lower;
    upper = lower;
  }
  return areas;
}
