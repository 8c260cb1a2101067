import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../block.ts";
import {
  CLOUD_MARGIN_PX,
  cloudMask,
  MASK_CLEAR,
  MASK_CLOUD,
  MASK_SNOW,
  surveyClouds,
  type CloudModel,
} from "../cloud/cloud-model.ts";
import { predictPlanes } from "../forest/predict-plane.ts";
import {
  opticalBands,
  type OpticalParameters,
  planeOf,
  processingOffset,
  type OpticalBands,
} from "../optical/optical-block.ts";
import { zeroBytes } from "../texture/texture-kernel.ts";
import { NARROW_WATER_REACH_PX, narrowWater } from "../water/narrow-water.ts";
import { pathRadianceOf } from "../water/path-radiance.ts";
import { CLOUDS, FINEST_ROADS_GSD_M, NONURBAN, WATER } from "./classes.ts";
import { contrastOf } from "./contrast.ts";
import { FEATURE_REACH_PX, landCoverFeatures, type LandCoverFeatures, type SceneLight } from "./features.ts";
import { REACH_PER_SWEEP_PX, smoothLabels, withoutSpecks } from "./regularise.ts";
import { seedsOf, sureWater } from "./seeds.ts";
import { trainLandCover, type TrainedLandCover } from "./train-land-cover.ts";

export interface LandCoverModel extends TrainedLandCover {
  readonly offset: number;
  readonly clouds: CloudModel;
  readonly light: SceneLight;
  readonly roads: "available" | "not available";
}

const SWEEPS = 2;
/** Smallest piece of a class: 4 pixels, at fine resolution up to 12 as an approach to 100 m². */
export const LAND_COVER_FEWEST_PIXELS = 4;
const MOST_SPECK_PIXELS = 12;
const SMALLEST_M2 = 100;

/** Pixels around the core whose labels are needed. */
const LABEL_REACH_PX = SWEEPS * REACH_PER_SWEEP_PX + MOST_SPECK_PIXELS + 1;

/** Blocks must know this many pixels around what they answer for. */
export const LAND_COVER_MARGIN_PX = Math.max(FEATURE_REACH_PX, CLOUD_MARGIN_PX, NARROW_WATER_REACH_PX) + LABEL_REACH_PX;

/** Side of a block of a large grid: its margin adds a third of its pixels, and 70 % to one of 512. */
export const LAND_COVER_BLOCK_PX = 1024;

/** A block of which the base classes are known. */
export interface LabelledBlock {
  readonly bands: OpticalBands;
  readonly features: LandCoverFeatures;
  /** Of clouds. */
  readonly mask: Uint8Array;
  /** Base class of each pixel, 0 without data. */
  readonly labels: Uint8Array;
}

/** Learns the base classes of a scene. */
export function surveyLandCover(surveyed: AnalysisSurvey, parameters: OpticalParameters): LandCoverModel {
  const offset = processingOffset(surveyed, 0, parameters);
  const clouds = surveyClouds(surveyed, 0, parameters, offset);
  const overview = opticalBands(surveyed.overview, 0, parameters, offset);
  const light = { air: pathRadianceOf(overview, parameters), contrast: contrastOf(overview, parameters) };
  return {
    ...trainLandCover(surveyed, parameters, offset, clouds, light),
    offset,
    clouds,
    light,
    roads: parameters.gsdM <= FINEST_ROADS_GSD_M ? "available" : "not available",
  };
}

/** Labels a block with the base classes; null without a valid pixel. */
export function labelLandCover(
  block: AnalysisBlock,
  model: LandCoverModel,
  parameters: OpticalParameters,
): LabelledBlock | null {
  const { columns } = block.rect;
  const bands = opticalBands(block, 0, parameters, model.offset);
  if (!bands.valid.includes(1)) return null;
  const features = landCoverFeatures(bands, model.light, parameters.gsdM);
  const mask = cloudMask(bands, model.clouds, parameters, block.rect);
  const sure = sureWater(features, planeOf(bands, "N"));
  const narrow = narrowWater(bands, features, mask, parameters.gsdM);
  const seeds = knownLandCover(bands, features, mask, model, parameters.gsdM);
  const known = withoutForest(mask, narrow, sure, seeds, reachedPixels(block));
  const { labels, fixed, wanted } = known;
  if (model.forest !== null) {
    const shares = sharesByValue(predictPlanes(model.forest, features.planes, wanted, columns), model.classes);
    decide(known, mask, shares);
    smoothLabels(labels, fixed, shares, columns, block.rect, SWEEPS);
  } else if (model.classes.length === 1) {
    for (let i = 0; i < labels.length; i++) if (wanted[i] === 1) labels[i] = model.classes[0]!;
  }
  const least = Math.max(
    LAND_COVER_FEWEST_PIXELS,
    Math.min(MOST_SPECK_PIXELS, Math.round(SMALLEST_M2 / parameters.gsdM ** 2)),
  );
  return { bands, features, mask, labels: withoutSpecks(labels, columns, least) };
}

