import type { OpticalBands } from "../optical/optical-block.ts";
import { blueOrGreen, planeOf } from "../optical/optical-block.ts";

/** What a pixel may be, by its spectrum alone. */
export const CLEAR = 1;
export const POTENTIAL_CLOUD = 2;
export const SNOW = 3;

/** Cirrus at 1.38 µm: the air below is opaque there, so only what is high is bright. */
export const CIRRUS = 100;
/** Without a shortwave infrared band bright things must be brighter to pass for clouds: concrete reaches 0.28. */
const MIN_BRIGHTNESS_VISIBLE = 2800;
const MIN_BRIGHTNESS_INFRARED = 1300;
const MAX_NDVI_VISIBLE = 0.3;
/** 27 degrees Celsius in hundredths of kelvin: what is warmer is ground. */
const WARMEST = 30_015;

/** Only clouds, snow and salt reflect 0.35 in every band; sensors saturate there, and their colours mean nothing. */
const BRIGHTER_THAN_GROUND = 3500;

export function isBrighterThanGround(blue: number, green: number, red: number, nir: number): boolean {
  return Math.min(blue, green, red, nir) >= BRIGHTER_THAN_GROUND;
}

/**
 * Class of each pixel by the rules of Fmask (Zhu and Woodcock 2012): reflectance beyond 2 µm above 0.03, NDSI and NDVI
 * below 0.8, whiteness below 0.7, `B - 0.5 R - 0.08 > 0`, N/SWIR1 above 0.75. Snow has NDSI above 0.4, N above 0.11 and
 * green above 0.1. Green stands in where there is no blue. A thermal band must be colder than 27 °C. Where there is no
 * shortwave infrared, NDVI is below 0.3 and brightness above 0.28 instead.
 *
 * @returns 0 where invalid
 */
export function potentialClouds(bands: OpticalBands): Uint8Array {
  const blue = blueOrGreen(bands);
  const green = planeOf(bands, "G");
  const red = planeOf(bands, "R");
  const { N: nir = null, S1: swir1 = null, S2: swir2 = null, C: cirrus = null, T: thermal = null } = bands.planes;
  const result = new Uint8Array(bands.valid.length);
  for (let i = 0; i < result.length; i++) {
    if (bands.valid[i] === 0) continue;
    result[i] = CLEAR;
    const b = blue[i]!;
    const g = green[i]!;
    const r = red[i]!;
    if (cirrus !== null && cirrus[i]! > CIRRUS) {
      result[i] = POTENTIAL_CLOUD;
      continue;
    }
    if (thermal !== null && thermal[i]! > WARMEST) continue;
    const brightness = (b + g + r) / 3;
    if (swir1 !== null) {
      const s1 = swir1[i]!;
      const ndsi = g + s1 > 0 ? (g - s1) / (g + s1) : 0;
      if (ndsi > 0.4 && g > 1000 && (nir === null || nir[i]! > 1100)) {
        // Ice clouds are as dark as snow at 1.6 µm; snow is darker still at 2.2 µm relative to it. Without better, NDSI decides.
        result[i] = ndsi < 0.8 && g > 4500 && s1 > 1500 ? POTENTIAL_CLOUD : SNOW;
        continue;
      }
      if (nir !== null && s1 > 0 && nir[i]! / s1 <= 0.75) continue;
    }
    if (isBrighterThanGround(b, g, r, nir === null ? b : nir[i]!)) {
      result[i] = POTENTIAL_CLOUD;
      continue;
    }
    if (swir2 !== null && swir2[i]! <= 300) continue;
    if (brightness < (swir1 === null ? MIN_BRIGHTNESS_VISIBLE : MIN_BRIGHTNESS_INFRARED)) continue;
    if (b - 0.5 * r - 800 <= 0) continue;
    const whiteness = (Math.abs(b - brightness) + Math.abs(g - brightness) + Math.abs(r - brightness)) / brightness;
    if (whiteness >= 0.7) continue;
    if (nir !== null) {
      const n = nir[i]!;
      const ndvi = n + r > 0 ? (n - r) / (n + r) : 0;
      if (ndvi >= (swir1 === null ? MAX_NDVI_VISIBLE : 0.8)) continue;
      // Clouds are about as bright in the near infrared; bright water and blue roofs are not.
      if (n < 0.7 * brightness) continue;
    }
    result[i] = POTENTIAL_CLOUD;
  }
  return result;
}
