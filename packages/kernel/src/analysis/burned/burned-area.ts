import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult, Parameters } from "../block.ts";
import {
  CLOUD_MARGIN_PX,
  cloudMask,
  MASK_CLEAR,
  MASK_CLOUD,
  overviewMask,
  surveyClouds,
  type CloudModel,
} from "../cloud/cloud-model.ts";
import { withoutSpecks } from "../land-cover/regularise.ts";
import {
  opticalBands,
  opticalParameters,
  overviewStep,
  planeOf,
  processingOffset,
  type OpticalBands,
} from "../optical/optical-block.ts";
import { normalisedDifference } from "../texture/int-plane.ts";
import { dilated } from "../texture/mask-morphology.ts";
import { nearInfrared, normalisedBurnRatio } from "./burn-severity.ts";

/** Pixel values. */
export const BURNED = 1;
export const NOT_BURNED = 2;
export const HIDDEN = 3;

interface BurnedModel {
  readonly offset: number;
  readonly clouds: CloudModel;
  readonly method: "NBR and NBR2" | "NDVI and darkness, low confidence";
  /** Pixels of the overview that are burned or joined to such by likely ones. */
  readonly grown: Uint8Array;
  readonly columns: number;
  readonly step: number;
}

const STRONG = 2;
const LIKELY = 1;
/** Seeds are besides among the most burned twentieth of what is clear. */
const SEED_SHARE = 0.05;
const SMALLEST_PX = 9;

export const BURNED_MARGIN_PX = CLOUD_MARGIN_PX + SMALLEST_PX + 1;

/**
 * How burned pixels look by themselves, and a value that is the lower the more. With shortwave infrared, in
 * ten-thousandths: NBR below -0.1 (strong) or 0.05, NBR2 below 0.08 or 0.12, N below 0.18 or 0.22, S2 above 0.06 (water is
 * below). Without: dark charcoal, all of it below 0.1, with NDVI of 0 to 0.25.
 */
function look(bands: OpticalBands, mask: Uint8Array): { readonly looks: Uint8Array; readonly value: Int16Array } {
  const looks = new Uint8Array(mask.length);
  const nir = nearInfrared(bands);
  const red = planeOf(bands, "R");
  const green = planeOf(bands, "G");
  const { S1: swir1, S2: swir2 } = bands.planes;
  if (swir2 !== undefined) {
    const value = normalisedBurnRatio(bands);
    const second = swir1 === undefined ? null : normalisedDifference(swir1, swir2);
    for (let i = 0; i < looks.length; i++) {
      if (mask[i] !== MASK_CLEAR || swir2[i]! < 600 || green[i]! > nir[i]! || green[i]! > 1000) continue;
      if (value[i]! < -1000 && nir[i]! < 1800 && (second === null || second[i]! < 800)) looks[i] = STRONG;
      else if (value[i]! < 500 && nir[i]! < 2200 && (second === null || second[i]! < 1200)) looks[i] = LIKELY;
    }
    return { looks, value };
  }
  const value = normalisedDifference(nir, red);
  const blue = planeOf(bands, "B");
  for (let i = 0; i < looks.length; i++) {
    if (mask[i] !== MASK_CLEAR || green[i]! > nir[i]!) continue;
    const brightest = Math.max(blue[i]!, green[i]!, red[i]!);
    if (value[i]! > 0 && value[i]! < 2500 && nir[i]! < 1000 && brightest < 700) looks[i] = STRONG;
    else if (value[i]! > 0 && value[i]! < 3500 && nir[i]! < 1300 && brightest < 900) looks[i] = LIKELY;
  }
  return { looks, value };
}

function survey(surveyed: AnalysisSurvey, given: Parameters): BurnedModel {
  const parameters = opticalParameters(given);
  const offset = processingOffset(surveyed, 0, parameters);
  const clouds = surveyClouds(surveyed, 0, parameters, offset);
  const bands = opticalBands(surveyed.overview, 0, parameters, offset);
  const { columns, rows } = bands;
  const step = overviewStep(parameters, columns, rows);
  const mask = overviewMask(bands, clouds, parameters);
  const { looks, value } = look(bands, mask);
  const clear = value.filter((_, i) => mask[i] === MASK_CLEAR).toSorted();
  const limit = clear[Math.floor(SEED_SHARE * clear.length)] ?? 0;
  const grown = new Uint8Array(looks.length);
  const queue = new Int32Array(looks.length);
  let filled = 0;
  for (let i = 0; i < looks.length; i++) {
    if (looks[i] !== STRONG || value[i]! > limit) continue;
    grown[i] = 1;
    queue[filled++] = i;
  }
  for (let read = 0; read < filled; read++) {
    const at = queue[read]!;
    const row = Math.floor(at / columns);
    const column = at - row * columns;
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        const other = y * columns + x;
        if (looks[other] === 0 || grown[other] === 1) continue;
        grown[other] = 1;
        queue[filled++] = other;
      }
    }
  }
  return {
    offset,
    clouds,
    method: bands.planes.S2 === undefined ? "NDVI and darkness, low confidence" : "NBR and NBR2",
    // Edges of a fire are mixed in the larger pixels of the overview.
    grown: step === 1 ? grown : dilated(grown, columns, rows, 1),
    columns,
    step,
  };
}

function compute(block: AnalysisBlock, model: BurnedModel, given: Parameters): BlockResult {
  const parameters = opticalParameters(given);
  const bands = opticalBands(block, 0, parameters, model.offset);
  const { columns, rows } = bands;
  const mask = cloudMask(bands, model.clouds, parameters, block.rect);
  const { looks } = look(bands, mask);
  const labels = new Uint8Array(mask.length);
  for (let row = 0; row < rows; row++) {
    const grownRow = Math.floor((block.rect.row + row) / model.step) * model.columns;
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      if (mask[i] === 0) continue;
      const near = model.grown[grownRow + Math.floor((block.rect.column + column) / model.step)] === 1;
      if (mask[i] === MASK_CLOUD) labels[i] = HIDDEN;
      else labels[i] = near && looks[i]! >= LIKELY ? BURNED : NOT_BURNED;
    }
  }
  return { layers: [withoutSpecks(labels, columns, SMALLEST_PX)], objects: [] };
}

function describe(model: BurnedModel): Readonly<Record<string, unknown>> {
  return {
    method: model.method,
    processingOffset: model.offset,
    cloudShare: Number(model.clouds.cloudShare.toFixed(4)),
  };
}

/** What has burned lately, of one scene: regions grown from pixels that are burned without doubt. */
export const burnedArea: BlockAlgorithm<BurnedModel> = { survey, compute, describe };
