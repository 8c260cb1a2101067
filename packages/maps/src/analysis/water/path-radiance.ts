import { planeOf, type OpticalBands, type OpticalParameters } from "../optical/optical-block.ts";
import { lessBy, normalisedDifference } from "../texture/int-plane.ts";

/** Light of the air in the visible bands, ten-thousandths of reflectance; little in surface reflectance. */
export interface PathRadiance {
  readonly green: number;
  readonly red: number;
}

/** Share of the darkest pixels that may be noise. */
const DARKEST = 0.001;
/** What the darkest ground reflects, and the most that clear air adds, ten-thousandths. */
const DARK_GREEN = 200;
const DARK_RED = 150;
const MOST_GREEN = 350;
const MOST_RED = 175;
const BINS = 4096;

/**
 * Light of the air by the darkest pixels of a scene (Chavez 1988): it makes shadows as green as water. A scene without
 * anything dark loses at most what clear air would add, and pictures without calibration lose nothing.
 */
export function pathRadianceOf(bands: OpticalBands, { scale }: Pick<OpticalParameters, "scale">): PathRadiance {
  if (scale !== 1) return { green: 0, red: 0 };
  const excess = (plane: Int16Array, dark: number, most: number): number =>
    Math.min(most, Math.max(0, darkest(plane, bands.valid) - dark));
  return {
    green: excess(planeOf(bands, "G"), DARK_GREEN, MOST_GREEN),
    red: bands.planes.R === undefined ? 0 : excess(bands.planes.R, DARK_RED, MOST_RED),
  };
}

/** Below which the darkest thousandth of the valid pixels lies, at most 4096 ten-thousandths. */
export function darkest(plane: Int16Array, valid: Uint8Array): number {
  const counts = new Float64Array(BINS);
  let total = 0;
  for (let i = 0; i < plane.length; i++) {
    if (valid[i] === 0) continue;
    counts[Math.max(0, Math.min(BINS - 1, plane[i]!))]!++;
    total++;
  }
  let sum = 0;
  for (let value = 0; value < BINS; value++) {
    sum += counts[value]!;
    if (sum > DARKEST * total) return value;
  }
  return 0;
}

/** Green without the light of the air, NDVI and NDWI from it and from red. */
export interface WaterIndices {
  readonly green: Int16Array;
  /** Null without a red band. */
  readonly ndvi: Int16Array | null;
  readonly ndwi: Int16Array;
}

/** @param bands with green and near infrared at least @returns ten-thousandths, `INVALID` where the bands are */
export function waterIndices(bands: OpticalBands, air: PathRadiance): WaterIndices {
  const nir = planeOf(bands, "N");
  const red = bands.planes.R;
  const green = withoutPath(planeOf(bands, "G"), air.green);
  return {
    green,
    ndvi: red === undefined ? null : normalisedDifference(nir, withoutPath(red, air.red)),
    ndwi: normalisedDifference(green, nir),
  };
}

function withoutPath(plane: Int16Array, radiance: number): Int16Array {
  return radiance === 0 ? plane : lessBy(plane, radiance);
}
