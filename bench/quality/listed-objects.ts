import type { TrueObject } from "../../packages/simulator/src/world/ground-truth.ts";
import { foundAt, overScenes } from "./detections.ts";
import { absent, type Bar, type Figure } from "./figure.ts";
import { matchObjects, type Matched, type TruthObject } from "./matching.ts";
import type { QualityBench } from "./quality-bench.ts";
import { squareOf, truthOf, wishedScenes } from "./simulated-scenes.ts";

/** Objects that the simulated world lists, and the scenes in which they are looked for. */
export interface ListedCase {
  readonly mapType: string;
  readonly data: string;
  readonly provider: string;
  readonly dataset: string;
  readonly sideM: number;
  readonly places: readonly { readonly lonDeg: number; readonly latDeg: number }[];
  readonly truth: (truth: ReturnType<typeof truthOf>) => readonly TrueObject[];
  readonly reachM: (object: TrueObject) => number;
  /** Only objects of this class count as found. */
  readonly className?: string;
  readonly bars: { readonly recall: Bar | null; readonly precision: Bar | null };
}

const SCENES = 5;

/** Recall and precision over the first places with a scene that shows such objects. */
export async function listedFigures(bench: QualityBench, cases: readonly ListedCase[]): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { mapType, data, provider, dataset, sideM, places, truth, reachM, className, bars } of cases) {
    const of = { mapType, page: mapType, data };
    const scenes: Matched[] = [];
    let refusal = "no such scene";
    for (const place of places) {
      if (scenes.length >= SCENES) break;
      const [model] = wishedScenes({ ...place, provider, dataset, sideM, fromMs: Date.UTC(2021, 2, 1), days: 900 }, 1);
      if (model === undefined) continue;
      const extent = squareOf({ ...place, sideM });
      const outcome = await bench.run(mapType, [await bench.simulate(model, extent)], extent);
      if (outcome.kind === "refused") {
        refusal = outcome.reason;
        continue;
      }
      const there = truth(truthOf(model, outcome.result.planes[0]!.band)).map((object): TruthObject => ({
        centre: object.centre,
        reachM: reachM(object),
        counts: !object.hidden,
      }));
      const found = foundAt(outcome.result).filter(
        ({ properties }) => className === undefined || properties["class"] === className,
      );
      if (there.some(({ counts }) => counts)) scenes.push(matchObjects(there, found));
    }
    figures.push(
      ...(scenes.length === 0
        ? [
            absent({ ...of, metric: "recall", bar: bars.recall }, refusal),
            absent({ ...of, metric: "precision", bar: bars.precision }, refusal),
          ]
        : overScenes(of, scenes, bars)),
    );
  }
  return figures;
}
