/** Radius of the sphere of EPSG:3857: the semi-major axis of WGS84. */
export const WEB_MERCATOR_RADIUS_M = 6_378_137;

/** Half of the side of the Web Mercator square. */
export const WEB_MERCATOR_HALF_SIDE_M = Math.PI * WEB_MERCATOR_RADIUS_M;

/** Latitude of the upper edge of the Web Mercator square, atan(sinh(pi)). */
export const WEB_MERCATOR_MAX_LAT_DEG = 85.051_128_779_806_59;

export const WEB_MERCATOR_PROJ_STRING =
  "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs";

const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Metres of EPSG:3857.
 *
 * @throws {RangeError} at the poles, which have no image
 * @example lonLatToWebMercator(180, 0) // [20037508.34..., 0]
 */
export function lonLatToWebMercator(lonDeg: number, latDeg: number): readonly [xM: number, yM: number] {
  if (!(Math.abs(latDeg) < 90) || !Number.isFinite(lonDeg)) {
    throw new RangeError(`longitude ${lonDeg}, latitude ${latDeg} has no Web Mercator coordinates`);
  }
  return [
    WEB_MERCATOR_RADIUS_M * lonDeg * RADIANS_PER_DEGREE,
    WEB_MERCATOR_RADIUS_M * Math.atanh(Math.sin(latDeg * RADIANS_PER_DEGREE)),
  ];
}

/** Longitude and latitude in degrees of a point of EPSG:3857. */
export function webMercatorToLonLat(xM: number, yM: number): readonly [lonDeg: number, latDeg: number] {
  return [
    xM / WEB_MERCATOR_RADIUS_M / RADIANS_PER_DEGREE,
    Math.atan(Math.sinh(yM / WEB_MERCATOR_RADIUS_M)) / RADIANS_PER_DEGREE,
  ];
}
