import type { AnalysisSurvey } from "../block.ts";
import type { OpticalBands, OpticalParameters } from "../optical/optical-block.ts";
import { blueOrGreen, opticalBands, overviewStep, planeOf } from "../optical/optical-block.ts";
import { dilatedByDisc, erodedByDisc } from "../texture/disc-morphology.ts";
import { zeroBytes } from "../texture/texture-kernel.ts";
import { CIRRUS, CLEAR, isBrighterThanGround, POTENTIAL_CLOUD, potentialClouds, SNOW } from "./potential-cloud.ts";
import { matchShadows, type ShadowMatch } from "./match-shadows.ts";

/** What a scene has taught about its clouds. Plain data. */
export interface CloudModel {
  /** Brightness that clouds exceed, ten-thousandths. */
  readonly minBrightness: number;
  /** Variability probability that clouds exceed over land, 0 to 1. */
  readonly minProbability: number;
  /** Reflectance in the darkest band from which a cloud is opaque, ten-thousandths. */
  readonly minOpaque: number;
  readonly shadows: ShadowMatch;
  /** Share of the overview. */
  readonly cloudShare: number;
}

/** Classes of the mask; 0 is no data. */
export const MASK_CLEAR = 1;
export const MASK_CLOUD = 2;
export const MASK_SHADOW = 3;
export const MASK_SNOW = 4;
/** Cloud that hides less than a fifth of the ground: edges, veils, cirrus. */
export const MASK_THIN = 5;

/** Smallest cloud, and the rim that is added for thin edges, metres; and what blocks can look around. */
const SMALLEST_CLOUD_M = 60;
const RIM_M = 45;
const MAX_RIM_PX = 3;
const MAX_RADIUS_PX = 6;
/** Pixels around the disc that makes a cloud, and around what hides half of the ground, that may belong to that cloud. */
const OUTLINE_PX = 4;
const AROUND_STRONG_PX = 9;
/** Blocks must know this many pixels around what they answer for. */
export const CLOUD_MARGIN_PX =
  2 * Math.ceil(Math.SQRT2 * MAX_RADIUS_PX) +
  OUTLINE_PX +
  2 * Math.ceil(Math.SQRT1_2 * MAX_RADIUS_PX) +
  AROUND_STRONG_PX +
  MAX_RIM_PX +
  1;

/** Fmask: what is cloudier than 82.5 % of the clear pixels by 0.2. */
const CLEAR_PERCENTILE = 0.825;
const ABOVE_CLEAR = 0.2;
const BRIGHTER_THAN_CLEAR = 300;
const FEWEST_CLEAR = 0.001;
const MOST_SAMPLED = 200_000;
/**
 * Clouds reflect 0.6 and more in every band up to the near infrared. Ground is dark in one of them at least. The darkest
 * band therefore tells the share of cloud: half from 0.3 on, if the pixel is white within 0.35.
 */
const HALF_OPAQUE = 3000;
const CLOUD_REFLECTANCE = 6000;
/** Share of the ground that an opaque cloud hides: people who label clouds call a fifth one. */
const OPAQUE_SHARE = 0.2;
const OPAQUE_PROBABILITY = 0.65;

/**
 * `1 - max(|NDVI|, |NDSI|, whiteness)` of pixels: near 1 for those that are equally bright in all bands. Of single
 * precision.
 */
function variabilityOf(bands: OpticalBands): (i: number) => number {
  const blue = blueOrGreen(bands);
  const green = planeOf(bands, "G");
  const red = planeOf(bands, "R");
  const { N: nir = null, S1: swir1 = null } = bands.planes;
  return (i) => {
    const b = blue[i]!;
    const g = green[i]!;
    const r = red[i]!;
    if (isBrighterThanGround(b, g, r, nir === null ? b : nir[i]!)) return 1;
    const mean = Math.max(1, (b + g + r) / 3);
    let most = (Math.abs(b - mean) + Math.abs(g - mean) + Math.abs(r - mean)) / mean;
    if (nir !== null) most = Math.max(most, Math.abs(nir[i]! - r) / Math.max(1, nir[i]! + r));
    if (swir1 !== null) most = Math.max(most, Math.abs(g - swir1[i]!) / Math.max(1, g + swir1[i]!));
    return Math.fround(1 - Math.min(1, most));
  };
}

