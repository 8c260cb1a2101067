import {
  countScenes,
  finestGsd,
  type CountedScene,
  type SceneCounts,
  type StepCounts,
} from "@swath/kernel/scenes/scene-counts";
import type { ConsoleState } from "../console-state.ts";

/** The members of the link that narrow what a search found, without a new search. */
export type FilterState = Pick<ConsoleState, "cloud" | "datasets" | "gsd" | "offNadir">;

export type FilterName = keyof FilterState;

const FILTER_NAMES: readonly FilterName[] = ["cloud", "offNadir", "gsd", "datasets"];

/** The state without a filter. */
export const NO_FILTER: FilterState = { cloud: null, offNadir: null, gsd: null, datasets: [] };

/** Whether a scene passes a filter; a scene without a value passes. */
const PASSES: Readonly<Record<FilterName, (scene: CountedScene, state: FilterState) => boolean>> = {
  cloud: ({ cloudCover = 0 }, { cloud }) => cloud === null || cloudCover <= cloud.most / 100,
  offNadir: (scene, { offNadir }) => offNadir === null || Math.abs(scene.offNadir ?? 0) <= offNadir,
  gsd: (scene, { gsd }) => gsd === null || (finestGsd(scene) ?? 0) <= gsd,
  datasets: (scene, { datasets }) =>
    datasets.length === 0 ||
    datasets.some(({ provider, dataset }) => provider === scene.provider && dataset === scene.dataset),
};

/** The scenes that pass all filters. */
export function filtered<Scene extends CountedScene>(scenes: readonly Scene[], state: FilterState): readonly Scene[] {
  return scenes.filter((scene) => FILTER_NAMES.every((name) => PASSES[name](scene, state)));
}

/** Filters that hide scenes, each with how many; a scene that two filters hide counts for both. */
export function hidingFilters(
  scenes: readonly CountedScene[],
  state: FilterState,
): readonly { readonly name: FilterName; readonly scenes: number }[] {
  return FILTER_NAMES.map((name) => ({
    name,
    scenes: scenes.filter((scene) => !PASSES[name](scene, state)).length,
  })).filter((one) => one.scenes > 0);
}

/** The numbers beside the filters. */
export interface FilterCounts {
  readonly cloud: StepCounts;
  readonly offNadir: StepCounts;
  readonly gsd: StepCounts;
  readonly datasets: SceneCounts["datasets"];
  /** Whether there are more scenes than were counted. */
  readonly isLeast: boolean;
}

/** Counts the scenes that the choices of one filter would show, with the other filters as they are. */
export function filterCounts(scenes: readonly CountedScene[], state: FilterState): FilterCounts {
  const besides = (name: FilterName): SceneCounts =>
    countScenes(filtered(scenes, { ...state, [name]: NO_FILTER[name] }));
  return {
    cloud: besides("cloud").cloudCover,
    offNadir: besides("offNadir").offNadir,
    gsd: besides("gsd").gsd,
    datasets: besides("datasets").datasets,
    isLeast: false,
  };
}
