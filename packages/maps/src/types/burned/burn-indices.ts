import type { OpticalBands } from "../../analysis/optical/optical-block.ts";
import { planeOf } from "../../analysis/optical/optical-block.ts";
import { INVALID, normalisedDifference, STEPS } from "../../analysis/texture/int-plane.ts";

/** Water turns over between scenes; there is nothing to burn. */
const MAX_WATER_NIR = 1000;

/** `(N - S2) / (N + S2)` in ten-thousandths, with the narrow near-infrared band where there is only that. */
export function normalisedBurnRatio(bands: OpticalBands): Int16Array {
  return normalisedDifference(nearInfrared(bands), planeOf(bands, "S2"));
}

/** The wide near infrared band, or the narrow one; ten-thousandths. @throws {RangeError} when there is neither */
export function nearInfrared(bands: OpticalBands): Int16Array {
  return bands.planes.N ?? planeOf(bands, "N2");
}

/** Whether a pixel is dark in the near infrared and darker there than in the green. */
export function isWater(bands: OpticalBands, i: number): boolean {
  const nir = nearInfrared(bands);
  return nir[i]! < MAX_WATER_NIR && planeOf(bands, "G")[i]! > nir[i]!;
}

/** Below this NBR before the fire counts as this, so that bare ground does not divide by nothing. */
const LEAST_NBR = 0.001;

/** `dNBR / sqrt(|NBR before|)` (Miller and Thode 2007), all as plain numbers: loss relative to the vegetation. */
export function relativeBurnRatio(difference: number, before: number): number {
  return difference / Math.sqrt(Math.max(LEAST_NBR, Math.abs(before)));
}

const LARGEST = 32_767;

/**
 * Burned area index for Sentinel-2 (Filipponi 2018) in ten-thousandths:
 * `(1 - sqrt(B6 B7 B8A / B4)) ((B12 - B8A) / sqrt(B12 + B8A) + 1)`. About 1 for charcoal, below 0.6 for plants, above 1 for
 * flames. Null where the bands are not there; `INVALID` where they are.
 */
export function burnedAreaIndex({ planes, valid }: OpticalBands): Int16Array | null {
  const { R: red, RE2: second, RE3: third, N2: narrow, S2: swir2 } = planes;
  if (red === undefined || second === undefined || third === undefined) return null;
  if (narrow === undefined || swir2 === undefined) return null;
  const values = new Int16Array(valid.length);
  for (let i = 0; i < values.length; i++) {
    if (valid[i] === 0) {
      values[i] = INVALID;
      continue;
    }
    const n = narrow[i]!;
    const s = swir2[i]!;
    const edge = Math.sqrt((Math.max(0, second[i]!) * Math.max(0, third[i]!) * Math.max(0, n)) / Math.max(1, red[i]!));
    const slope = (s - n) / Math.sqrt(Math.max(1, s + n) * STEPS) + 1;
    values[i] = Math.max(-LARGEST, Math.min(LARGEST, Math.floor((STEPS - edge) * slope + 0.5)));
  }
  return values;
}