function percentile(values: readonly number[], share: number): number {
  return Float64Array.from(values).toSorted()[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
}

/** Learns from the overview what is clear, where clouds are and where their shadows must lie. */
export function surveyClouds(
  survey: AnalysisSurvey,
  scene: number,
  parameters: OpticalParameters,
  offset: number,
  bands: OpticalBands = opticalBands(survey.overview, scene, parameters, offset),
): CloudModel {
  const classes = potentialClouds(bands);
  const probabilityAt = variabilityOf(bands);
  const blue = blueOrGreen(bands);
  const green = planeOf(bands, "G");
  const red = planeOf(bands, "R");
  const clearProbability: number[] = [];
  const clearBrightness: number[] = [];
  const clearDarkest: number[] = [];
  const darkestAt = darkestOf(bands);
  let valid = 0;
  const stride = Math.ceil(classes.length / MOST_SAMPLED);
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] === 0) continue;
    valid++;
    if (classes[i] !== CLEAR || i % stride !== 0) continue;
    clearProbability.push(probabilityAt(i));
    clearBrightness.push((blue[i]! + green[i]! + red[i]!) / 3);
    clearDarkest.push(darkestAt(i));
  }
  const overcast = stride * clearProbability.length < FEWEST_CLEAR * valid;
  const learnt = {
    minBrightness: overcast ? 0 : percentile(clearBrightness, CLEAR_PERCENTILE) + BRIGHTER_THAN_CLEAR,
    // Over bright bare ground the limit would pass what no cloud reaches.
    minProbability: overcast ? 0 : Math.min(0.75, percentile(clearProbability, CLEAR_PERCENTILE) + ABOVE_CLEAR),
    minOpaque: minOpaqueOver(overcast ? 0 : percentile(clearDarkest, 0.5)),
  };
  const step = overviewStep(parameters, bands.columns, bands.rows);
  const { clouds } = cloudsOf(bands, learnt, parameters, parameters.gsdM * step, classes);
  let cloudy = 0;
  for (const cloud of clouds) cloudy += cloud;
  return {
    ...learnt,
    shadows: matchShadows(bands, clouds, parameters, survey.overview.ground, step),
    cloudShare: valid === 0 ? 0 : cloudy / valid,
  };
}

/** @param ground reflectance of the clear ground in its darkest band, ten-thousandths */
function minOpaqueOver(ground: number): number {
  return Math.min(HALF_OPAQUE, Math.round(ground + OPAQUE_SHARE * (CLOUD_REFLECTANCE - ground)));
}

/** Reflectance of the darkest band of pixels, up to the near infrared. */
export function darkestOf(bands: OpticalBands): (i: number) => number {
  // What is absent is no darker than the others.
  const { B: blue = planeOf(bands, "G"), G: green = blue, R: red = green, N: nir = red } = bands.planes;
  return (i) => Math.min(blue[i]!, green[i]!, red[i]!, nir[i]!);
}

interface Clouds {
  readonly clouds: Uint8Array;
  /** Those of them that hide the ground. */
  readonly opaque: Uint8Array;
}

