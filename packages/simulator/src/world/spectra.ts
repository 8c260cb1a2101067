import type { BandRole } from "@swath/kernel/bands/band-role";
import { ROLE_WAVELENGTH_NM } from "@swath/kernel/bands/role-wavelength";

/** Wavelengths at which the surface is known, nanometres; bands in between are interpolated. */
const NODES_NM = [443, 490, 560, 665, 705, 842, 1610, 2200] as const;
export const OPTICAL_CHANNELS = NODES_NM.length;
/** Co-polarised and cross-polarised backscatter. */
export const RADAR_CHANNELS = 2;

/**
 * Reflectance at the nodes and sigma nought (linear, 35 degrees) of VV and VH, from spectral libraries and radar
 * handbooks. Values are rounded to the precision of broad bands.
 */
const TABLE = {
  apron: [0.19, 0.21, 0.25, 0.28, 0.285, 0.31, 0.36, 0.34, 0.006, 0.0004],
  asphalt: [0.075, 0.083, 0.095, 0.107, 0.112, 0.13, 0.19, 0.2, 0.018, 0.0012],
  bareRock: [0.11, 0.13, 0.17, 0.21, 0.22, 0.25, 0.33, 0.3, 0.11, 0.018],
  bluePaint: [0.13, 0.17, 0.1, 0.07, 0.07, 0.11, 0.16, 0.18, 0.2, 0.02],
  burned: [0.032, 0.035, 0.042, 0.05, 0.055, 0.085, 0.17, 0.2, 0.045, 0.006],
  carDark: [0.03, 0.03, 0.03, 0.032, 0.034, 0.05, 0.08, 0.09, 0.2, 0.02],
  carRed: [0.04, 0.04, 0.045, 0.25, 0.28, 0.32, 0.3, 0.28, 0.2, 0.02],
  carWhite: [0.52, 0.56, 0.58, 0.58, 0.58, 0.56, 0.45, 0.4, 0.2, 0.02],
  cloud: [0.66, 0.655, 0.65, 0.645, 0.64, 0.635, 0.46, 0.34, 0, 0],
  concrete: [0.16, 0.18, 0.21, 0.235, 0.24, 0.27, 0.32, 0.31, 0.03, 0.002],
  conifer: [0.016, 0.019, 0.034, 0.023, 0.055, 0.22, 0.1, 0.045, 0.085, 0.021],
  construction: [0.13, 0.16, 0.22, 0.29, 0.31, 0.36, 0.44, 0.4, 0.09, 0.012],
  crop: [0.024, 0.03, 0.07, 0.033, 0.1, 0.46, 0.2, 0.095, 0.09, 0.016],
  deepWater: [0.062, 0.046, 0.03, 0.012, 0.009, 0.005, 0.002, 0.001, 0.011, 0.0009],
  desert: [0.13, 0.17, 0.26, 0.36, 0.38, 0.43, 0.53, 0.5, 0.035, 0.0035],
  flame: [0.08, 0.07, 0.09, 0.16, 0.17, 0.2, 0.85, 1.35, 0.045, 0.006],
  flower: [0.035, 0.05, 0.19, 0.17, 0.21, 0.46, 0.22, 0.11, 0.11, 0.022],
  foam: [0.28, 0.29, 0.3, 0.29, 0.27, 0.2, 0.03, 0.02, 0.05, 0.004],
  forest: [0.017, 0.02, 0.042, 0.025, 0.072, 0.34, 0.15, 0.068, 0.11, 0.03],
  garden: [0.034, 0.04, 0.075, 0.055, 0.1, 0.32, 0.2, 0.12, 0.1, 0.024],
  grass: [0.028, 0.036, 0.076, 0.05, 0.11, 0.37, 0.23, 0.12, 0.055, 0.009],
  gravel: [0.11, 0.13, 0.16, 0.185, 0.19, 0.22, 0.28, 0.26, 0.06, 0.006],
  hull: [0.04, 0.045, 0.05, 0.09, 0.095, 0.1, 0.1, 0.09, 3.2, 0.32],
  ice: [0.55, 0.56, 0.55, 0.5, 0.48, 0.4, 0.06, 0.05, 0.1, 0.02],
  metal: [0.3, 0.32, 0.34, 0.35, 0.35, 0.36, 0.33, 0.3, 2.4, 0.2],
  murkyWater: [0.062, 0.068, 0.09, 0.068, 0.05, 0.02, 0.004, 0.002, 0.009, 0.0007],
  paint: [0.45, 0.48, 0.5, 0.5, 0.5, 0.48, 0.4, 0.36, 0.02, 0.002],
  pool: [0.22, 0.27, 0.24, 0.09, 0.06, 0.03, 0.01, 0.005, 0.02, 0.002],
  roofDark: [0.05, 0.056, 0.062, 0.068, 0.072, 0.095, 0.15, 0.15, 0.5, 0.06],
  roofGrey: [0.125, 0.14, 0.15, 0.16, 0.165, 0.19, 0.24, 0.23, 0.6, 0.07],
  roofTile: [0.06, 0.072, 0.11, 0.2, 0.235, 0.3, 0.37, 0.34, 0.5, 0.06],
  roofWhite: [0.42, 0.46, 0.48, 0.49, 0.49, 0.48, 0.38, 0.32, 0.7, 0.08],
  sand: [0.15, 0.19, 0.26, 0.31, 0.325, 0.37, 0.45, 0.42, 0.02, 0.0015],
  savanna: [0.045, 0.056, 0.1, 0.125, 0.16, 0.29, 0.33, 0.22, 0.055, 0.009],
  shallowWater: [0.085, 0.09, 0.095, 0.045, 0.03, 0.012, 0.003, 0.002, 0.012, 0.0009],
  shrub: [0.03, 0.038, 0.06, 0.065, 0.1, 0.24, 0.22, 0.14, 0.075, 0.015],
  smoke: [0.36, 0.35, 0.34, 0.33, 0.32, 0.27, 0.03, 0.012, 0, 0],
  snow: [0.86, 0.87, 0.86, 0.84, 0.82, 0.76, 0.12, 0.09, 0.05, 0.012],
  soilBrown: [0.055, 0.068, 0.098, 0.14, 0.155, 0.215, 0.31, 0.27, 0.05, 0.0045],
  soilLight: [0.09, 0.108, 0.15, 0.2, 0.215, 0.28, 0.37, 0.33, 0.06, 0.005],
  soilRed: [0.05, 0.06, 0.095, 0.19, 0.21, 0.27, 0.36, 0.32, 0.055, 0.005],
  straw: [0.07, 0.087, 0.145, 0.195, 0.215, 0.32, 0.38, 0.27, 0.05, 0.007],
  wetland: [0.03, 0.038, 0.062, 0.05, 0.085, 0.24, 0.1, 0.05, 0.15, 0.015],
  wingWhite: [0.62, 0.65, 0.66, 0.66, 0.66, 0.64, 0.5, 0.44, 1.6, 0.12],
} as const satisfies Readonly<Record<string, readonly number[]>>;

