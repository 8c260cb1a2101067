import { foundAt, overScenes, sizeFigures } from "../detections.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { matchObjects, type Matched, type TruthObject } from "../matching.ts";
import type { MapResult, QualityBench } from "../quality-bench.ts";
import { squareOf, truthOf } from "../simulated-scenes.ts";
import { EDGE_M, isAtSea, shipSquares, type SeaSquare, type SeaWish } from "../simulated-seas.ts";

/** A ship is found when the centres are no further apart than this or its length. */
const REACH_M = 200;
const like = (data: string): Pick<Figure, "mapType" | "page" | "data"> => ({ mapType: "ships", page: "ships", data });
const atLeast = (value: number): Bar => ({ kind: "at-least", value });

export interface SeaSensor extends SeaWish {
  readonly data: string;
  /** Squares that are drawn at most, five seconds each. */
  readonly squares: number;
  readonly bars: { readonly recall: Bar | null; readonly precision: Bar | null };
}

/** Ships of optical images are those from 50 m on: a margin keeps errors of length out of the recall. */
export const SEA_SENSORS: readonly SeaSensor[] = [
  {
    data: "simulated Sentinel-1, ships over 50 m",
    provider: "ee",
    dataset: "COPERNICUS/S1_GRD",
    seaM: 12_000,
    squareM: 12_000,
    dates: 3,
    squares: 16,
    shortestM: 50,
    bars: { recall: atLeast(0.85), precision: atLeast(0.9) },
  },
  {
    data: "simulated Sentinel-2, ships over 60 m",
    provider: "ee",
    dataset: "COPERNICUS/S2_SR_HARMONIZED",
    seaM: 12_000,
    squareM: 12_000,
    dates: 2,
    squares: 10,
    shortestM: 60,
    bars: { recall: atLeast(0.75), precision: atLeast(0.6) },
  },
  {
    data: "simulated PlanetScope, ships over 60 m",
    provider: "pl",
    dataset: "PSScene",
    seaM: 9000,
    squareM: 3000,
    dates: 9,
    squares: 20,
    shortestM: 60,
    bars: { recall: atLeast(0.8), precision: atLeast(0.6) },
  },
  {
    data: "simulated Pléiades 0.5 m, ships over 60 m",
    provider: "ab",
    dataset: "pleiades",
    seaM: 8000,
    squareM: 1600,
    dates: 5,
    squares: 14,
    shortestM: 60,
    bars: { recall: atLeast(0.8), precision: atLeast(0.8) },
  },
];

export type SquareOutcome =
  | {
      readonly kind: "measured";
      readonly matched: Matched;
      readonly truth: readonly TruthObject[];
      readonly result: MapResult;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Ships of one square, found and true. */
export async function measureSquare(
  bench: QualityBench,
  { model, place }: SeaSquare,
  shortestM: number,
): Promise<SquareOutcome> {
  const extent = squareOf(place);
  const outcome = await bench.run("ships", [await bench.simulate(model, extent)], extent);
  if (outcome.kind === "refused") return outcome;
  const grid = outcome.result.planes[0]!.band;
  const pixelM = grid.geotransform[0];
  const { ships, classes } = truthOf(model, grid);
  const truth = ships.map((ship): TruthObject => {
    const [column, row] = ship.centrePx;
    const edgePx = Math.min(column, row, grid.widthPx - column, grid.heightPx - row);
    return {
      centre: ship.centre,
      reachM: Math.max(REACH_M, ship.lengthM),
      counts:
        !ship.hidden &&
        ship.lengthM >= shortestM &&
        edgePx * pixelM > EDGE_M + ship.lengthM / 2 &&
        isAtSea(ship, classes, grid.widthPx, pixelM),
      lengthM: ship.lengthM,
      widthM: ship.widthM,
      headingDeg: ship.headingDeg,
    };
  });
  return { kind: "measured", matched: matchObjects(truth, foundAt(outcome.result)), truth, result: outcome.result };
}

/** Squares of a sensor from all of the seas, as many as are drawn. */
export function drawnSquares(sensor: SeaSensor): readonly SeaSquare[] {
  const all = shipSquares(sensor);
  const count = Math.min(all.length, sensor.squares);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
}

export async function simulatedShipFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const sensor of SEA_SENSORS) {
    const of = like(sensor.data);
    const { bars } = sensor;
    const scenes: Matched[] = [];
    let refusal = "no such scene";
    for (const square of drawnSquares(sensor)) {
      const outcome = await measureSquare(bench, square, sensor.shortestM);
      if (outcome.kind === "refused") refusal = outcome.reason;
      else scenes.push(outcome.matched);
    }
    if (!scenes.some(({ hits, misses }) => hits + misses > 0)) {
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