function cloudsOf(
  bands: OpticalBands,
  { minBrightness, minOpaque, minProbability }: Pick<CloudModel, "minBrightness" | "minOpaque" | "minProbability">,
  { scale }: Pick<OpticalParameters, "scale">,
  pixelM: number,
  classes: Uint8Array,
): Clouds {
  const { columns, rows } = bands;
  if (!classes.includes(POTENTIAL_CLOUD)) {
    const none = zeroBytes(classes.length);
    return { clouds: none, opaque: none };
  }
  const probabilityAt = variabilityOf(bands);
  const blue = blueOrGreen(bands);
  const green = planeOf(bands, "G");
  const red = planeOf(bands, "R");
  const { C: cirrus = null } = bands.planes;
  const darkestAt = darkestOf(bands);
  const clouds = zeroBytes(classes.length);
  const opaque = zeroBytes(classes.length);
  const strong = zeroBytes(classes.length);
  let any = false;
  for (let i = 0; i < clouds.length; i++) {
    if (classes[i] !== POTENTIAL_CLOUD) continue;
    const high = cirrus !== null && cirrus[i]! > CIRRUS;
    const brightness = (blue[i]! + green[i]! + red[i]!) / 3;
    const probability = probabilityAt(i);
    const stands = high || (brightness >= minBrightness && probability >= minProbability);
    const darkest = darkestAt(i);
    const hides = darkest >= HALF_OPAQUE && probability > OPAQUE_PROBABILITY;
    // Pictures have no reflectance that could be compared with that of clouds.
    if (darkest >= minOpaque) opaque[i] = 1;
    if (hides) strong[i] = 1;
    if (!stands && !(hides && scale === 1)) continue;
    any = true;
    clouds[i] = 1;
  }
  if (!any) return { clouds, opaque };
  const radius = Math.min(MAX_RADIUS_PX, Math.max(0, Math.round(SMALLEST_CLOUD_M / 2 / pixelM)));
  // The disc around the square of the smallest cloud, so that roofs of its width do not pass by their diagonal.
  const core = Math.SQRT2 * radius;
  const discs = erodedByDisc(clouds, columns, rows, core);
  if (!discs.includes(1)) return { clouds: discs, opaque: discs };
  const large = dilatedByDisc(discs, columns, rows, core);
  const outlined = dilatedByDisc(discs, columns, rows, core + OUTLINE_PX);
  const seeds = strong.map((value, i) => value & outlined[i]!);
  const seeded = dilatedByDisc(
    erodedByDisc(seeds, columns, rows, core / 2),
    columns,
    rows,
    core / 2 + AROUND_STRONG_PX,
  );
  return {
    clouds: clouds.map((value, i) => (value & large[i]!) | (outlined[i]! & seeded[i]! & (value | opaque[i]!))),
    opaque: opaque.map((value, i) => value & outlined[i]! & seeded[i]!),
  };
}

/**
 * Clear, cloud, shadow and snow of a block; where the mask says cloud or shadow, `planes` should not be trusted.
 *
 * @param rect where the block lies in the grid
 * @param thin what is written for clouds that one sees the ground through, and for the rim of clouds
 */
export function cloudMask(
  bands: OpticalBands,
  model: CloudModel,
  parameters: Pick<OpticalParameters, "gsdM" | "scale">,
  rect: { readonly column: number; readonly row: number },
  thin: typeof MASK_CLOUD | typeof MASK_THIN = MASK_CLOUD,
): Uint8Array {
  const { columns, rows, valid } = bands;
  const classes = potentialClouds(bands);
  const { clouds, opaque } = cloudsOf(bands, model, parameters, parameters.gsdM, classes);
  const rimPx = Math.min(MAX_RIM_PX, Math.max(1, Math.round(RIM_M / parameters.gsdM)));
  const rim = dilatedByDisc(clouds, columns, rows, rimPx);
  const mask = zeroBytes(valid.length);
  const { shadows } = model;
  const nir = bands.planes.N ?? bands.planes.R!;
  if (!shadows.found && !rim.includes(1) && !opaque.includes(1) && !classes.includes(SNOW)) {
    for (let i = 0; i < mask.length; i++) if (valid[i] === 1) mask[i] = MASK_CLEAR;
    return mask;
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      if (valid[i] === 0) continue;
      if (opaque[i] === 1) mask[i] = MASK_CLOUD;
      else if (rim[i] === 1) mask[i] = thin;
      else if (classes[i] === SNOW) mask[i] = MASK_SNOW;
      else {
        const shaded = nir[i]! < shadows.darkBelow && isInShadowZone(shadows, rect.column + column, rect.row + row);
        mask[i] = shaded ? MASK_SHADOW : MASK_CLEAR;
      }
    }
  }
  return mask;
}

/** Whether a cloud of the scene can throw its shadow on a pixel of the grid. */
export function isInShadowZone({ found, step, columns, mask }: ShadowMatch, column: number, row: number): boolean {
  return found && mask[Math.floor(row / step) * columns + Math.floor(column / step)] === 1;
}

/** The mask of the overview that the model was learnt from. */
export function overviewMask(
  bands: OpticalBands,
  model: CloudModel,
  { gsdM, scale }: Pick<OpticalParameters, "gsdM" | "scale">,
): Uint8Array {
  const { shadows } = model;
  return cloudMask(
    bands,
    { ...model, shadows: { ...shadows, step: 1 } },
    { gsdM: gsdM * shadows.step, scale },
    { column: 0, row: 0 },
  );
}
