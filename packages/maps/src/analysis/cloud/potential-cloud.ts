import type { OpticalBands } from "../optical/optical-block.ts";
import { blueOrGreen, planeOf } from "../optical/optical-block.ts";
import { TextureCall } from "../texture/texture-kernel.ts";

/** What a pixel may be, by its spectrum alone. */
export const CLEAR = 1;
export const POTENTIAL_CLOUD = 2;
export const SNOW = 3;

/** Cirrus at 1.38 µm: the air below is opaque there, so only what is high is bright. */
export const CIRRUS = 100;
/** Without a shortwave infrared band bright things must be brighter to pass for clouds: concrete reaches 0.28. */
const MIN_BRIGHTNESS_VISIBLE = 2800;
const MIN_BRIGHTNESS_INFRARED = 1300;
const MAX_NDVI_TENTHS_VISIBLE = 3;
const MAX_NDVI_TENTHS_INFRARED = 8;

/** Only clouds, snow and salt reflect 0.35 in every band; sensors saturate there, and their colours mean nothing. */
const BRIGHTER_THAN_GROUND = 3500;

export function isBrighterThanGround(blue: number, green: number, red: number, nir: number): boolean {
  return Math.min(blue, green, red, nir) >= BRIGHTER_THAN_GROUND;
}

/**
 * Class of each pixel by the rules of Fmask (Zhu and Woodcock 2012): reflectance beyond 2 µm above 0.03, NDSI and NDVI
 * below 0.8, whiteness below 0.7, `B - 0.5 R - 0.08 > 0`, N/SWIR1 above 0.75. Snow has NDSI above 0.4, N above 0.11 and
 * green above 0.1; ice clouds are as dark as snow at 1.6 µm, so NDSI below 0.8 with green above 0.45 and SWIR1 above 0.15
 * is cloud. Clouds are at least 0.7 times as bright in the near infrared; bright water and blue roofs are not. Green stands
 * in where there is no blue. A thermal band must be colder than 27 °C. Where there is no shortwave infrared, NDVI is below
 * 0.3 and brightness above 0.28 instead.
 *
 * @returns 0 where invalid
 */
export function potentialClouds(bands: OpticalBands): Uint8Array {
  const blue = blueOrGreen(bands);
  const green = planeOf(bands, "G");
  const red = planeOf(bands, "R");
  const { N: nir, S1: swir1, S2: swir2, C: cirrus, T: thermal } = bands.planes;
  const count = bands.valid.length;
  const call = new TextureCall();
  const to = call.plane(count);
  const put = (plane: Int16Array | undefined): number => (plane === undefined ? 0 : call.put(plane));
  call.kernel.potentialClouds(
    call.put(bands.valid),
    put(blue),
    put(green),
    put(red),
    put(nir),
    put(swir1),
    put(swir2),
    put(cirrus),
    put(thermal),
    to,
    count,
    3 * (swir1 === undefined ? MIN_BRIGHTNESS_VISIBLE : MIN_BRIGHTNESS_INFRARED),
    swir1 === undefined ? MAX_NDVI_TENTHS_VISIBLE : MAX_NDVI_TENTHS_INFRARED,
    BRIGHTER_THAN_GROUND,
    CIRRUS,
  );
  return call.bytes(to, count);
}
