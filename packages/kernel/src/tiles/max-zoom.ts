import type { Band } from "../scenes/scene.ts";
import { DEGREE } from "../geometry/wgs84.ts";
import { MAX_TILE_ZOOM } from "./tile.ts";

/** The formula's own figure for the equator; not 40 075 017. */
const EQUATOR_M = 4e7;
/** log2 may exceed an exact power of two by rounding. */
const LOG_TOLERANCE = 1e-12;

/**
 * The deepest zoom at which a map still gains detail:
 *
 *     z = ceil( log2( 4e7 · cos(latitude) / (256 · r) ) ), within 0 to 24
 *
 * @param latitudeDeg latitude of the centroid of the scene's footprint
 * @param resolutionM effective resolution r, metres per pixel, > 0
 * @throws {RangeError} if `resolutionM` is not positive
 * @see service interface, "Map service", Maximum zoom
 * @example maxZoom(0, 10) // 14
 */
export function maxZoom(latitudeDeg: number, resolutionM: number): number {
  if (!(resolutionM > 0)) throw new RangeError(`resolution must be positive, got ${resolutionM} m`);
  const zoom = Math.ceil(Math.log2((EQUATOR_M * Math.cos(latitudeDeg * DEGREE)) / (256 * resolutionM)) - LOG_TOLERANCE);
  return Math.min(MAX_TILE_ZOOM, Math.max(0, zoom));
}

/**
 * Effective resolution of a map of the pixels themselves: the finest side of any band's pixel, metres.
 *
 * @throws {RangeError} if there is no band
 */
export function finestResolutionM(
  bands: readonly Pick<Band, "approximateResolutionX" | "approximateResolutionY">[],
): number {
  const finest = Math.min(...bands.flatMap((band) => [band.approximateResolutionX, band.approximateResolutionY]));
  if (!(finest > 0 && Number.isFinite(finest))) throw new RangeError("a scene without bands has no resolution");
  return finest;
}
