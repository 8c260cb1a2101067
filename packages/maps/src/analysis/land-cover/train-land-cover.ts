import type { AnalysisSurvey } from "../block.ts";
import { cloudMask, MASK_CLEAR, type CloudModel } from "../cloud/cloud-model.ts";
import type { Forest } from "../forest/forest.ts";
import { seededRandom } from "../forest/random.ts";
import { trainForest } from "../forest/train-forest.ts";
import type { OpticalParameters } from "../optical/optical-block.ts";
import { opticalBands } from "../optical/optical-block.ts";
import type { PathRadiance } from "../water/path-radiance.ts";
import { NONURBAN, ROADS, URBAN, WATER } from "./classes.ts";
import { landCoverFeatures } from "./features.ts";
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

const TREES = 60;
const MAX_DEPTH = 14;
const MIN_LEAF = 5;
const SEED = 20_260_101;
const MOST_PER_CLASS = 3000;
/** With fewer, a class is more likely noise of the rules. */
const FEWEST_PER_CLASS = 30;
const NAMES: Readonly<Record<number, string>> = {
  [WATER]: "water",
  [ROADS]: "roads",
  [URBAN]: "urban",
  [NONURBAN]: "nonurban",
};

/** Rows of features of a bounded random choice of what is offered (reservoir sampling). */
class Reservoir {
  readonly rows: Int16Array[] = [];
  offered = 0;
  readonly #random = seededRandom(SEED);

  offer(planes: readonly Int16Array[], at: number): void {
    this.offered++;
    const slot = this.rows.length < MOST_PER_CLASS ? this.rows.length : this.#random(this.offered);
    if (slot < MOST_PER_CLASS) this.rows[slot] = Int16Array.from(planes, (plane) => plane[at]!);
  }
}

/** Trains on the seeds of the windows at full resolution. */
export function trainLandCover(
  survey: AnalysisSurvey,
  parameters: OpticalParameters,
  offset: number,
  clouds: CloudModel,
  { air, contrast }: { readonly air: PathRadiance; readonly contrast: number },
): TrainedLandCover {
  const reservoirs = new Map([WATER, ROADS, URBAN, NONURBAN].map((value) => [value, new Reservoir()]));
  for (const window of survey.windows) {
    const bands = opticalBands(window, 0, parameters, offset);
    const mask = cloudMask(bands, clouds, parameters, window.rect);
    for (let i = 0; i < mask.length; i++) if (mask[i] !== MASK_CLEAR) mask[i] = 0;
    const features = landCoverFeatures(bands, air, parameters.gsdM);
    const seeds = seedsOf(bands, features, mask, parameters.gsdM, contrast);
    for (let i = 0; i < seeds.length; i++) {
      if (seeds[i] !== 0) reservoirs.get(seeds[i]!)!.offer(features.planes, i);
    }
  }
  const seeds = Object.fromEntries([...reservoirs].map(([value, { offered }]) => [NAMES[value]!, offered]));
  const classes = [...reservoirs].flatMap(([value, { offered }]) => (offered >= FEWEST_PER_CLASS ? [value] : []));
  if (classes.length < 2) return { forest: null, classes, seeds };
  const rows = classes.flatMap((value) => reservoirs.get(value)!.rows);
  const featureCount = rows[0]!.length;
  const features = new Int16Array(rows.length * featureCount);
  for (const [i, row] of rows.entries()) features.set(row, i * featureCount);
  const labels = Uint8Array.from(classes.flatMap((value, index) => reservoirs.get(value)!.rows.map(() => index)));
  const forest = trainForest(
    { featureCount, features, labels, classCount: classes.length },
    { trees: TREES, maxDepth: MAX_DEPTH, minLeafSamples: MIN_LEAF, seed: SEED },
  );
  return { forest, classes, seeds };
}
