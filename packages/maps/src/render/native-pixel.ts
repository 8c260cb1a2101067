import { applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import { mercatorPixelM } from "@swath/raster/sample/output-grid";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";

/** A pixel that holds a coordinate. */
export interface NativePixel {
  readonly window: NativeWindow;
  /** Metres on the ground, the shorter side. */
  readonly resolutionM: number;
}

/**
 * The pixel of a band that holds a coordinate; null beside the raster.
 *
 * @param coarsestM pixels are averaged up to this many metres, by powers of two, as overviews hold them; null for none
 */
export function nativePixel(
  raster: StoredRaster,
  position: number,
  [lonDeg, latDeg]: readonly [lonDeg: number, latDeg: number],
  coarsestM: number | null,
): NativePixel | null {
  const band = raster.bands[position];
  if (band === undefined) throw new RangeError(`band ${position} of a raster that has ${raster.bands.length}`);
  const geometry = sceneGeometry(raster);
  const point = geometry.toCrs(lonDeg, latDeg);
  if (point === null) return null;
  const [x, y] = applyAffine(invertAffine(band.geotransform), ...point);
  // Also false for NaN.
  if (!(x >= 0 && y >= 0 && x < band.widthPx && y < band.heightPx)) return null;
  const ownM = mercatorPixelM(geometry, band) * Math.cos((geometry.centreLatDeg * Math.PI) / 180);
  const reduction = coarsestM === null ? 1 : reductionUpTo(coarsestM / ownM, Math.min(band.widthPx, band.heightPx));
  const column = Math.floor(x / reduction);
  const row = Math.floor(y / reduction);
  return {
    window: { kind: "native", position, crsEpsg: null, reduction, column, row, widthPx: 1, heightPx: 1 },
    resolutionM: ownM * reduction,
  };
}

/** The largest power of two within a ratio and the pixels of a side. */
function reductionUpTo(ratio: number, sidePx: number): number {
  // A ratio of a whole number must not fall below it by rounding.
  const most = Math.min(ratio * (1 + 1e-3), sidePx);
  return most < 2 ? 1 : 2 ** Math.floor(Math.log2(most));
}
