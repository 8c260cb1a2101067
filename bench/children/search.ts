/**
 * Fills a database with a million scenes and times searches on it; prints one JSON line.
 * Half of the scenes lie in a box over Europe, where all searches are: the worst case, about 500 scenes a point.
 */
import { formatInstant } from "@swath/kernel/time/instant";
import { sql } from "kysely";
import { createImageryService } from "../../packages/service/src/features/imagery/service.ts";
import type { Caller } from "../../packages/service/src/platform/context.ts";
import { createAreas } from "../../packages/service/src/platform/geometry/areas.ts";
import { testDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { drawDataset, generatedScenes, NOW_MS, square } from "../generated-scenes.ts";
import { quantile, seededRandom } from "../statistics.ts";

const SCENES = Number(process.argv[2] ?? 1_000_000);
const QUERIES = 200;
const WARM_UP = 20;
const DAY_MS = 86_400_000;
/** Searches of users leave out the scenes of other groups. */
const CALLER: Caller = {
  kind: "user",
  userId: "u",
  groupId: "g",
  organizationId: "o",
  email: "u@example.org",
  permissions: new Set(["imagery"]),
};

const random = seededRandom(7);

await using database = await testDatabase();
const service = createImageryService({
  areas: createAreas(),
  db: database.db,
  clock: { now: () => new Date(NOW_MS) },
  thumbnails: { render: async () => new Uint8Array() },
});
const startedMs = performance.now();
await service.insertScenes(generatedScenes(SCENES, random));
const insertSeconds = (performance.now() - startedMs) / 1000;
await sql`vacuum analyze`.execute(database.db);

const never = new AbortController().signal;

async function time(sideKm: number, span: "month" | "all", minIntersection: number) {
  const durationsMs: number[] = [];
  let rows = 0;
  for (let query = -WARM_UP; query < QUERIES; query++) {
    const endMs = NOW_MS - Math.floor(random() * 10 * 365) * DAY_MS;
    const request = {
      datasets: [drawDataset(random), drawDataset(random), drawDataset(random)],
      extent: { type: "Polygon" as const, coordinates: [square(-5 + random() * 30, 40 + random() * 16, sideKm, 0)] },
      minIntersection,
      ...(span === "all"
        ? {}
        : { startDatetime: formatInstant(endMs - 30 * DAY_MS), endDatetime: formatInstant(endMs) }),
    };
    const queryMs = performance.now();
    const { results } = await service.search(request, never, CALLER);
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
    cases.push(await time(sideKm, span, minIntersection));
  }
}
process.stdout.write(`${JSON.stringify({ scenes: SCENES, insertSeconds, cases })}\n`);
