import type { TrueObject } from "../../../packages/simulator/src/world/ground-truth.ts";
import type { Figure } from "../figure.ts";
import { listedFigures, type ListedCase } from "../listed-objects.ts";
import type { QualityBench } from "../quality-bench.ts";

/** Towns with houses and parks; none of the squares reaches the woods around, whose trees are not listed. */
const TOWNS = [
  { lonDeg: 153.13, latDeg: -27.42 },
  { lonDeg: -122.35, latDeg: 37.78 },
  { lonDeg: 2.35, latDeg: 48.86 },
  { lonDeg: 139.77, latDeg: 35.62 },
  { lonDeg: 103.82, latDeg: 1.26 },
  { lonDeg: 13.4, latDeg: 52.52 },
  { lonDeg: -99.13, latDeg: 19.43 },
  { lonDeg: 28.98, latDeg: 41.01 },
] as const;
const COMMON = {
  provider: "ab",
  places: TOWNS,
  /** Half its length, and at least three metres, from the middle. */
  reachM: ({ lengthM }: TrueObject) => Math.max(3, lengthM / 2),
  bars: { recall: null, precision: null },
};
const TREES = { ...COMMON, mapType: "trees", sideM: 300, truth: ({ trees }) => trees } satisfies Partial<ListedCase>;
const CASES: readonly ListedCase[] = [
  { ...TREES, data: "simulated Pléiades 0.5 m", dataset: "pleiades" },
  { ...TREES, data: "simulated Pléiades Neo 0.3 m", dataset: "pleiades-neo" },
  {
    ...COMMON,
    mapType: "pools",
    data: "simulated Pléiades 0.5 m",
    dataset: "pleiades",
    sideM: 600,
    truth: ({ pools }) => pools,
  },
];

export async function simulatedGardenFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return await listedFigures(bench, CASES);
}
