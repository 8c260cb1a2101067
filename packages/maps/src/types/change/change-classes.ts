/** Values of the layer of changes. */
export const UNCHANGED = 1;
/** More light or power than before. */
export const POSITIVE = 2;
/** Less than before. */
export const NEGATIVE = 3;
/** More in some bands and less in others. */
export const INDEFINITE = 4;

export const CHANGE_CLASS_NAMES: Readonly<Record<number, string>> = {
  [POSITIVE]: "positive",
  [NEGATIVE]: "negative",
  [INDEFINITE]: "changed",
};

/** Values of the layer that says what came and went. */
export const NEITHER = 1;
export const VEGETATION_ADDED = 2;
export const VEGETATION_REMOVED = 3;
export const WATER_ADDED = 4;
export const WATER_REMOVED = 5;

/** Differences of an index beyond the effect of seasonal light. */
const MIN_NDVI_DIFFERENCE = 0.15;
const MIN_NDWI_DIFFERENCE = 0.2;

/** Bands of a pixel that cancel to less than this share of their sum point nowhere. */
const MIN_UNANIMITY = 0.5;

/** Which way a pixel went. @param sum of the bands' differences @param absolute sum of their sizes */
export function directionClass(sum: number, absolute: number): number {
  if (Math.abs(sum) < MIN_UNANIMITY * absolute) return INDEFINITE;
  return sum > 0 ? POSITIVE : NEGATIVE;
}

/** Gain or loss of cover in a changed pixel, from red, infrared and green (NaN without green) at both dates. */
export function coverClass(
  red: number,
  infrared: number,
  green: number,
  redAfter: number,
  infraredAfter: number,
  greenAfter: number,
): number {
  const water = normalised(green, infrared);
  const waterAfter = normalised(greenAfter, infraredAfter);
  if (Math.abs(waterAfter - water) >= MIN_NDWI_DIFFERENCE) {
    if (waterAfter > 0 && water <= 0) return WATER_ADDED;
    if (waterAfter <= 0 && water > 0) return WATER_REMOVED;
  }
  const change = normalised(infraredAfter, redAfter) - normalised(infrared, red);
  if (change >= MIN_NDVI_DIFFERENCE) return VEGETATION_ADDED;
  if (change <= -MIN_NDVI_DIFFERENCE) return VEGETATION_REMOVED;
  return NEITHER;
}

function normalised(a: number, b: number): number {
  const sum = a + b;
  return Math.abs(sum) < 1e-6 ? Number.NaN : (a - b) / sum;
}
