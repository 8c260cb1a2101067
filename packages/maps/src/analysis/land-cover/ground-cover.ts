import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult, PixelRect } from "../block.ts";
import { MASK_CLEAR, MASK_SNOW } from "../cloud/cloud-model.ts";
import { predictPlanes } from "../forest/predict-plane.ts";
import type { OpticalParameters } from "../optical/optical-block.ts";
import { CLOUDS, NONURBAN, ROADS, URBAN, WATER } from "./classes.ts";
import {
  GROUND_BARE,
  GROUND_BUILT,
  GROUND_CLOUD,
  GROUND_CROPS_OR_GRASS,
  GROUND_SNOW,
  GROUND_TREES,
  GROUND_WATER,
} from "./ground-classes.ts";
import { groundSeeds } from "./ground-seeds.ts";
import {
  describeLandCover,
  LAND_COVER_FEWEST_PIXELS,
  LAND_COVER_MARGIN_PX,
  labelLandCover,
  sharesByValue,
  surveyLandCover,
  type LabelledBlock,
  type LandCoverModel,
} from "./optical-land-cover.ts";
import { REACH_PER_SWEEP_PX, smoothLabels, withoutSpecks } from "./regularise.ts";
import { SeedSampler, type SeededForest } from "./seed-sampler.ts";

/** The base classes of the scene, and a second forest for its land without buildings. Plain data. */
export interface GroundCoverModel extends Omit<SeededForest, "offered"> {
  readonly base: LandCoverModel;
  readonly seeds: Readonly<Record<string, number>>;
}

const SWEEPS = 2;
/** Pixels around the core whose base classes are needed. */
const REACH_PX = SWEEPS * REACH_PER_SWEEP_PX + LAND_COVER_FEWEST_PIXELS + 1;

/** Blocks must know this many pixels around what they answer for. */
export const GROUND_COVER_MARGIN_PX = LAND_COVER_MARGIN_PX + REACH_PX;

const NAMES: Readonly<Record<number, string>> = {
  [GROUND_TREES]: "trees",
  [GROUND_CROPS_OR_GRASS]: "crops-or-grass",
  [GROUND_BARE]: "bare",
};

const FROM_BASE: Readonly<Record<number, number>> = {
  [WATER]: GROUND_WATER,
  [ROADS]: GROUND_BUILT,
  [URBAN]: GROUND_BUILT,
  [CLOUDS]: GROUND_CLOUD,
};

/** Seeds of the land without buildings; pixels in shadow are too dark for rules. */
function seedsOf({ bands, features, mask, labels }: LabelledBlock): Uint8Array {
  const wanted = new Uint8Array(labels.length);
  for (let i = 0; i < wanted.length; i++) wanted[i] = labels[i] === NONURBAN && mask[i] === MASK_CLEAR ? 1 : 0;
  return groundSeeds(bands, features, wanted);
}

function survey(surveyed: AnalysisSurvey, parameters: OpticalParameters): GroundCoverModel {
  const base = surveyLandCover(surveyed, parameters);
  const sampler = new SeedSampler([GROUND_TREES, GROUND_CROPS_OR_GRASS, GROUND_BARE]);
  for (const window of surveyed.windows) {
    const labelled = labelLandCover(window, base, parameters);
    if (labelled !== null) sampler.offer(labelled.features.planes, seedsOf(labelled));
  }
  const { forest, classes, offered } = sampler.train();
  const seeds = Object.fromEntries([...offered].map(([value, count]) => [NAMES[value]!, count]));
  return { base, forest, classes, seeds };
}

/** A rectangle with pixels around it, as far as the block has them. */
function grown(core: PixelRect, rect: PixelRect): PixelRect {
  const column = Math.max(rect.column, core.column - REACH_PX);
  const row = Math.max(rect.row, core.row - REACH_PX);
  return {
    column,
    row,
    columns: Math.min(rect.column + rect.columns, core.column + core.columns + REACH_PX) - column,
    rows: Math.min(rect.row + rect.rows, core.row + core.rows + REACH_PX) - row,
  };
}

function compute(block: AnalysisBlock, model: GroundCoverModel, parameters: OpticalParameters): BlockResult {
  const { columns, rows } = block.rect;
  const labelled = labelLandCover({ ...block, core: grown(block.core, block.rect) }, model.base, parameters);
  const labels = new Uint8Array(columns * rows);
  if (labelled === null) return { layers: [labels], objects: [] };
  const seeds = seedsOf(labelled);
  const fixed = new Uint8Array(labels.length);
  const unsure = new Uint8Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const base = labelled.labels[i]!;
    if (base === 0) continue;
    if (base === NONURBAN && labelled.mask[i] !== MASK_SNOW) {
      labels[i] = seeds[i] === 0 ? openGround(labelled.features.ndvi[i]!) : seeds[i]!;
      unsure[i] = seeds[i] === 0 ? 1 : 0;
    } else {
      labels[i] = base === NONURBAN ? GROUND_SNOW : FROM_BASE[base]!;
      fixed[i] = 1;
    }
  }
  if (model.forest !== null) decide(labels, fixed, unsure, labelled, model, block.rect);
  return { layers: [withoutSpecks(labels, columns, LAND_COVER_FEWEST_PIXELS)], objects: [] };
}

/** NDVI between bare ground and cover, ten-thousandths: Sobrino et al. 2004. */
const COVER_NDVI = 2000;

function openGround(ndvi: number): number {
  return ndvi < COVER_NDVI ? GROUND_BARE : GROUND_CROPS_OR_GRASS;
}

/** Has the forest decide what the rules left open, then smooths the classes of the ground. */
function decide(
  labels: Uint8Array,
  fixed: Uint8Array,
  unsure: Uint8Array,
  { features }: LabelledBlock,
  { forest, classes }: GroundCoverModel,
  rect: PixelRect,
): void {
  if (forest === null) return;
  const predicted = predictPlanes(forest, features.planes, unsure, rect.columns);
  const shares = sharesByValue(predicted, classes, GROUND_CLOUD);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === 0) continue;
    if (unsure[i] === 0) {
      shares[labels[i]! - 1]![i] = 255;
      continue;
    }
    let best = classes[0]!;
    for (const value of classes) if (shares[value - 1]![i]! > shares[best - 1]![i]!) best = value;
    labels[i] = best;
  }
  smoothLabels(labels, fixed, shares, rect.columns, rect, SWEEPS);
}

function describe(model: GroundCoverModel): Readonly<Record<string, unknown>> {
  const { base, forest, seeds } = model;
  return {
    base: describeLandCover(base),
    ground: {
      outOfBagError: forest === null ? null : Number(forest.outOfBagError.toFixed(4)),
      seeds,
      trees: forest === null ? 0 : forest.roots.length,
    },
  };
}

/** Water, trees, crops or grass, bare ground, buildings, snow and clouds of one optical scene. */
export const groundCover: BlockAlgorithm<OpticalParameters, GroundCoverModel> = { survey, compute, describe };
