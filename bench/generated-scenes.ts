import { sceneId } from "@swath/kernel/scenes/scene-id";
import { formatInstant } from "@swath/kernel/time/instant";
import type { SceneRecord } from "../packages/service/src/features/imagery/scene-record.ts";
import { providers } from "../packages/service/src/providers/registry.ts";

export type Position = [lonDeg: number, latDeg: number];
export interface DatasetName {
  readonly provider: string;
  readonly dataset: string;
}

/** Present time of the benches that search. */
export const NOW_MS = Date.UTC(2026, 10, 1);
const YEARS = 11;
const KM_PER_DEGREE = 111.32;

const datasets = providers
  .flatMap((provider) => provider.datasets.map((dataset) => ({ provider: provider.id, dataset })))
  .filter(({ dataset }) => !dataset.requiresSeparateSearch)
  .slice(0, 20)
  .map(({ provider, dataset }): DatasetName => ({ provider, dataset: dataset.dataset }));
const weights = datasets.map((_, rank) => 1 / (rank + 1));
const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);

/** The datasets that generated scenes belong to. */
export const datasetNames = (): readonly DatasetName[] => datasets;

/** Zipf over twenty datasets: the first is the largest. */
export function drawDataset(random: () => number): DatasetName {
  let rest = random() * totalWeight;
  const index = weights.findIndex((weight) => (rest -= weight) < 0);
  return datasets[Math.max(index, 0)] ?? { provider: "local", dataset: "uploads" };
}

export function square(lon: number, lat: number, sideKm: number, turnRad: number): Position[] {
  const half = sideKm / KM_PER_DEGREE / 2;
  const stretch = 1 / Math.cos((lat * Math.PI) / 180);
  const corner = (dx: number, dy: number): Position => [
    lon + (dx * Math.cos(turnRad) - dy * Math.sin(turnRad)) * half * stretch,
    lat + (dx * Math.sin(turnRad) + dy * Math.cos(turnRad)) * half,
  ];
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
}

/** Scenes of 100 km, half of them in a box over Europe: about 500 a point for each million. */
export function* generatedScenes(count: number, random: () => number): Generator<SceneRecord> {
  const band = {
    bitDepth: 16,
    gsd: 10,
    pixelSizeX: 10,
    pixelSizeY: -10,
    crsOriginX: 0,
    crsOriginY: 0,
    approximateResolutionX: 10,
    approximateResolutionY: 10,
  };
  const bands = ["Blue", "Green", "Red", "NIR"].map((name) => ({ ...band, names: [name, name.toLowerCase()] }));
  for (let index = 0; index < count; index++) {
    const europe = index % 2 === 0;
    const lon = europe ? -10 + random() * 40 : -178 + random() * 356;
    const lat = europe ? 36 + random() * 24 : (Math.asin(random() * 1.8 - 0.9) * 180) / Math.PI;
    const { provider, dataset } = drawDataset(random);
    yield {
      scene: {
        sceneId: sceneId(provider, dataset, `s${index}`),
        foreignId: `s${index}`,
        provider,
        dataset,
        satellite: "bench",
        datetime: formatInstant(NOW_MS - Math.floor(random() * YEARS * 365.25 * 86_400) * 1000),
        crsEpsg: 32_633,
        footprint: { type: "MultiPolygon", coordinates: [[square(lon, lat, 100, (random() - 0.5) * 0.52)]] },
        areaKm2: 10_000,
        cloudCover: 0.1,
        bands,
      },
      raster: null,
      contentHash: null,
    };
  }
}
