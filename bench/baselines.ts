import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { baselineMatrix, type BaselineScene } from "@swath/kernel/orbits/baseline-matrix";
import type { StateVector } from "@swath/kernel/orbits/state-vector";
import { median, printP95, quantile, seededRandom } from "./statistics.ts";

const SCENES = 100;
const RUNS = 30;
const WARM_UP = 5;
/** What the matrix may take. */
const LIMIT_MS = 1000;

/** A stack of one track as Sentinel-1 delivers it: 17 state vectors, a footprint of 40 positions each. */
function stackScene(random: () => number, passNumber: number): BaselineScene {
  const lon = (10 * Math.PI) / 180 + (random() - 0.5) * 2e-5;
  const radiusM = 7_070_000 + (random() - 0.5) * 200;
  const rate = Math.sqrt(3.986e14 / radiusM ** 3);
  const startMs = Date.UTC(2024, 0, 1 + 12 * passNumber);
  const stateVectors = Array.from({ length: 17 }, (_, k): StateVector => {
    const angle = rate * (k - 8) * 10;
    const flat = radiusM * Math.cos(angle);
    const inward = -radiusM * rate * Math.sin(angle);
    return {
      timeMs: startMs + 10_000 * k,
      positionM: [flat * Math.cos(lon), flat * Math.sin(lon), radiusM * Math.sin(angle)],
      velocityMs: [inward * Math.cos(lon), inward * Math.sin(lon), radiusM * rate * Math.cos(angle)],
    };
  });
  return { track: "44", footprint: footprint(random), stateVectors };
}

/** Ten places from one corner on, without the next corner. */
function side(from: readonly [number, number], to: readonly [number, number]): [number, number][] {
  return Array.from({ length: 10 }, (_, k) => [
    from[0] + (k / 10) * (to[0] - from[0]),
    from[1] + (k / 10) * (to[1] - from[1]),
  ]);
}

function footprint(random: () => number): MultiPolygon {
  const south = -1 + random() * 0.1;
  const corners: readonly (readonly [number, number])[] = [
    [13, south],
    [15.2, south + 0.4],
    [14.9, south + 1.9],
    [12.7, south + 1.5],
  ];
  const ring = corners.flatMap((corner, index) => side(corner, corners[(index + 1) % 4] ?? corner));
  return { type: "MultiPolygon", coordinates: [[[...ring, ring[0] ?? [0, 0]]]] };
}

/** Perpendicular baselines of all pairs of a hundred scenes. */
export function run(): Promise<void> {
  const random = seededRandom(5);
  const scenes = Array.from({ length: SCENES }, (_, index) => stackScene(random, index));
  const samples: number[] = [];
  for (let index = 0; index < WARM_UP + RUNS; index += 1) {
    const startedMs = performance.now();
    const matrix = baselineMatrix(scenes);
    if (index >= WARM_UP) samples.push(performance.now() - startedMs);
    const known = matrix.flat().filter((value) => value !== null).length;
    if (known !== SCENES * SCENES) throw new Error(`${known} of ${SCENES * SCENES} baselines are known`);
  }
  process.stdout.write(
    `${SCENES} x ${SCENES} baselines: median ${median(samples).toFixed(1)} ms, at most ${LIMIT_MS} ms are allowed\n`,
  );
  printP95("baselines", quantile(samples, 0.95));
  return Promise.resolve();
}
