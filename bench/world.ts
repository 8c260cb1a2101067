import { drawRows, forgetSurfaces } from "../packages/simulator/src/world/render.ts";
import { modelAt, worldwideModel, type ModelOptions } from "../packages/simulator/src/world/world-model.fixture.ts";
import { median } from "./statistics.ts";

const SIDE_PX = 512;
const ROUNDS = 10;
const WARM_UP = 3;
/** The middle of a city, a plain beside hills, the humid tropics, the open sea off a coast. */
const PLACES = [
  ["city", 153.11, -27.43],
  ["plain", 12.5, 46.3],
  ["tropics", 30.2, 2.1],
  ["sea", 153.4, -27.4],
] as const;

/** Milliseconds by kind and place. */
const samples = new Map<string, Map<string, number[]>>();

function measure(kind: string, place: string, round: number, draw: () => void): void {
  forgetSurfaces();
  const start = process.cpuUsage();
  draw();
  const { user, system } = process.cpuUsage(start);
  if (round < WARM_UP) return;
  const places = samples.get(kind) ?? new Map<string, number[]>();
  samples.set(kind, places);
  places.set(place, [...(places.get(place) ?? []), (user + system) / 1000]);
}

/** CPU time to draw 512 x 512 pixels from nothing, over places, resolutions and datasets. */
export async function run(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const time = new Date(Date.UTC(2018, round, 12, 0, 10)).toISOString();
    for (const [place, lonDeg, latDeg] of PLACES) {
      const square: ModelOptions = { lonDeg, latDeg, pixelM: 10, sidePx: SIDE_PX, time };
      for (const pixelM of [0.3, 0.5, 3, 10, 30]) {
        const optical = modelAt({ ...square, pixelM, roles: ["R"] });
        const radar = modelAt({ ...square, pixelM, datasetType: "sar-grd", roles: ["VV"] });
        measure(`optical ${pixelM} m`, place, round, () => drawRows(optical, 0, 0, 0, SIDE_PX, SIDE_PX));
        measure(`radar ${pixelM} m`, place, round, () => drawRows(radar, 0, 0, 0, SIDE_PX, SIDE_PX));
      }
      const cover = modelAt({ ...square, datasetType: "probabilities", meanings: ["probability:water"] });
      measure("probabilities 10 m", place, round, () => drawRows(cover, 0, 0, 0, SIDE_PX, SIDE_PX));
      const thermal = modelAt({ ...square, pixelM: 30, roles: ["T1"] });
      measure("thermal 30 m", place, round, () => drawRows(thermal, 0, 0, 0, SIDE_PX, SIDE_PX));
      const four = modelAt({ ...square, roles: ["B", "G", "R", "N"] });
      measure(FOUR_BANDS, place, round, () => {
        for (const band of four.bands.keys()) drawRows(four, band, 0, 0, SIDE_PX, SIDE_PX);
      });
    }
    for (const [meaning, degrees] of [
      ["precipitation-mm-per-h", 0.1],
      ["methane-ppb", 0.01],
      ["night-lights-nw-per-cm2-sr", 1 / 240],
    ] as const) {
      const model = worldwideModel(meaning, degrees, Date.parse(time));
      const column = Math.floor((model.bands[0]?.widthPx ?? 0) * 0.9) & ~255;
      measure(meaning, "east", round, () => drawRows(model, 0, column - SIDE_PX, 512, SIDE_PX, SIDE_PX));
    }
  }

  const means: number[] = [];
  let worst = 0;
  for (const [kind, places] of samples) {
    const medians = [...places].map(([place, times]) => [place, median(times)] as const);
    const mean = medians.reduce((sum, [, time]) => sum + time, 0) / medians.length;
    if (kind !== FOUR_BANDS) {
      means.push(mean);
      worst = Math.max(worst, ...medians.map(([, time]) => time));
    }
    const list = medians.map(([place, time]) => `${place} ${time.toFixed(1)}`).join(", ");
    process.stdout.write(`${kind.padEnd(28)} ${mean.toFixed(1).padStart(5)} ms: ${list}\n`);
  }
  const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
  process.stdout.write(
    `world mean ${mean.toFixed(1)} ms, worst ${worst.toFixed(1)} ms (CPU, 512 px of one band, over kinds and places)\n`,
  );
}

const FOUR_BANDS = "optical 10 m, four bands";
