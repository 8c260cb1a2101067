import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../block.ts";
import {
  CLOUD_MARGIN_PX,
  cloudMask,
  MASK_CLEAR,
  MASK_CLOUD,
  MASK_SHADOW,
  MASK_SNOW,
  overviewMask,
  surveyClouds,
  type CloudModel,
} from "../cloud/cloud-model.ts";
import { withoutSpecks } from "../land-cover/regularise.ts";
import {
  opticalBands,
  type OpticalParameters,
  planeOf,
  processingOffset,
  type OpticalBands,
} from "../optical/optical-block.ts";
import { normalisedDifference, STEPS } from "../texture/int-plane.ts";
import { NARROW_WATER_REACH_PX, narrowWater } from "./narrow-water.ts";
import { pathRadianceOf, waterIndices, type PathRadiance, type WaterIndices } from "./path-radiance.ts";
import { addToHistogram, emptyHistogram, isBimodal, otsuSplit } from "./otsu.ts";

/** Classes of water maps as pixel values. */
export const WATER_CLASS = 1;
export const LAND_CLASS = 2;
export const CLOUD_CLASS = 3;

interface OpticalWaterModel {
  readonly offset: number;
  /** Null without red: clouds are not distinguished from bright ground. */
  readonly clouds: CloudModel | null;
  readonly air: PathRadiance;
  readonly index: "MNDWI" | "NDWI";
  /** In ten-thousandths. */
  readonly threshold: number;
  readonly isLearnt: boolean;
}

/** Where a learnt threshold may lie; beyond, it parts something else than land and water. */
const LOWEST_THRESHOLD = -0.2;
const HIGHEST_THRESHOLD = 0.35;
const FIXED = { MNDWI: 0, NDWI: 0.1 } as const;
/** Water is darker in the near infrared. */
const MAX_NIR = 2000;
/** Brighter in green than in the near infrared, and dark there: narrow rivers that shortwave pixels of 20 m blur. */
const SURE_NDWI = 500;
const SURE_NIR = 1200;
export const OPTICAL_WATER_SMALLEST_PX = 4;

export const OPTICAL_WATER_MARGIN_PX = Math.max(CLOUD_MARGIN_PX, NARROW_WATER_REACH_PX) + OPTICAL_WATER_SMALLEST_PX + 1;

/** MNDWI (Xu 2006) where there is a shortwave infrared band, else NDWI (McFeeters 1996). */
function waterIndex(bands: OpticalBands, { green, ndwi }: WaterIndices): Int16Array {
  return bands.planes.S1 === undefined ? ndwi : normalisedDifference(green, bands.planes.S1);
}

function everythingClear({ valid }: OpticalBands): Uint8Array {
  return valid.map((isValid) => (isValid === 1 ? MASK_CLEAR : 0));
}

function survey(surveyed: AnalysisSurvey, parameters: OpticalParameters): OpticalWaterModel {
  const offset = processingOffset(surveyed, 0, parameters);
  const { roles } = parameters;
  const clouds = roles.includes("R") ? surveyClouds(surveyed, 0, parameters, offset) : null;
  const histogram = emptyHistogram(-1, 1);
  const bands = opticalBands(surveyed.overview, 0, parameters, offset);
  const air = pathRadianceOf(bands, parameters);
  const values = waterIndex(bands, waterIndices(bands, air));
  const mask = clouds === null ? everythingClear(bands) : overviewMask(bands, clouds, parameters);
  for (let i = 0; i < values.length; i++) {
    if (bands.valid[i] === 1 && mask[i] !== MASK_CLOUD && mask[i] !== MASK_SNOW)
      addToHistogram(histogram, values[i]! / STEPS);
  }
  const split = otsuSplit(histogram);
  const index = bands.planes.S1 === undefined ? "NDWI" : "MNDWI";
  const isLearnt =
    split !== null && isBimodal(split) && split.threshold >= LOWEST_THRESHOLD && split.threshold <= HIGHEST_THRESHOLD;
  return {
    offset,
    clouds,
    air,
    index,
    isLearnt,
    threshold: Math.round(STEPS * (isLearnt ? split.threshold : FIXED[index])),
  };
}

/**
 * `B + 2.5 G - 1.5 (N + S1) - 0.25 S2` (Feyisa et al. 2014): above 0 for water and below for most shadows.
 */
function isShadow(bands: OpticalBands, i: number): boolean {
  const { B: blue, G: green, N: nir, S1: swir1, S2: swir2 } = bands.planes;
  if (blue === undefined || green === undefined || nir === undefined || swir1 === undefined || swir2 === undefined) {
    return false;
  }
  return blue[i]! + 2.5 * green[i]! - 1.5 * (nir[i]! + swir1[i]!) - 0.25 * swir2[i]! <= 0;
}

/** Cloudier scenes have shadows whose cloud was not found or lies outside. */
const FEW_CLOUDS = 0.01;

/**
 * Plants stay brighter in the near infrared than in green and red light under a shadow; water is darker there. Mixed pixels of
 * banks look like plants too, so that the rule holds in cloudy scenes only.
 */
function isPlantInShadow({ planes: { G: green, N: nir, R: red } }: OpticalBands, i: number): boolean {
  return green !== undefined && red !== undefined && nir !== undefined && nir[i]! > Math.max(green[i]!, red[i]!);
}

function compute(block: AnalysisBlock, model: OpticalWaterModel, parameters: OpticalParameters): BlockResult {
  const bands = opticalBands(block, 0, parameters, model.offset);
  const mask = model.clouds === null ? everythingClear(bands) : cloudMask(bands, model.clouds, parameters, block.rect);
  const indices = waterIndices(bands, model.air);
  const index = waterIndex(bands, indices);
  const nir = planeOf(bands, "N");
  const { ndwi } = indices;
  const narrow = narrowWater(bands, indices, mask, parameters.gsdM);
  const isCloudy = model.clouds !== null && model.clouds.cloudShare > FEW_CLOUDS;
  const labels = new Uint8Array(mask.length);
  for (let i = 0; i < labels.length; i++) {
    if (mask[i] === 0) continue;
    if (mask[i] === MASK_CLOUD) labels[i] = CLOUD_CLASS;
    else if (isCloudy && isPlantInShadow(bands, i)) labels[i] = LAND_CLASS;
    else if (narrow[i] === 1) labels[i] = WATER_CLASS;
    else if (mask[i] === MASK_CLEAR && ndwi[i]! > SURE_NDWI && nir[i]! < SURE_NIR) labels[i] = WATER_CLASS;
    else if (mask[i] === MASK_SNOW || index[i]! <= model.threshold || nir[i]! > MAX_NIR) labels[i] = LAND_CLASS;
    else labels[i] = mask[i] === MASK_SHADOW || isShadow(bands, i) ? LAND_CLASS : WATER_CLASS;
  }
  return { layers: [withoutSpecks(labels, bands.columns, OPTICAL_WATER_SMALLEST_PX)], objects: [] };
}

function describe(model: OpticalWaterModel): Readonly<Record<string, unknown>> {
  return {
    index: model.index,
    threshold: model.threshold / STEPS,
    thresholdSource: model.isLearnt ? "Otsu, two groups" : "fixed",
    processingOffset: model.offset,
    cloudShare: model.clouds === null ? null : Number(model.clouds.cloudShare.toFixed(4)),
  };
}

/** Open water of one optical scene. */
export const opticalWater = { survey, compute, describe } satisfies BlockAlgorithm<
  OpticalParameters,
  OpticalWaterModel
>;
