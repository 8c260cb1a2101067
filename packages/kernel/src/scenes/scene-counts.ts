/** The members of a scene that filters look at. */
export interface CountedScene {
  readonly provider: string;
  readonly dataset: string;
  /** Share under cloud, 0 to 1. */
  readonly cloudCover?: number;
  /** Degrees. */
  readonly offNadir?: number;
  readonly bands: readonly { readonly gsd: number }[];
}

/** Scenes by the limits of one property. */
export interface StepCounts {
  /** Scenes whose value is at most the limit, for rising limits. */
  readonly steps: readonly { readonly atMost: number; readonly scenes: number }[];
  /** Scenes without a value. */
  readonly unknown: number;
}

/** Scenes by filter. */
export interface SceneCounts {
  readonly scenes: number;
  /** By the number of scenes, most first; then by name. */
  readonly datasets: readonly { readonly provider: string; readonly dataset: string; readonly scenes: number }[];
  /** Shares, 0 to 1. */
  readonly cloudCover: StepCounts;
  /** Degrees. */
  readonly offNadir: StepCounts;
  /** Metres, of the finest band. */
  readonly gsd: StepCounts;
}

/** Limits of the cloud cover, shares: of the colours of cloud. */
const CLOUD_STEPS: readonly number[] = [0.05, 0.2, 0.4, 0.6, 1];
/** Limits of the off-nadir angle, degrees. */
const OFF_NADIR_STEPS: readonly number[] = [10, 20, 30, 90];
/** Limits of the ground sampling distance, metres: very high, high, medium and low resolution. */
const GSD_STEPS: readonly number[] = [1, 5, 30, 1_000];

/** Counts scenes by the values that filters limit. */
export function countScenes(scenes: readonly CountedScene[]): SceneCounts {
  return {
    scenes: scenes.length,
    datasets: countDatasets(scenes),
    cloudCover: countSteps(CLOUD_STEPS, scenes, ({ cloudCover }) => cloudCover),
    // A satellite looks to the left with a negative angle.
    offNadir: countSteps(OFF_NADIR_STEPS, scenes, ({ offNadir }) =>
      offNadir === undefined ? undefined : Math.abs(offNadir),
    ),
    gsd: countSteps(GSD_STEPS, scenes, finestGsd),
  };
}

/** Metres of the finest band; undefined for a scene without bands. */
export function finestGsd({ bands }: Pick<CountedScene, "bands">): number | undefined {
  return bands.length === 0 ? undefined : Math.min(...bands.map(({ gsd }) => gsd));
}

function countDatasets(scenes: readonly CountedScene[]): SceneCounts["datasets"] {
  const counts = new Map<string, { provider: string; dataset: string; scenes: number }>();
  for (const { provider, dataset } of scenes) {
    const name = JSON.stringify([provider, dataset]);
    const count = counts.get(name) ?? { provider, dataset, scenes: 0 };
    counts.set(name, count);
    count.scenes += 1;
  }
  const byName = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
  return byName.toSorted((a, b) => b.scenes - a.scenes);
}

function countSteps(
  limits: readonly number[],
  scenes: readonly CountedScene[],
  valueOf: (scene: CountedScene) => number | undefined,
): StepCounts {
  const values = scenes.map(valueOf).filter((value) => value !== undefined);
  return {
    steps: limits.map((atMost) => ({ atMost, scenes: values.filter((value) => value <= atMost).length })),
    unknown: scenes.length - values.length,
  };
}
