import type { Band, Scene } from "../scenes/scene.ts";
import type { StoredBand } from "../scenes/stored-raster.ts";

/** `physical = mult * pixel + add`. */
export interface LinearScale {
  readonly mult: number;
  readonly add: number;
}

/** Below this elevation the division by its sine exaggerates noise. */
const MIN_SUN_ELEVATION_DEG = 5;

/** Digital numbers of integer reflectance without coefficients are ten-thousandths by convention. */
const REFLECTANCE_PER_DN = 1e-4;

/** Sixteen-bit integers hold linear power in these units, as COPERNICUS/S1_GRD does. */
const POWER_PER_DN = 2 ** -15;

/** Linear backscatter power that one unit of a band's pixels stands for. */
export function powerPerUnit({ quantity, dataType }: Pick<StoredBand, "quantity" | "dataType">): number {
  return quantity === "backscatter-linear" && dataType === "uint16" ? POWER_PER_DN : 1;
}

/**
 * How pixels of a band become reflectance corrected for the sun, or null when the band is no reflectance.
 * With coefficients: `(reflectanceMult * P + reflectanceAdd) / sin(sunElevation)`, undivided when the elevation is
 * unknown or below 5 degrees. Without: integers are ten-thousandths, floating-point values are reflectance already.
 *
 * @see interface document, Band object
 */
export function reflectanceScale(
  scene: Pick<Scene, "sunElevation">,
  band: Band,
  stored: StoredBand,
): LinearScale | null {
  if (stored.quantity !== "reflectance") return null;
  const { reflectanceMult } = band;
  if (reflectanceMult === undefined) {
    return { mult: stored.dataType.startsWith("float") ? 1 : REFLECTANCE_PER_DN, add: 0 };
  }
  const elevation = scene.sunElevation;
  const sine = elevation === undefined || elevation < MIN_SUN_ELEVATION_DEG ? 1 : Math.sin((elevation * Math.PI) / 180);
  return { mult: reflectanceMult / sine, add: (band.reflectanceAdd ?? 0) / sine };
}
