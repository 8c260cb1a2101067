import proj4 from "proj4";
import { DEGREE, meridianRadiusM, primeVerticalRadiusM } from "../geometry/wgs84.ts";

export interface ApproximateResolution {
  readonly approximateResolutionX: number;
  readonly approximateResolutionY: number;
}

interface ToDegrees {
  forward(coordinates: [number, number]): readonly number[];
}

const KEPT = new Map<string, ToDegrees>();
const MAX_KEPT = 256;

/** To longitude and latitude. Converters have no state, and making one costs more than all else here. */
function converterOf(crsProj4: string): ToDegrees {
  const known = KEPT.get(crsProj4);
  if (known !== undefined) return known;
  const made = proj4(crsProj4, "+proj=longlat +datum=WGS84 +no_defs");
  if (KEPT.size >= MAX_KEPT) KEPT.clear();
  KEPT.set(crsProj4, made);
  return made;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * Width and height of a pixel on the ground, metres, two decimals: its size in the CRS times the local geodesic
 * scale of the CRS along each axis. For EPSG:3857 that is cos φ · N / a and cos φ · M / a; a geographic CRS has
 * degrees as its unit and the same rule holds.
 *
 * @param crsProj4 proj string of the CRS, `+x_0` and `+y_0` given
 * @param x CRS coordinate where the scale is taken, such as the centre of the scene
 * @param pixelSizeX CRS units per pixel, either sign
 * @throws {RangeError} if the CRS cannot be inverted at that place
 * @see interface decisions, "Scenes and imagery"
 */
export function approximateResolution(
  crsProj4: string,
  x: number,
  y: number,
  pixelSizeX: number,
  pixelSizeY: number,
): ApproximateResolution {
  const crs = converterOf(crsProj4);
  const lengthM = (dx: number, dy: number): number => {
    // Half a pixel either side; the difference is exact to a few parts in 1e9.
    const [lon1 = Number.NaN, lat1 = Number.NaN] = crs.forward([x - dx / 2, y - dy / 2]);
    const [lon2 = Number.NaN, lat2 = Number.NaN] = crs.forward([x + dx / 2, y + dy / 2]);
    const lat = (lat1 + lat2) / 2;
    const turn = lon2 - lon1 - 360 * Math.round((lon2 - lon1) / 360);
    const east = turn * DEGREE * primeVerticalRadiusM(lat) * Math.cos(lat * DEGREE);
    return Math.hypot(east, (lat2 - lat1) * DEGREE * meridianRadiusM(lat));
  };
  const width = lengthM(Math.abs(pixelSizeX), 0);
  const height = lengthM(0, Math.abs(pixelSizeY));
  if (!(width > 0 && height > 0 && Number.isFinite(width + height))) {
    throw new RangeError(`"${crsProj4}" has no local scale at ${x}, ${y}`);
  }
  return { approximateResolutionX: round2(width), approximateResolutionY: round2(height) };
}
