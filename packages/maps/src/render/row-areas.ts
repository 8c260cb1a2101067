import { isGeographic, parseProjString } from "@swath/kernel/crs/projection";
import { edgeAreaKm2 } from "@swath/kernel/geometry/area";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { pixelAreasM2 } from "@swath/kernel/raster-mathematics/pixel-area";

/**
 * Area of a pixel of each row, km2: on the ellipsoid for longitude and latitude and for Web Mercator, in the grid for
 * other projections. Their scale is near 1 where they are used (UTM: within 0.1 %).
 */
export function rowAreasKm2(transform: Affine, proj4: string, rows: number): Float64Array {
  const [stepX, , , , stepY, top] = transform;
  if (isGeographic(proj4)) {
    const below = (row: number): number => edgeAreaKm2(0, top + row * stepY, Math.abs(stepX), top + row * stepY);
    return Float64Array.from({ length: rows }, (_, row) => Math.abs(below(row) - below(row + 1)));
  }
  const isMercator = parseProjString(proj4).get("proj") === "merc";
  if (isMercator && Math.abs(stepX) === Math.abs(stepY) && stepY < 0) {
    return pixelAreasM2(top, stepX, rows).map((areaM2) => areaM2 / 1e6);
  }
  return new Float64Array(rows).fill(Math.abs(stepX * stepY) / 1e6);
}
