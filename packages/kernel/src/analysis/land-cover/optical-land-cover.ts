import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult, Parameters } from "../block.ts";
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
import { opticalBands, opticalParameters, planeOf, processingOffset } from "../optical/optical-block.ts";
import { CLOUDS, FINEST_ROADS_GSD_M, NONURBAN, WATER } from "./classes.ts";
import { FEATURE_REACH_PX, landCoverFeatures } from "./features.ts";
import { REACH_PER_SWEEP_PX, smoothLabels, withoutSpecks } from "./regularise.ts";
import { isSureWater } from "./seeds.ts";
import { trainLandCover, type TrainedLandCover } from "./train-land-cover.ts";

interface LandCoverModel extends TrainedLandCover {
  readonly offset: number;
  readonly clouds: CloudModel;
  readonly roads: "available" | "not available";
}

const SWEEPS = 2;
/** Smallest piece of a class: 4 pixels, at fine resolution up to 12 as an approach to 100 m². */
const FEWEST_PIXELS = 4;
const MOST_SPECK_PIXELS = 12;
const SMALLEST_M2 = 100;

/** Blocks must know this many pixels around what they answer for. */
export const LAND_COVER_MARGIN_PX =
  Math.max(FEATURE_REACH_PX, CLOUD_MARGIN_PX) + SWEEPS * REACH_PER_SWEEP_PX + MOST_SPECK_PIXELS + 1;

function survey(surveyed: AnalysisSurvey, given: Parameters): LandCoverModel {
  const parameters = opticalParameters(given);
  const offset = processingOffset(surveyed, 0, parameters);
  const clouds = surveyClouds(surveyed, 0, parameters, offset);
  return {
    ...trainLandCover(surveyed, parameters, offset, clouds),
    offset,
    clouds,
    roads: parameters.gsdM <= FINEST_ROADS_GSD_M ? "available" : "not available",
  };
}

function compute(block: AnalysisBlock, model: LandCoverModel, given: Parameters): BlockResult {
  const parameters = opticalParameters(given);
  const { columns, rows } = block.rect;
  const bands = opticalBands(block, 0, parameters, model.offset);
  if (!bands.valid.includes(1)) return { layers: [new Uint8Array(columns * rows)], objects: [] };
  const features = landCoverFeatures(bands, parameters.gsdM);
  const mask = cloudMask(bands, model.clouds, parameters, block.rect);
  const nir = planeOf(bands, "N");
  const labels = new Uint8Array(mask.length);
  const fixed = new Uint8Array(mask.length);
  const wanted = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i++) {
    const clear = mask[i];
    if (clear === 0) continue;
    fixed[i] = 1;
    if (clear === MASK_CLOUD) labels[i] = CLOUDS;
    else if (clear === MASK_SNOW) labels[i] = NONURBAN;
    else if (isSureWater(features, nir, i)) labels[i] = WATER;
    else {
      fixed[i] = 0;
      wanted[i] = 1;
      labels[i] = NONURBAN;
    }
  }
  if (model.forest !== null) {
    const shares = sharesByValue(predictPlanes(model.forest, features.planes, wanted, columns), model.classes);
    for (let i = 0; i < labels.length; i++) {
      if (wanted[i] === 0) continue;
      let best = NONURBAN;
      for (let value = WATER; value <= CLOUDS; value++) {
        if (shares[value - 1]![i]! > shares[best - 1]![i]!) best = value;
      }
      // Shadows are as dark as water; what the rules are not sure of stays land there.
      labels[i] = best === WATER && mask[i] !== MASK_CLEAR ? NONURBAN : best;
    }
    smoothLabels(labels, fixed, shares, columns, block.rect, SWEEPS);
  } else if (model.classes.length === 1) {
    for (let i = 0; i < labels.length; i++) if (wanted[i] === 1) labels[i] = model.classes[0]!;
  }
  const least = Math.max(FEWEST_PIXELS, Math.min(MOST_SPECK_PIXELS, Math.round(SMALLEST_M2 / parameters.gsdM ** 2)));
  return { layers: [withoutSpecks(labels, columns, least)], objects: [] };
}

/** Planes in the order of class values; those that the forest does not know are nowhere likely. */
function sharesByValue(shares: readonly Uint8Array[], classes: readonly number[]): readonly Uint8Array[] {
  const none = new Uint8Array(shares[0]!.length);
  return Array.from({ length: CLOUDS }, (_, i) => {
    const index = classes.indexOf(i + 1);
    return index < 0 ? none : shares[index]!;
  });
}

function describe(model: LandCoverModel): Readonly<Record<string, unknown>> {
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
export const opticalLandCover: BlockAlgorithm<LandCoverModel> = { survey, compute, describe };
