import { seededRandom } from "../forest/random.ts";
import type { Forest } from "../forest/forest.ts";
import { trainForest } from "../forest/train-forest.ts";

const TREES = 60;
const MAX_DEPTH = 14;
const MIN_LEAF = 5;
const SEED = 20_260_101;
const MOST_PER_CLASS = 3000;
/** With fewer, a class is more likely noise of the rules. */
const FEWEST_PER_CLASS = 30;

/** Rows of features of a bounded random choice of the offered pixels (reservoir sampling). */
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

/** A forest that was trained with seeds of rules. Plain data. */
export interface SeededForest {
  /** Null with seeds of fewer than two classes. */
  readonly forest: Forest | null;
  /** Class of each class of the forest. */
  readonly classes: readonly number[];
  /** Seeds found by the value of their class, before sampling. */
  readonly offered: ReadonlyMap<number, number>;
}

/** Collects seeds of classes window by window, then trains a forest. */
export class SeedSampler {
  readonly #reservoirs: ReadonlyMap<number, Reservoir>;

  constructor(values: readonly number[]) {
    this.#reservoirs = new Map(values.map((value) => [value, new Reservoir()]));
  }

  /** @param seeds value of a class of each pixel, 0 for none */
  offer(planes: readonly Int16Array[], seeds: Uint8Array): void {
    for (let i = 0; i < seeds.length; i++) {
      if (seeds[i] !== 0) this.#reservoirs.get(seeds[i]!)!.offer(planes, i);
    }
  }

  train(): SeededForest {
    const offered = new Map([...this.#reservoirs].map(([value, reservoir]) => [value, reservoir.offered]));
    const classes = [...offered].flatMap(([value, count]) => (count >= FEWEST_PER_CLASS ? [value] : []));
    if (classes.length < 2) return { forest: null, classes, offered };
    const rows = classes.flatMap((value) => this.#reservoirs.get(value)!.rows);
    const featureCount = rows[0]!.length;
    const features = new Int16Array(rows.length * featureCount);
    for (const [i, row] of rows.entries()) features.set(row, i * featureCount);
    const labels = Uint8Array.from(
      classes.flatMap((value, index) => this.#reservoirs.get(value)!.rows.map(() => index)),
    );
    const forest = trainForest(
      { featureCount, features, labels, classCount: classes.length },
      { trees: TREES, maxDepth: MAX_DEPTH, minLeafSamples: MIN_LEAF, seed: SEED },
    );
    return { forest, classes, offered };
  }
}
