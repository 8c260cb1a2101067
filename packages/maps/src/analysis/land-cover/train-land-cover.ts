import type { AnalysisSurvey } from "../block.ts";
import { cloudMask, MASK_CLEAR, type CloudModel } from "../cloud/cloud-model.ts";
import type { Forest } from "../forest/forest.ts";
import type { OpticalParameters } from "../optical/optical-block.ts";
import { opticalBands } from "../optical/optical-block.ts";
import type { PathRadiance } from "../water/path-radiance.ts";
import { NONURBAN, ROADS, URBAN, WATER } from "./classes.ts";
import { landCoverFeatures } from "./features.ts";
import { SeedSampler } from "./seed-sampler.ts";
import { seedsOf } from "./seeds.ts";

/** A forest that a scene has trained for itself. Plain data. */
export interface TrainedLandCover {
  /** Null when fewer than two classes had seeds. */
  readonly forest: Forest | null;
  /** Class of each class of the forest. */
  readonly classes: readonly number[];
  /** Seeds found by class, before sampling. */
  readonly seeds: Readonly<Record<string, number>>;
}

const NAMES: Readonly<Record<number, string>> = {
  [WATER]: "water",
  [ROADS]: "roads",
  [URBAN]: "urban",
  [NONURBAN]: "nonurban",
};

/** Trains on the seeds of the windows at full resolution. */
export function trainLandCover(
  survey: AnalysisSurvey,
  parameters: OpticalParameters,
  offset: number,
  clouds: CloudModel,
  { air, contrast }: { readonly air: PathRadiance; readonly contrast: number },
): TrainedLandCover {
  const sampler = new SeedSampler([WATER, ROADS, URBAN, NONURBAN]);
  for (const window of survey.windows) {
    const bands = opticalBands(window, 0, parameters, offset);
    const mask = cloudMask(bands, clouds, parameters, window.rect);
    for (let i = 0; i < mask.length; i++) if (mask[i] !== MASK_CLEAR) mask[i] = 0;
    const features = landCoverFeatures(bands, air, parameters.gsdM);
    sampler.offer(features.planes, seedsOf(bands, features, mask, parameters.gsdM, contrast));
  }
  const { forest, classes, offered } = sampler.train();
  return { forest, classes, seeds: Object.fromEntries([...offered].map(([value, count]) => [NAMES[value]!, count])) };
}
