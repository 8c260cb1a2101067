import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { lonLatToWebMercator } from "@swath/kernel/crs/web-mercator";
import { MAX_MERCATOR_LATITUDE_DEG } from "@swath/kernel/tiles/tile";
import type { WebGrid } from "../export/export-plan.ts";

/** The pixels that all frames have: the box around all areas, its longer side of that many pixels. */
export function timelapseGrid(areas: readonly MultiPolygon[], longestSidePx: number): WebGrid {
  const [west, south, east, north] = mbr({
    type: "MultiPolygon",
    coordinates: areas.flatMap(({ coordinates }) => coordinates),
  });
  const [originXM, originYM] = lonLatToWebMercator(west, clampLatitude(north));
  const [rightM, bottomM] = lonLatToWebMercator(east, clampLatitude(south));
  const pixelSizeM = Math.max(rightM - originXM, originYM - bottomM) / longestSidePx;
  // A side that is a whole number of pixels must not gain one by rounding.
  const pixels = (sideM: number): number => Math.max(1, Math.ceil(sideM / pixelSizeM - 1e-6));
  return {
    kind: "grid",
    originXM,
    originYM,
    pixelSizeM,
    widthPx: pixels(rightM - originXM),
    heightPx: pixels(originYM - bottomM),
  };
}

function clampLatitude(latDeg: number): number {
  return Math.min(Math.max(latDeg, -MAX_MERCATOR_LATITUDE_DEG), MAX_MERCATOR_LATITUDE_DEG);
}
