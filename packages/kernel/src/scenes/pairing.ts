import type { Scene } from "./scene.ts";

/**
 * - `first`: the earliest scene with every later one.
 * - `prev`: every scene with the one before it.
 * - `all`: every two scenes.
 */
export type PairingType = "first" | "prev" | "all";

type PairedScene = Pick<
  Scene,
  "sceneId" | "datetime" | "relativeOrbitNumberStart" | "orbitPass" | "lookSide" | "mode" | "bands"
>;

/** Names that radar bands go by, upper case. */
const POLARISATIONS = new Set(["HH", "HV", "VH", "VV"]);

/** Polarisations of a radar scene in order; empty for others. */
function polarisations({ bands }: PairedScene): readonly string[] {
  const names = bands.flatMap((band) => band.names.map((name) => name.toUpperCase()));
  return [...new Set(names.filter((name) => POLARISATIONS.has(name)))].toSorted();
}

/**
 * What scenes must have in common to be compared: radar scenes the relative orbit, pass, look side, mode and
 * polarisations, because the same place looks different from elsewhere; optical scenes nothing.
 */
export function comparisonClass(scene: PairedScene): string {
  const radar = polarisations(scene);
  if (radar.length === 0 && scene.lookSide === undefined) return "optical";
  const { relativeOrbitNumberStart, orbitPass, lookSide, mode } = scene;
  return ["radar", relativeOrbitNumberStart, orbitPass, lookSide, mode, ...radar].join("|");
}

/** Scenes that can be compared with each other, in order of time, the class that has the earliest scene first. */
export function comparableScenes<T extends PairedScene>(scenes: readonly T[]): readonly (readonly T[])[] {
  const ordered = scenes.toSorted((a, b) => compareText(a.datetime, b.datetime) || compareText(a.sceneId, b.sceneId));
  return [...Map.groupBy(ordered, comparisonClass).values()];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Two scenes of one group that were taken at the same time, or null: a series cannot say which came first. */
export function sameDatetime<T extends PairedScene>(groups: readonly (readonly T[])[]): readonly [T, T] | null {
  for (const group of groups) {
    for (const [i, scene] of group.entries()) {
      const before = group[i - 1];
      if (before !== undefined && before.datetime === scene.datetime) return [before, scene];
    }
  }
  return null;
}

/** Pairs of a group in order of time, earlier scene first. */
export function pairsOf<T>(group: readonly T[], type: PairingType): readonly (readonly [T, T])[] {
  const pairs: (readonly [T, T])[] = [];
  for (const [j, later] of group.entries()) {
    const from = type === "prev" ? Math.max(0, j - 1) : 0;
    const to = type === "first" ? Math.min(1, j) : j;
    for (let i = from; i < to; i++) pairs.push([group[i]!, later]);
  }
  return pairs;
}

/** The most pairs that scenes have, when all can be compared. */
export function mostPairs(sceneCount: number, type: PairingType): number {
  const others = Math.max(0, sceneCount - 1);
  return type === "all" ? (sceneCount * others) / 2 : others;
}
