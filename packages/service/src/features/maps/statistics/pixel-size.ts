import { isGeographic } from "@swath/kernel/crs/projection";
import { DEGREE, WGS84_A_M } from "@swath/kernel/geometry/wgs84";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";

/** Height of a pixel of a band on the ground, metres. */
export function pixelSizeM({ bands, proj4 }: StoredRaster, position: number): number {
  const unitM = isGeographic(proj4) ? WGS84_A_M * DEGREE : 1;
  return Math.abs(bands[position]!.geotransform[4]) * unitM;
}

/** Pixels to read as one, along both axes: the largest power of two whose pixels are not coarser than wanted. */
export function reductionOf(pixelM: number, resolutionM: number | undefined): number {
  // A thousandth is not coarser.
  return resolutionM === undefined ? 1 : 2 ** Math.max(0, Math.floor(Math.log2((resolutionM / pixelM) * 1.001)));
}
