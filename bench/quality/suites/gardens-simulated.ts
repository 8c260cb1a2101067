import type { TrueObject } from "../../../packages/service/src/sources/simulator/world/ground-truth.ts";
import { foundAt, overScenes } from "../detections.ts";
import { absent, type Figure } from "../figure.ts";
import { matchObjects, type Matched, type TruthObject } from "../matching.ts";
import type { QualityBench } from "../quality-bench.ts";
import { squareOf, truthOf, wishedScenes } from "../simulated-scenes.ts";

interface GardenCase {
  readonly mapType: "pools" | "trees";
  readonly data: string;
  readonly provider: string;
  readonly dataset: string;
  readonly sideM: number;
}

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
const SCENES = 5;
const CASES: readonly GardenCase[] = [
  { mapType: "trees", data: "simulated Pléiades 0.5 m", provider: "ab", dataset: "pleiades", sideM: 300 },
  { mapType: "trees", data: "simulated Pléiades Neo 0.3 m", provider: "ab", dataset: "pleiades-neo", sideM: 300 },
  { mapType: "pools", data: "simulated Pléiades 0.5 m", provider: "ab", dataset: "pleiades", sideM: 600 },
];
const NO_BARS = { recall: null, precision: null };

export async function simulatedGardenFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { mapType, data, provider, dataset, sideM } of CASES) {
    const of = { mapType, page: mapType, data };
    const scenes: Matched[] = [];
    let refusal = "no such scene";
    for (const place of TOWNS) {
      if (scenes.length >= SCENES) break;
      const [model] = wishedScenes({ ...place, provider, dataset, sideM, fromMs: Date.UTC(2021, 2, 1), days: 900 }, 1);
      if (model === undefined) continue;
      const extent = squareOf({ ...place, sideM });
      const outcome = await bench.run(mapType, [await bench.simulate(model, extent)], extent);
      if (outcome.kind === "refused") {
        refusal = outcome.reason;
        continue;
      }
      const there = truthOf(model, outcome.result.planes[0]!.band)[mapType].map((object) => truthObject(object));
      if (there.some(({ counts }) => counts)) scenes.push(matchObjects(there, foundAt(outcome.result)));
    }
    figures.push(
      ...(scenes.length === 0
        ? [
            absent({ ...of, metric: "recall", bar: null }, refusal),
            absent({ ...of, metric: "precision", bar: null }, refusal),
          ]
        : overScenes(of, scenes, NO_BARS)),
    );
  }
  return figures;
}

/** Half its length, and at least three metres, from the middle. */
function truthObject({ centre, lengthM, hidden }: TrueObject): TruthObject {
  return { centre, reachM: Math.max(3, lengthM / 2), counts: !hidden };
}
