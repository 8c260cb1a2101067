/**
 * Fills a database with a million scenes and times searches on it; prints one JSON line.
 * Half of the scenes lie in a box over Europe, where all searches are: the worst case, about 500 scenes a point.
 */
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { formatInstant } from "@swath/kernel/time/instant";
import { sql } from "kysely";
import type { SceneRecord } from "../../packages/service/src/features/imagery/scene-record.ts";
import { createImageryService } from "../../packages/service/src/features/imagery/service.ts";
import { testDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { providers } from "../../packages/service/src/providers/registry.ts";
import { quantile, seededRandom } from "../statistics.ts";

const SCENES = Number(process.argv[2] ?? 1_000_000);
const QUERIES = 200;
const WARM_UP = 20;
const NOW_MS = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const YEARS = 11;
const KM_PER_DEGREE = 111.32;

type Position = [lonDeg: number, latDeg: number];

const random = seededRandom(7);
const datasets = providers
  .flatMap((provider) => provider.datasets.map((dataset) => ({ provider: provider.id, dataset })))
  .filter(({ dataset }) => !dataset.requiresSeparateSearch)
  .slice(0, 20)
  .map(({ provider, dataset }) => ({ provider, dataset: dataset.dataset }));
const weights = datasets.map((_, rank) => 1 / (rank + 1));
const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);

/** Zipf: the first dataset is the largest. */
function drawDataset(): { provider: string; dataset: string } {
  let rest = random() * totalWeight;
  const index = weights.findIndex((weight) => (rest -= weight) < 0);
  return datasets[Math.max(index, 0)] ?? { provider: "local", dataset: "uploads" };
}

function square(lon: number, lat: number, sideKm: number, turnRad: number): Position[] {
  const half = sideKm / KM_PER_DEGREE / 2;
  const stretch = 1 / Math.cos((lat * Math.PI) / 180);
  const corner = (dx: number, dy: number): Position => [
    lon + (dx * Math.cos(turnRad) - dy * Math.sin(turnRad)) * half * stretch,
    lat + (dx * Math.sin(turnRad) + dy * Math.cos(turnRad)) * half,
  ];
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
}

function* scenes(): Generator<SceneRecord> {
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
  for (let index = 0; index < SCENES; index++) {
    const europe = index % 2 === 0;
    const lon = europe ? -10 + random() * 40 : -178 + random() * 356;
    const lat = europe ? 36 + random() * 24 : (Math.asin(random() * 1.8 - 0.9) * 180) / Math.PI;
    const { provider, dataset } = drawDataset();
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

await using database = await testDatabase();
const service = createImageryService({
  db: database.db,
  clock: { now: () => new Date(NOW_MS) },
  thumbnails: { render: async () => new Uint8Array() },
});
const startedMs = performance.now();
await service.insertScenes(scenes());
const insertSeconds = (performance.now() - startedMs) / 1000;
await sql`vacuum analyze`.execute(database.db);

const never = new AbortController().signal;

async function time(sideKm: number, span: "month" | "all", minIntersection: number) {
  const durationsMs: number[] = [];
  let rows = 0;
  for (let query = -WARM_UP; query < QUERIES; query++) {
    const endMs = NOW_MS - Math.floor(random() * 10 * 365) * DAY_MS;
    const request = {
      datasets: [drawDataset(), drawDataset(), drawDataset()],
      extent: { type: "Polygon" as const, coordinates: [square(-5 + random() * 30, 40 + random() * 16, sideKm, 0)] },
      minIntersection,
      ...(span === "all"
        ? {}
        : { startDatetime: formatInstant(endMs - 30 * DAY_MS), endDatetime: formatInstant(endMs) }),
    };
    const queryMs = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one search at a time
    const { results } = await service.search(request, never);
    if (query >= 0) {
      durationsMs.push(performance.now() - queryMs);
      rows += results.length;
    }
  }
  return {
    sideKm,
    span,
    minIntersection,
    p50Ms: quantile(durationsMs, 0.5),
    p95Ms: quantile(durationsMs, 0.95),
    rows: rows / QUERIES,
  };
}

const cases = [];
for (const [sideKm, minIntersection] of [
  [10, 0.5],
  [100, 0.2],
  // Scenes of 100 km cannot cover half of 375 km.
  [375, 0.02],
] as const) {
  for (const span of ["month", "all"] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one load at a time
    cases.push(await time(sideKm, span, minIntersection));
  }
}
process.stdout.write(`${JSON.stringify({ scenes: SCENES, insertSeconds, cases })}\n`);
