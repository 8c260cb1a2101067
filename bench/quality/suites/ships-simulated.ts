import type { TrueObject } from "../../../packages/service/src/sources/simulator/world/ground-truth.ts";
import { WORLD_CLASSES } from "../../../packages/service/src/sources/simulator/world/land-cover.ts";
import { foundAt, overScenes, sizeFigures } from "../detections.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { matchObjects, type Matched, type TruthObject } from "../matching.ts";
import type { QualityBench } from "../quality-bench.ts";
import { squareOf, truthOf, wishedScenes } from "../simulated-scenes.ts";

/** A ship is found when the centres are no further apart than this or its length. */
const REACH_M = 200;
const like = (data: string): Pick<Figure, "mapType" | "page" | "data"> => ({ mapType: "ships", page: "ships", data });
const atLeast = (value: number): Bar => ({ kind: "at-least", value });

/** Anchorages and approaches of ports of the simulated world. */
const SEAS = [
  { lonDeg: 153.225, latDeg: -27.345 },
  { lonDeg: 174.865, latDeg: -36.835 },
  { lonDeg: 114.21, latDeg: 22.31 },
  { lonDeg: -43.09, latDeg: -22.975 },
  { lonDeg: 103.845, latDeg: 1.2 },
  { lonDeg: 2.28, latDeg: 41.38 },
  { lonDeg: 23.6, latDeg: 37.91 },
] as const;
const WATER = WORLD_CLASSES.indexOf("water");

interface SeaSensor {
  readonly data: string;
  readonly provider: string;
  readonly dataset: string;
  readonly sideM: number;
  /** Ships shorter than this are no misses. */
  readonly shortestM: number;
  readonly bars: { readonly recall: Bar | null; readonly precision: Bar | null };
}

const SENSORS: readonly SeaSensor[] = [
  {
    data: "simulated Sentinel-1, ships over 50 m",
    provider: "ee",
    dataset: "COPERNICUS/S1_GRD",
    sideM: 6000,
    shortestM: 50,
    bars: { recall: atLeast(0.85), precision: atLeast(0.9) },
  },
  {
    data: "simulated Sentinel-2, ships over 40 m",
    provider: "ee",
    dataset: "COPERNICUS/S2_SR_HARMONIZED",
    sideM: 5000,
    shortestM: 40,
    bars: { recall: atLeast(0.75), precision: atLeast(0.6) },
  },
  {
    data: "simulated PlanetScope, ships over 25 m",
    provider: "pl",
    dataset: "PSScene",
    sideM: 2000,
    shortestM: 25,
    bars: { recall: atLeast(0.8), precision: atLeast(0.6) },
  },
];

/** Water on all sides at this distance from the middle makes a ship one at sea. */
const OPEN_SEA_M = 200;

function isAtSea(ship: TrueObject, classes: Uint8Array, widthPx: number, pixelM: number): boolean {
  const heightPx = classes.length / widthPx;
  for (let step = 0; step < 16; step += 1) {
    const angle = (step * Math.PI) / 8;
    const column = Math.floor(ship.centrePx[0] + (Math.cos(angle) * OPEN_SEA_M) / pixelM);
    const row = Math.floor(ship.centrePx[1] + (Math.sin(angle) * OPEN_SEA_M) / pixelM);
    if (column < 0 || row < 0 || column >= widthPx || row >= heightPx) continue;
    if (classes[row * widthPx + column] !== WATER) return false;
  }
  return true;
}

const SCENES = 6;

export async function simulatedShipFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { data, provider, dataset, sideM, shortestM, bars } of SENSORS) {
    const of = like(data);
    const scenes: Matched[] = [];
    let refusal = "no such scene";
    for (const place of SEAS) {
      if (scenes.length >= SCENES) break;
      const [model] = wishedScenes({ ...place, provider, dataset, sideM, fromMs: Date.UTC(2021, 2, 1), days: 700 }, 1);
      if (model === undefined) continue;
      const extent = squareOf({ ...place, sideM });
      const outcome = await bench.run("ships", [await bench.simulate(model, extent)], extent);
      if (outcome.kind === "refused") {
        refusal = outcome.reason;
        continue;
      }
      const grid = outcome.result.planes[0]!.band;
      const { ships, classes } = truthOf(model, grid);
      const truth = ships.map((ship): TruthObject => ({
        centre: ship.centre,
        reachM: Math.max(REACH_M, ship.lengthM),
        counts: !ship.hidden && ship.lengthM >= shortestM && isAtSea(ship, classes, grid.widthPx, grid.geotransform[0]),
        lengthM: ship.lengthM,
        widthM: ship.widthM,
        headingDeg: ship.headingDeg,
      }));
      if (truth.some(({ counts }) => counts)) scenes.push(matchObjects(truth, foundAt(outcome.result)));
    }
    if (scenes.length === 0) {
      figures.push(
        absent({ ...of, metric: "recall", bar: bars.recall }, refusal),
        absent({ ...of, metric: "precision", bar: bars.precision }, refusal),
      );
      continue;
    }
    figures.push(...overScenes(of, scenes, bars), ...sizeFigures(of, scenes, { lengthM: null, headingDeg: null }));
  }
  return figures;
}