type MaterialName = keyof typeof TABLE;

const NAMES = Object.keys(TABLE) as MaterialName[];

/** Index of each material. */
export const M: Readonly<Record<MaterialName, number>> = Object.fromEntries(
  NAMES.map((name, index) => [name, index]),
) as Record<MaterialName, number>;

const table = (from: number, count: number): Float32Array =>
  Float32Array.from(NAMES.flatMap((name) => TABLE[name].slice(from, from + count)));

/** Reflectance, `OPTICAL_CHANNELS` numbers per material. */
export const OPTICAL = table(0, OPTICAL_CHANNELS);
/** Backscatter, `RADAR_CHANNELS` numbers per material. */
export const RADAR = table(OPTICAL_CHANNELS, RADAR_CHANNELS);

/** Number of materials. */
export const MATERIALS = NAMES.length;

/** How much of the sun's heat a material keeps by day, 0 to 0.5: plants evaporate it. Flames are hotter than any sun. */
export function heatingOf(material: number): number {
  if (material === M.flame) return 1.6;
  // Heat shines through smoke.
  if (material === M.smoke) return 0;
  const red = OPTICAL[material * OPTICAL_CHANNELS + 3]!;
  const near = OPTICAL[material * OPTICAL_CHANNELS + 5]!;
  return 0.5 - 0.425 * Math.max(0, (near - red) / (near + red));
}

/** Weights of the nodes in a band: two neighbours, or several for a panchromatic one. */
export function channelWeights(role: BandRole | null, wavelengthNm: number | null): Float32Array {
  const weights = new Float32Array(OPTICAL_CHANNELS);
  if (role === "P") {
    weights.set([0, 0.16, 0.3, 0.34, 0.14, 0.06, 0, 0]);
    return weights;
  }
  const centre = wavelengthNm ?? (role === null ? 665 : (ROLE_WAVELENGTH_NM[role] ?? 665));
  const above = NODES_NM.findIndex((node) => node >= centre);
  if (above === -1) weights[OPTICAL_CHANNELS - 1] = 1;
  else if (above === 0) weights[0] = 1;
  else {
    const low = NODES_NM[above - 1]!;
    // Vegetation rises steeply to 780 nm and stays level from there.
    const until = above === 5 ? 783 : NODES_NM[above]!;
    // Between 842 and 1610 the surface is level until the water bands begin.
    const from = above === 6 ? Math.max(low, 1000) : low;
    const part = Math.min(1, Math.max(0, (centre - from) / (until - from)));
    weights[above - 1] = 1 - part;
    weights[above] = part;
  }
  return weights;
}

/** Light that clear air scatters into a sensor, in reflectance. */
export function hazeAt(wavelengthNm: number): number {
  return 0.052 * (443 / wavelengthNm) ** 4 + 0.013 * (443 / wavelengthNm);
}
