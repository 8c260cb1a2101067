/** Surface reflectance in blue, green, red and near infrared, 0 to 1. */
export type Spectrum = readonly [blue: number, green: number, red: number, nir: number];

/** Typical values of ground spectra as laboratory libraries publish them, rounded to what a broad band sees. */
export const MATERIALS = {
  asphalt: [0.085, 0.095, 0.105, 0.13],
  cloud: [0.55, 0.55, 0.545, 0.54],
  concrete: [0.17, 0.2, 0.22, 0.26],
  conifer: [0.018, 0.032, 0.022, 0.2],
  cropDense: [0.028, 0.068, 0.032, 0.48],
  cropFlowering: [0.05, 0.19, 0.17, 0.46],
  deepWater: [0.042, 0.036, 0.016, 0.007],
  foam: [0.3, 0.31, 0.3, 0.22],
  forest: [0.02, 0.042, 0.024, 0.32],
  garden: [0.04, 0.075, 0.05, 0.33],
  grass: [0.036, 0.078, 0.048, 0.38],
  gravel: [0.13, 0.16, 0.18, 0.22],
  riverWater: [0.05, 0.062, 0.042, 0.018],
  roofDark: [0.06, 0.065, 0.07, 0.09],
  roofGrey: [0.14, 0.15, 0.16, 0.19],
  roofTile: [0.075, 0.11, 0.2, 0.3],
  roofWhite: [0.38, 0.4, 0.41, 0.43],
  sand: [0.19, 0.25, 0.3, 0.36],
  shallowWater: [0.075, 0.088, 0.05, 0.016],
  shipDeck: [0.12, 0.11, 0.13, 0.16],
  shipHull: [0.05, 0.05, 0.07, 0.08],
  shipWhite: [0.42, 0.43, 0.43, 0.42],
  soilBrown: [0.065, 0.095, 0.135, 0.22],
  soilLight: [0.105, 0.15, 0.2, 0.29],
  soilWet: [0.048, 0.066, 0.09, 0.15],
  straw: [0.085, 0.145, 0.195, 0.33],
} as const satisfies Readonly<Record<string, Spectrum>>;

/** Writable pixel colour that the painters of one scene share, so that no pixel allocates. */
export type Paint = Float64Array;

/** Sets the colour to a spectrum times a brightness. */
export function fill(paint: Paint, spectrum: Spectrum, brightness: number): void {
  paint[0] = spectrum[0] * brightness;
  paint[1] = spectrum[1] * brightness;
  paint[2] = spectrum[2] * brightness;
  paint[3] = spectrum[3] * brightness;
}

/** Lays a spectrum times a brightness over the colour; `cover` 0 leaves it, 1 replaces it. */
export function blend(paint: Paint, spectrum: Spectrum, brightness: number, cover: number): void {
  paint[0] = paint[0]! + (spectrum[0] * brightness - paint[0]!) * cover;
  paint[1] = paint[1]! + (spectrum[1] * brightness - paint[1]!) * cover;
  paint[2] = paint[2]! + (spectrum[2] * brightness - paint[2]!) * cover;
  paint[3] = paint[3]! + (spectrum[3] * brightness - paint[3]!) * cover;
}

/** Multiplies the colour; shadows keep more blue, because the sky still lights them. */
export function shade(paint: Paint, visible: number, nir: number): void {
  const blue = visible + (1 - visible) * 0.16;
  const green = visible + (1 - visible) * 0.07;
  paint[0] = paint[0]! * blue;
  paint[1] = paint[1]! * green;
  paint[2] = paint[2]! * visible;
  paint[3] = paint[3]! * nir;
}
