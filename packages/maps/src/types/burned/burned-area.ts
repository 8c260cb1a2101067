import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../../analysis/block.ts";
import {
  CLOUD_MARGIN_PX,
  cloudMask,
  MASK_CLEAR,
  MASK_CLOUD,
  overviewMask,
  surveyClouds,
  type CloudModel,
} from "../../analysis/cloud/cloud-model.ts";
import { withoutSpecks } from "../../analysis/land-cover/regularise.ts";
import {
  opticalBands,
  type OpticalParameters,
  overviewStep,
  processingOffset,
} from "../../analysis/optical/optical-block.ts";
import { dilated, opened } from "../../analysis/texture/mask-morphology.ts";
import { burnLook, STRONG, type BurnLook, type BurnMethod } from "./burn-look.ts";
import { burningRegions, passesSmoke } from "./flames.ts";
import { grownRegions } from "./grow-regions.ts";

/** Pixel values. */
export const BURNED = 1;
export const NOT_BURNED = 2;
export const HIDDEN = 3;

interface BurnedModel {
  readonly offset: number;
  readonly clouds: CloudModel;
  readonly method: BurnMethod;
  /** Upper limit of seeds: see `BurnLook.value`. */
  readonly limit: number;
  /** Pixels of the overview that are burned or joined to such by likely ones. */
  readonly grown: Uint8Array;
  /** Pixels of the overview that burn, or are joined to such under their smoke; null where that cannot be told. */
  readonly burning: Uint8Array | null;
  readonly columns: number;
  readonly step: number;
}

/** Seeds also lie in the most burned twentieth of the clear pixels. */
const SEED_SHARE = 0.05;
/** Seeds fill a square of this size at least, or they are roofs, streets and shadows. */
const SEED_SIDE_M = 70;
const MAX_SEED_RADIUS_PX = 3;
/** How far regions grow at full resolution; across longer distances the overview joins them. */
const GROWTH_PX = 30;
/** Regions of fewer pixels are taken away. */
export const BURNED_SMALLEST_PX = 9;

export const BURNED_MARGIN_PX = CLOUD_MARGIN_PX + 2 * MAX_SEED_RADIUS_PX + GROWTH_PX + BURNED_SMALLEST_PX + 1;

/** Of the squares of strong pixels those among the most burned ones: the limit alone would leave half of a fire as noise. */
function seedsOf({ looks, value }: BurnLook, limit: number, columns: number, pixelM: number): Uint8Array {
  const strong = looks.map((look) => (look === STRONG ? 1 : 0));
  if (!strong.includes(1)) return strong;
  const radius = Math.min(MAX_SEED_RADIUS_PX, Math.floor(SEED_SIDE_M / 2 / pixelM));
  const seeds = opened(strong, columns, looks.length / columns, radius);
  for (let i = 0; i < seeds.length; i++) if (value[i]! > limit) seeds[i] = 0;
  return seeds;
}

function survey(surveyed: AnalysisSurvey, parameters: OpticalParameters): BurnedModel {
  const offset = processingOffset(surveyed, 0, parameters);
  const bands = opticalBands(surveyed.overview, 0, parameters, offset);
  const clouds = surveyClouds(surveyed, 0, parameters, offset, bands);
  const { columns, rows } = bands;
  const step = overviewStep(parameters, columns, rows);
  const mask = overviewMask(bands, clouds, parameters);
  const look = burnLook(bands, mask);
  const clear = look.value.filter((_, i) => mask[i] === MASK_CLEAR).toSorted();
  const limit = clear[Math.floor(SEED_SHARE * clear.length)] ?? 0;
  const grown = grownRegions(seedsOf(look, limit, columns, parameters.gsdM * step), look.looks, columns);
  const burning = burningRegions(bands, look.looks);
  return {
    offset,
    clouds,
    method: look.method,
    limit,
    // Edges of a fire are mixed in the larger pixels of the overview.
    grown: step === 1 ? grown : dilated(grown, columns, rows, 1),
    burning: burning === null || step === 1 ? burning : dilated(burning, columns, rows, 1),
    columns,
    step,
  };
}

function compute(block: AnalysisBlock, model: BurnedModel, parameters: OpticalParameters): BlockResult {
  const bands = opticalBands(block, 0, parameters, model.offset);
  const { columns, rows } = bands;
  const mask = cloudMask(bands, model.clouds, parameters, block.rect);
  const look = burnLook(bands, mask);
  const near = grownRegions(seedsOf(look, model.limit, columns, parameters.gsdM), look.looks, columns, GROWTH_PX);
  const burning = burningRegions(bands, look.looks, GROWTH_PX);
  const veiled = model.burning === null ? null : passesSmoke(bands);
  const labels = new Uint8Array(mask.length);
  for (let row = 0; row < rows; row++) {
    const grownRow = Math.floor((block.rect.row + row) / model.step) * model.columns;
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      if (mask[i] === 0) continue;
      const at = grownRow + Math.floor((block.rect.column + column) / model.step);
      const isBurning = burning?.[i] === 1 || (model.burning?.[at] === 1 && (veiled![i] === 1 || look.looks[i] !== 0));
      const joined = look.looks[i] !== 0 && (near[i] === 1 || model.grown[at] === 1);
      if (joined || isBurning) labels[i] = BURNED;
      else labels[i] = mask[i] === MASK_CLOUD ? HIDDEN : NOT_BURNED;
    }
  }
  return { layers: [withoutSpecks(labels, columns, BURNED_SMALLEST_PX)], objects: [] };
}

function describe(model: BurnedModel): Readonly<Record<string, unknown>> {
  return {
    method: model.method,
    flames: model.burning?.includes(1) ?? "unknown",
    processingOffset: model.offset,
    cloudShare: Number(model.clouds.cloudShare.toFixed(4)),
  };
}

/** Recently burned area of one scene: regions grown from pixels that are certainly burned. */
export const burnedArea: BlockAlgorithm<OpticalParameters, BurnedModel> = { survey, compute, describe };
