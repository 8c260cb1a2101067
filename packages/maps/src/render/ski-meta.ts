import { webMercatorToLonLat } from "@swath/kernel/crs/web-mercator";
import { DEGREE, primeVerticalRadiusM, WGS84_A_M } from "@swath/kernel/geometry/wgs84";
import { pixelAreasM2 } from "@swath/kernel/raster-mathematics/pixel-area";
import type { MercatorGrid } from "@swath/kernel/raster-mathematics/rasterize";

export interface SkiGeoreference {
  readonly pixelSizeX: number;
  readonly pixelSizeY: number;
  readonly crsOriginX: number;
  readonly crsOriginY: number;
  /** Metres on the ground at the middle of the grid, two decimals. */
  readonly approximateResolutionX: number;
  readonly approximateResolutionY: number;
}

export function skiGeoreference(grid: MercatorGrid): SkiGeoreference {
  const middleM = grid.originYM - (grid.heightPx / 2) * grid.pixelSizeM;
  const [, latDeg] = webMercatorToLonLat(0, middleM);
  // Length of a Web Mercator metre along the parallel: cos(lat) * N / a.
  const alongX = (grid.pixelSizeM * Math.cos(latDeg * DEGREE) * primeVerticalRadiusM(latDeg)) / WGS84_A_M;
  const areaM2 = pixelAreasM2(middleM + grid.pixelSizeM / 2, grid.pixelSizeM, 1)[0]!;
  return {
    pixelSizeX: grid.pixelSizeM,
    pixelSizeY: -grid.pixelSizeM,
    crsOriginX: grid.originXM,
    crsOriginY: grid.originYM,
    approximateResolutionX: Number(alongX.toFixed(2)),
    approximateResolutionY: Number((areaM2 / alongX).toFixed(2)),
  };
}