/** Classes that need no forest. */
interface KnownLabels {
  readonly labels: Uint8Array;
  /** 1 for labels that stay whatever is around. */
  readonly fixed: Uint8Array;
  /** 1 for pixels that the forest decides. */
  readonly wanted: Uint8Array;
}

function withoutForest(
  mask: Uint8Array,
  narrow: Uint8Array,
  sure: Uint8Array,
  seeds: Uint8Array,
  reached: Uint8Array,
): KnownLabels {
  const [labels, fixed, wanted] = [zeroBytes(mask.length), zeroBytes(mask.length), zeroBytes(mask.length)];
  for (let i = 0; i < mask.length; i++) {
    const clear = mask[i]!;
    if (clear === 0) continue;
    const seed = seeds[i]!;
    if (clear === MASK_CLOUD || clear === MASK_SNOW) {
      labels[i] = clear === MASK_CLOUD ? CLOUDS : NONURBAN;
      fixed[i] = 1;
    } else if (narrow[i] === 1 || sure[i] === 1) {
      labels[i] = WATER;
      fixed[i] = 1;
    } else if (seed === 0) {
      labels[i] = NONURBAN;
      wanted[i] = reached[i]!;
    } else labels[i] = seed;
  }
  return { labels, fixed, wanted };
}

/** Gives wanted pixels the class of the greatest share, and others their own class alone: smoothing weighs shares. */
function decide(known: KnownLabels, mask: Uint8Array, shares: readonly Uint8Array[]): void {
  const { labels, fixed, wanted } = known;
  for (let i = 0; i < labels.length; i++) {
    if (wanted[i] === 0) {
      if (fixed[i] === 0 && labels[i] !== 0) shares[labels[i]! - 1]![i] = 255;
      continue;
    }
    let best = NONURBAN;
    let most = shares[NONURBAN - 1]![i]!;
    for (let value = WATER; value <= CLOUDS; value++) {
      const share = shares[value - 1]![i]!;
      if (share <= most) continue;
      best = value;
      most = share;
    }
    // Shadows are as dark as water: pixels that the rules are not sure of stay land there.
    labels[i] = best === WATER && mask[i] !== MASK_CLEAR ? NONURBAN : best;
  }
}

function compute(block: AnalysisBlock, model: LandCoverModel, parameters: OpticalParameters): BlockResult {
  const { columns, rows } = block.rect;
  const labelled = labelLandCover(block, model, parameters);
  return { layers: [labelled?.labels ?? new Uint8Array(columns * rows)], objects: [] };
}

/**
 * Land that the rules are sure of needs no forest. Where roads are told apart all does: they are seeds of towns by rule.
 */
function knownLandCover(
  bands: OpticalBands,
  features: LandCoverFeatures,
  mask: Uint8Array,
  { forest, classes, noise }: LandCoverModel,
  gsdM: number,
): Uint8Array {
  if (forest === null || gsdM <= FINEST_ROADS_GSD_M) return new Uint8Array(mask.length);
  const seeds = seedsOf(bands, features, mask, { gsdM, noise });
  const isKnown = Uint8Array.from({ length: CLOUDS + 1 }, (_, value) =>
    value !== WATER && classes.includes(value) ? 1 : 0,
  );
  for (let i = 0; i < seeds.length; i++) if (isKnown[seeds[i]!] === 0) seeds[i] = 0;
  return seeds;
}

/** 1 for pixels that have a part in the core: by smoothing, or as one of a speck. */
function reachedPixels({ rect, core }: AnalysisBlock): Uint8Array {
  const reached = zeroBytes(rect.columns * rect.rows);
  const left = Math.max(0, core.column - LABEL_REACH_PX - rect.column);
  const right = Math.min(rect.columns, core.column + core.columns + LABEL_REACH_PX - rect.column);
  const bottom = Math.min(rect.rows, core.row + core.rows + LABEL_REACH_PX - rect.row);
  for (let row = Math.max(0, core.row - LABEL_REACH_PX - rect.row); row < bottom; row++) {
    reached.fill(1, row * rect.columns + left, row * rect.columns + right);
  }
  return reached;
}

/** Planes in the order of class values; those that the forest does not know are nowhere likely. */
export function sharesByValue(
  shares: readonly Uint8Array[],
  classes: readonly number[],
  count: number = CLOUDS,
): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, i) => {
    const index = classes.indexOf(i + 1);
    return index < 0 ? zeroBytes(shares[0]!.length) : shares[index]!;
  });
}

export function describeLandCover(model: LandCoverModel): Readonly<Record<string, unknown>> {
  return {
    outOfBagError: model.forest === null ? null : Number(model.forest.outOfBagError.toFixed(4)),
    seeds: model.seeds,
    trees: model.forest === null ? 0 : model.forest.roots.length,
    roads: model.roads,
    processingOffset: model.offset,
    cloudShare: Number(model.clouds.cloudShare.toFixed(4)),
  };
}

/** Water, roads, urban, nonurban and clouds of one optical scene, by a forest that the scene's own seeds have trained. */
export const opticalLandCover: BlockAlgorithm<OpticalParameters, LandCoverModel> = {
  survey: surveyLandCover,
  compute,
  describe: describeLandCover,
};
