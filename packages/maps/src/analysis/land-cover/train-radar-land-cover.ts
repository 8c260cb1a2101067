import type { AnalysisSurvey } from "../block.ts";
import type { Forest } from "../forest/forest.ts";
import { trainForest } from "../forest/train-forest.ts";
import { speckleExcess } from "../radar/bright-points.ts";
import type { RadarParameters } from "../radar/radar-block.ts";
import type { DarkGroundModel } from "../water/dark-ground.ts";
import { radarFeatures, type RadarFeatures } from "./radar-features.ts";

/** What a scene has taught of its settlements. Plain data. */
export interface TrainedSettlements {
  /** Tells urban (class 1) from other land (class 0); null without seeds of both. */
  readonly forest: Forest | null;
  /** Mean excess of bright points from which land is like a settlement, hundredths of a decibel. */
  readonly pointsLimit: number;
  /** What the emptiest land of the scene has. */
  readonly pointsOfEmptyLand: number;
  readonly seeds: { readonly urban: number; readonly nonurban: number };
}

/** Empty land: the scene's twentieth with the fewest bright points, but not more than speckle explains. */
const EMPTY_SHARE = 0.05;
const SPECKLE_SHARE = 0.75;
/** Above empty land, and at least: hundredths of a decibel. */
const ABOVE_EMPTY = 5;
const LEAST_LIMIT = 10.5;
/** Least distance of a seed from the limit, on both sides. */
const SURE = 2;
/** Lower, and rough ground in shadow or by a river would be a seed of settlements. By number of polarisations. */
const LEAST_LEVEL = { one: -1300, two: -1600 } as const;
/** Fewer are a farm, a bridge or noise. */
const FEWEST_SEEDS = 200;
const MOST_SEEDS = 3000;
const FOREST = { trees: 60, maxDepth: 14, minLeafSamples: 5, seed: 20_260_102 } as const;

interface Seed {
  readonly window: number;
  readonly at: number;
}

/** Trains on the windows at full resolution. */
export function trainSettlements(
  survey: AnalysisSurvey,
  parameters: RadarParameters,
  water: DarkGroundModel,
): TrainedSettlements {
  const blocks = survey.windows.length === 0 ? [survey.overview] : survey.windows;
  const surveyed = blocks.map((block) => radarFeatures(block, parameters, water));
  const pointsOfEmptyLand = Math.min(emptiest(surveyed), SPECKLE_SHARE * speckleExcess(parameters.looks));
  const pointsLimit = Math.max(LEAST_LIMIT, pointsOfEmptyLand + ABOVE_EMPTY);
  const leastLevel = parameters.hasCross ? LEAST_LEVEL.two : LEAST_LEVEL.one;
  const urban: Seed[] = [];
  const nonurban: Seed[] = [];
  for (const [window, { land, points, level }] of surveyed.entries()) {
    for (let at = 0; at < land.length; at++) {
      if (land[at] === 0) continue;
      if (points[at]! < pointsLimit - SURE) nonurban.push({ window, at });
      else if (points[at]! > pointsLimit + SURE && level[at]! > leastLevel) urban.push({ window, at });
    }
  }
  const seeds = { urban: urban.length, nonurban: nonurban.length };
  const learnt = { pointsLimit, pointsOfEmptyLand, seeds };
  const each = Math.min(MOST_SEEDS, seeds.urban, seeds.nonurban);
  if (each < FEWEST_SEEDS) return { forest: null, ...learnt };
  const chosen = [...spread(nonurban, each), ...spread(urban, each)];
  const featureCount = surveyed[0]!.planes.length;
  const features = new Int16Array(chosen.length * featureCount);
  for (const [row, { window, at }] of chosen.entries()) {
    for (const [f, plane] of surveyed[window]!.planes.entries()) features[row * featureCount + f] = plane[at]!;
  }
  const labels = Uint8Array.from(chosen, (_, row) => (row < each ? 0 : 1));
  return { forest: trainForest({ featureCount, features, labels, classCount: 2 }, FOREST), ...learnt };
}

function emptiest(surveyed: readonly RadarFeatures[]): number {
  const points: number[] = [];
  for (const { land, points: of } of surveyed)
    for (let i = 0; i < land.length; i += 7) if (land[i] === 1) points.push(of[i]!);
  const sorted = Float64Array.from(points).toSorted();
  return sorted[Math.floor(EMPTY_SHARE * sorted.length)] ?? 0;
}

/** So many of them, spread evenly. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
}
