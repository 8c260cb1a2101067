/**
 * Fills a database with a million features in batches as requests bring them and times searches on it; prints one JSON
 * line. Ten collections, six properties of every kind of selectivity, boxes of 100 m to 10 km all over the world.
 */
import { sql } from "kysely";
import type { NewFeature } from "../../packages/contract/src/features/feature-store/contract.ts";
import { createFeatureStoreService } from "../../packages/service/src/features/feature-store/service.ts";
import { testDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { createAreas } from "../../packages/service/src/platform/geometry/areas.ts";
import { createFeatureTests } from "../../packages/service/src/platform/geometry/feature-tests.ts";
import { quantile, seededRandom } from "../statistics.ts";

const FEATURES = Number(process.argv[2] ?? 1_000_000);
const BATCH = 5000;
/** Requests under way at once. */
const CLIENTS = 2;
const QUERIES = 200;
const WARM_UP = 20;
const DAY_MS = 86_400_000;
const NAMES = ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath"];

const random = seededRandom(11);

function feature(index: number): NewFeature {
  const lon = -179 + random() * 358;
  const lat = -80 + random() * 160;
  const half = 0.0005 * 100 ** random();
  return {
    type: "Feature",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [lon - half, lat - half],
          [lon + half, lat - half],
          [lon + half, lat + half],
          [lon - half, lat + half],
          [lon - half, lat - half],
        ],
      ],
    },
    properties: {
      collection: `collection-${Math.floor(random() * 10)}`,
      name: `${NAMES[Math.floor(random() * NAMES.length)]}-${Math.floor(random() * 100_000)}`,
      class: NAMES[Math.floor(random() ** 2 * NAMES.length)],
      length: Math.round(random() * 1e6) / 1000,
      observed: new Date(Date.UTC(2024, 0, 1) + index * 30_000).toISOString(),
      checked: random() < 0.3,
      source: { sensor: `s${Math.floor(random() * 5)}`, score: random() },
    },
  };
}

await using database = await testDatabase();
const service = createFeatureStoreService({ areas: createAreas(), db: database.db, tests: createFeatureTests() });

let taken = 0;
let stored = 0;
/** When each batch was stored. */
const storedAtMs: number[] = [];
async function client(): Promise<void> {
  while (taken < FEATURES) {
    const from = taken;
    taken += BATCH;
    const created = await service.create(
      Array.from({ length: Math.min(BATCH, FEATURES - from) }, (_, i) => feature(from + i)),
    );
    stored += created.length;
    storedAtMs.push(performance.now());
  }
}
const startedMs = performance.now();
await Promise.all(Array.from({ length: CLIENTS }, client));
const perSecond = (stored / (performance.now() - startedMs)) * 1000;
const tenth = Math.ceil(storedAtMs.length / 10);
const bestPerSecond = Math.max(
  ...storedAtMs.slice(tenth).map((atMs, i) => ((tenth * BATCH) / (atMs - (storedAtMs[i] ?? startedMs))) * 1000),
);
await sql`vacuum analyze`.execute(database.db);

const never = new AbortController().signal;

async function time(name: string, query: () => Record<string, unknown>) {
  const durationsMs: number[] = [];
  let rows = 0;
  for (let round = -WARM_UP; round < QUERIES; round++) {
    const request = { query: query() };
    const queryMs = performance.now();
    const { results } = await service.search(request, never);
    if (round < 0) continue;
    durationsMs.push(performance.now() - queryMs);
    rows += results.length;
  }
  return { name, p50Ms: quantile(durationsMs, 0.5), p95Ms: quantile(durationsMs, 0.95), rows: rows / QUERIES };
}

const collection = () => `collection-${Math.floor(random() * 10)}`;
const named = () => `${NAMES[Math.floor(random() * NAMES.length)]}-${Math.floor(random() * 100_000)}`;
function box(sideDeg: number) {
  const west = -179 + random() * (358 - sideDeg);
  const south = -80 + random() * (160 - sideDeg);
  return {
    op: "s_intersects",
    args: [{ property: "geometry" }, { bbox: [west, south, west + sideDeg, south + sideDeg] }],
  };
}
function range(share: number) {
  const low = random() * 1000 * (1 - share);
  return { $gte: low, $lt: low + 1000 * share };
}

const cases = [
  await time("equality, one in a million", () => ({ name: named() })),
  await time("equality, one in three", () => ({ class: "amber" })),
  await time("equality of two properties in a collection", () => ({
    collection: collection(),
    class: "heath",
    checked: true,
  })),
  await time("equality of a nested property", () => ({ "source.sensor": "s3" })),
  await time("range, 0.01 %", () => ({ length: range(0.0001) })),
  await time("range, 0.5 %", () => ({ length: range(0.005) })),
  await time("range, 3 %", () => ({ length: range(0.03) })),
  await time("range, 50 %", () => ({ length: range(0.5) })),
  await time("range, 1 % in a collection", () => ({ collection: collection(), length: range(0.01) })),
  await time("a day of moments", () => {
    const from = Date.UTC(2024, 0, 1) + random() * (FEATURES * 30_000 - DAY_MS);
    return { observed: { $gte: new Date(from).toISOString(), $lt: new Date(from + DAY_MS).toISOString() } };
  }),
  await time("box of 0.5 degrees", () => box(0.5)),
  await time("box of 5 degrees", () => box(5)),
  await time("box of 50 degrees", () => box(50)),
  await time("box of 20 degrees and range in a collection", () => ({
    op: "and",
    args: [
      { op: "=", args: [{ property: "collection" }, collection()] },
      { op: "<", args: [{ property: "length" }, 100] },
      box(20),
    ],
  })),
];
process.stdout.write(`${JSON.stringify({ features: FEATURES, perSecond, bestPerSecond, cases })}\n`);
