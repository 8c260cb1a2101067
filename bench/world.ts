import { drawRows, forgetSurfaces } from "../packages/service/src/sources/simulator/world/render.ts";
import {
  modelAt,
  worldwideModel,
  type ModelOptions,
} from "../packages/service/src/sources/simulator/world/world-model.fixture.ts";
import { median, quantile } from "./statistics.ts";

const SIDE_PX = 512;
const ROUNDS = 8;
const WARM_UP = 3;
const PLACES = [
  [153.11, -27.43],
  [12.5, 46.3],
  [30.2, 2.1],
  [153.4, -27.4],
] as const;

const samples = new Map<string, number[]>();

function measure(name: string, round: number, draw: () => void): void {
  forgetSurfaces();
  const start = process.cpuUsage();
  draw();
  const { user, system } = process.cpuUsage(start);
  if (round >= WARM_UP) samples.set(name, [...(samples.get(name) ?? []), (user + system) / 1000]);
}

/**
 * CPU time to draw 512 x 512 pixels of one band from nothing, over places, resolutions and datasets. Further bands of
 * the same pixels take a tenth of it: they share what was drawn.
 */
export async function run(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const time = new Date(Date.UTC(2018, round, 12, 0, 10)).toISOString();
    for (const [lonDeg, latDeg] of PLACES) {
      const square: ModelOptions = { lonDeg, latDeg, pixelM: 10, sidePx: SIDE_PX, time };
      for (const pixelM of [0.5, 3, 10, 30]) {
        const optical = modelAt({ ...square, pixelM, roles: ["R"] });
        const radar = modelAt({ ...square, pixelM, datasetType: "sar-grd", roles: ["VV"] });
        measure(`optical ${pixelM} m`, round, () => drawRows(optical, 0, 0, 0, SIDE_PX, SIDE_PX));
        measure(`radar ${pixelM} m`, round, () => drawRows(radar, 0, 0, 0, SIDE_PX, SIDE_PX));
      }
      const cover = modelAt({ ...square, datasetType: "probabilities", meanings: ["probability:water"] });
      measure("probabilities 10 m", round, () => drawRows(cover, 0, 0, 0, SIDE_PX, SIDE_PX));
    }
    for (const [meaning, degrees] of [
      ["precipitation-mm-per-h", 0.1],
      ["methane-ppb", 0.01],
      ["night-lights-nw-per-cm2-sr", 1 / 240],
    ] as const) {
      const model = worldwideModel(meaning, degrees, Date.parse(time));
      const column = Math.floor((model.bands[0]?.widthPx ?? 0) * 0.9) & ~255;
      measure(meaning, round, () => drawRows(model, 0, column - SIDE_PX, 512, SIDE_PX, SIDE_PX));
    }
  }

  const all: number[] = [];
  for (const [name, times] of samples) {
    all.push(median(times));
    process.stdout.write(
      `${name.padEnd(28)} median ${median(times).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms\n`,
    );
  }
  process.stdout.write(
    `world mean ${(all.reduce((sum, one) => sum + one, 0) / all.length).toFixed(1)} ms (CPU, 512 px, over dataset types)\n`,
  );
}
