/**
 * Fills a database with a million scenes and times searches over three datasets of it and two of the simulated
 * constellation together, 200 results each; prints one JSON line.
 */
import { formatInstant } from "@swath/kernel/time/instant";
import { sql } from "kysely";
import { createImageryService } from "../../packages/service/src/features/imagery/service.ts";
import { createAreas } from "../../packages/service/src/platform/geometry/areas.ts";
import { testDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { createSimulatorSource } from "../../packages/simulator/src/simulator-source.ts";
import { drawDataset, generatedScenes, NOW_MS, square, type DatasetName } from "../generated-scenes.ts";
import { quantile, seededRandom } from "../statistics.ts";

const SCENES = Number(process.argv[2] ?? 1_000_000);
const QUERIES = 200;
const WARM_UP = 20;
const RESULTS = 200;
const DAY_MS = 86_400_000;
const SIDE_KM = 100;

/** As they are bound to the simulator, what the table has of them does not count. */
const SIMULATED: readonly DatasetName[] = [
  { provider: "ee", dataset: "COPERNICUS/S1_GRD" },
  { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" },
];

const random = seededRandom(7);
await using database = await testDatabase();
const clock = { now: () => new Date(NOW_MS) };
await using simulator = createSimulatorSource({ clock });
const service = createImageryService({
  areas: createAreas(),
  db: database.db,
  clock,
  thumbnails: { render: async () => new Uint8Array() },
  sources: {
    sourceOf: (provider, dataset) =>
      SIMULATED.some((one) => one.provider === provider && one.dataset === dataset) ? simulator : null,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  },
});
const startedMs = performance.now();
await service.insertScenes(generatedScenes(SCENES, random));
const insertSeconds = (performance.now() - startedMs) / 1000;
await sql`vacuum analyze`.execute(database.db);

const never = new AbortController().signal;

function drawThree(): readonly DatasetName[] {
  const drawn = new Map<string, DatasetName>();
  while (drawn.size < 3) {
    const one = drawDataset(random);
    if (SIMULATED.every(({ dataset }) => dataset !== one.dataset)) drawn.set(one.dataset, one);
  }
  return [...drawn.values()];
}

async function time(fresh: boolean, cursors: boolean) {
  const durationsMs: number[] = [];
  let rows = 0;
  let remote = 0;
  for (let query = -WARM_UP; query < QUERIES; query++) {
    const endMs = NOW_MS - Math.floor(random() * (fresh ? 3 * 365 : 0)) * DAY_MS;
    const request = {
      datasets: [...drawThree(), ...SIMULATED],
      extent: {
        type: "Polygon" as const,
        coordinates: [square(fresh ? -5 + random() * 30 : 10, fresh ? 40 + random() * 16 : 50, SIDE_KM, 0)],
      },
      minIntersection: 0,
      limit: RESULTS,
      endDatetime: formatInstant(endMs),
    };
    const first = cursors ? await service.search(request, never) : null;
    const queryMs = performance.now();
    const { results } = await service.search(
      first === null || first.cursor === null ? request : { ...request, cursor: first.cursor },
      never,
    );
    if (query < 0) continue;
    durationsMs.push(performance.now() - queryMs);
    rows += results.length;
    remote += results.filter(({ satellite }) => satellite !== "bench").length;
  }
  return {
    p50Ms: quantile(durationsMs, 0.5),
    p95Ms: quantile(durationsMs, 0.95),
    rows: rows / QUERIES,
    remote: remote / QUERIES,
  };
}

const cases = [
  { name: "new places", ...(await time(true, false)) },
  { name: "the same place again", ...(await time(false, false)) },
  { name: "second pages", ...(await time(true, true)) },
];
process.stdout.write(`${JSON.stringify({ scenes: SCENES, insertSeconds, cases })}\n`);
