/**
 * Times allocations against a database that holds its scenes, through the services as the process composes them;
 * prints one JSON line. Every allocation is a request of its own with a transaction of its own.
 */
import type { Polygon } from "@swath/kernel/geometry/geojson";
import { createMapTypes } from "../../packages/maps/src/registry.ts";
import { createCreditsService } from "../../packages/service/src/features/credits/service.ts";
import { setPrice, testCaller, testScene } from "../../packages/service/src/features/credits/testing.ts";
import { createImageryService } from "../../packages/service/src/features/imagery/service.ts";
import { silentLog } from "../../packages/base/src/log/log.ts";
import { createAreas } from "../../packages/service/src/platform/geometry/areas.ts";
import { openPool } from "../../packages/service/src/platform/postgres/pool.ts";
import { testDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { quantile, seededRandom } from "../statistics.ts";

const mapTypes = createMapTypes([]);

const NOW = new Date("2026-03-01T12:00:00Z");
const SCENES = 200;
const GROUPS = 1000;
/** The service's default. */
const CONNECTIONS = 16;
const CLIENTS = 32;
const MANY_GROUPS = 10_000;
const ONE_GROUP = 2000;
/** Earlier allocations of one scene: a grid of overlapping squares. */
const EARLIER_SIDE = 100;
const SCENE_DEG = 0.2;

const random = seededRandom(11);
await using database = await testDatabase();
await using pool = openPool({
  url: database.url,
  maxConnections: CONNECTIONS,
  statementTimeoutMs: 60_000,
  log: silentLog,
});
const { db } = pool;
const clock = { now: () => NOW };
const imagery = createImageryService({
  areas: createAreas(),
  db,
  clock,
  thumbnails: { render: async () => new Uint8Array() },
});
const scenes = Array.from({ length: SCENES }, (_, index) =>
  testScene(`bench-${index}`, { bounds: [14, 50, 14 + SCENE_DEG, 50 + SCENE_DEG] }),
);
await imagery.insertScenes(scenes);
const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery });
await setPrice(db, "spot", 1_000_000n, 1_000_000);
const groups = [...Array.from({ length: GROUPS }, (_, index) => `group-${index}`), "hot", "hot-scene"];
await db.transaction().execute(async (trx) => {
  for (const group of groups) await credits.grant(trx, group, 9_000_000_000_000n, "bench");
});

function square(west: number, south: number, sideDeg: number): Polygon {
  const [w, s, e, n] = [west, south, west + sideDeg, south + sideDeg].map((value) => Math.round(value * 1e7) / 1e7);
  if (w === undefined || s === undefined || e === undefined || n === undefined) throw new Error("no square");
  return {
    type: "Polygon",
    coordinates: [
      [
        [w, s],
        [e, s],
        [e, n],
        [w, n],
        [w, s],
      ],
    ],
  };
}

function anySquare(sideDeg: number): Polygon {
  return square(14 + random() * (SCENE_DEG - sideDeg), 50 + random() * (SCENE_DEG - sideDeg), sideDeg);
}

interface Job {
  readonly group: string;
  readonly scene: number;
  readonly geojson: Polygon;
}

async function allocate({ group, scene, geojson }: Job): Promise<void> {
  const caller = testCaller({ groupId: group, userId: `user of ${group}` });
  const sceneId = scenes[scene]?.scene.sceneId ?? "";
  await credits.allocateArea(caller, { sceneIds: [sceneId], geojson });
}

/** Requests per second and their 95th percentile, of clients that send their next request when they have an answer. */
async function load(work: readonly Job[]): Promise<{ readonly perSecond: number; readonly p95Ms: number }> {
  const durationsMs: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let job = work[next++]; job !== undefined; job = work[next++]) {
        const requestMs = performance.now();
        await allocate(job);
        durationsMs.push(performance.now() - requestMs);
      }
    }),
  );
  return { perSecond: work.length / ((performance.now() - startedMs) / 1000), p95Ms: quantile(durationsMs, 0.95) };
}

async function oneAfterTheOther(work: readonly Job[]): Promise<{ readonly p50Ms: number; readonly p95Ms: number }> {
  const durationsMs: number[] = [];
  for (const job of work) {
    const requestMs = performance.now();
    await allocate(job);
    durationsMs.push(performance.now() - requestMs);
  }
  return { p50Ms: quantile(durationsMs, 0.5), p95Ms: quantile(durationsMs, 0.95) };
}

function jobs(count: number, make: (index: number) => Omit<Job, "geojson">, sideDeg: number): readonly Job[] {
  return Array.from({ length: count }, (_, index) => ({ ...make(index), geojson: anySquare(sideDeg) }));
}

const anyOf = (count: number): number => Math.floor(random() * count);
const spread = () => ({ group: `group-${anyOf(GROUPS)}`, scene: anyOf(SCENES) });
await load(jobs(2000, spread, 0.005));
const manyGroups = await load(jobs(MANY_GROUPS, spread, 0.005));
const oneGroup = await load(jobs(ONE_GROUP, () => ({ group: "hot", scene: anyOf(SCENES) }), 0.005));

const stepDeg = SCENE_DEG / EARLIER_SIDE;
const grid = Array.from({ length: EARLIER_SIDE ** 2 }, (_, index): Job => {
  const [column, row] = [index % EARLIER_SIDE, Math.floor(index / EARLIER_SIDE)];
  return { group: "hot-scene", scene: 0, geojson: square(14 + column * stepDeg, 50 + row * stepDeg, stepDeg * 0.6) };
});
const oneScene = await load(grid.toSorted(() => random() - 0.5));
const near = { group: "hot-scene", scene: 0 };
// What a square of 0.004 degrees meets: about nine of the earlier ones.
const small = await oneAfterTheOther(jobs(200, () => near, 0.004));
const large = await oneAfterTheOther(jobs(20, () => near, 0.03));

process.stdout.write(`${JSON.stringify({ manyGroups, oneGroup, oneScene, small, large })}\n`);
