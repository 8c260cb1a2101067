import type { AnalysisSurvey } from "../block.ts";
import { cloudMask, MASK_CLEAR, type CloudModel } from "../cloud/cloud-model.ts";
import type { Forest } from "../forest/forest.ts";
import type { OpticalParameters } from "../optical/optical-block.ts";
import { opticalBands } from "../optical/optical-block.ts";
import { FINEST_ROADS_GSD_M, NONURBAN, ROADS, URBAN, WATER } from "./classes.ts";
import { landCoverFeatures, type SceneLight } from "./features.ts";
import { noiseLevel } from "./noise-level.ts";
import { SeedSampler } from "./seed-sampler.ts";
import { seedsOf } from "./seeds.ts";

/** A forest that a scene has trained for itself. Plain data. */
export interface TrainedLandCover {
  /** Null when fewer than two classes had seeds. */
  readonly forest: Forest | null;
  /** Class of each class of the forest. */
  readonly classes: readonly number[];
  /** See `noiseLevel`. */
  readonly noise: number;
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
  light: SceneLight,
): TrainedLandCover {
  const looks = survey.windows.map((window) => {
    const bands = opticalBands(window, 0, parameters, offset);
    const mask = cloudMask(bands, clouds, parameters, window.rect);
    for (let i = 0; i < mask.length; i++) if (mask[i] !== MASK_CLEAR) mask[i] = 0;
    return { bands, mask, features: landCoverFeatures(bands, light, parameters.gsdM) };
  });
  const noise = parameters.gsdM <= FINEST_ROADS_GSD_M ? 0 : noiseLevel(looks);
  const sampler = new SeedSampler([WATER, ROADS, URBAN, NONURBAN]);
  for (const { bands, mask, features } of looks) {
    sampler.offer(features.planes, seedsOf(bands, features, mask, { gsdM: parameters.gsdM, noise }));
  }
  const { forest, classes, offered } = sampler.train();
  return {
    forest,
    classes,
    noise,
    seeds: Object.fromEntries([...offered].map(([value, count]) => [NAMES[value]!, count])),
  };
}
