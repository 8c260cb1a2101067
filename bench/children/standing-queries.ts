/**
 * Keeps 100,000 areas as standing queries of 100 users, registers scenes and matches them as the service does. Then
 * registers scenes where another user watches 100,000 areas. Prints one JSON line.
 */
import { readFileSync } from "node:fs";
import { sql, type KyselyPlugin } from "kysely";
import { systemClock } from "../../packages/base/src/clock.ts";
import type { Caller } from "../../packages/service/src/platform/context.ts";
import {
  box,
  DATASET,
  sceneOver,
  standingBench,
} from "../../packages/service/src/features/standing-queries/testing.ts";
import { createStandingQueries } from "../../packages/service/src/features/standing-queries/service.ts";
import { quantile, seededRandom } from "../statistics.ts";

const QUERIES = 100;
const AREAS = 1_000;
const SCENES = 500;
/** A service that runs has matched as many. */
const WARM_UP = 200;
const SCENE_DEG = 1.1;

const random = seededRandom(7);
await using bench = await standingBench();
const never = new AbortController().signal;

/** Fields of 600 m within two degrees. */
async function watch(caller: Caller, west: number, south: number): Promise<void> {
  const features = Array.from({ length: AREAS }, () => {
    const lon = west + 2 * random();
    const lat = south + 2 * random();
    return { type: "Feature" as const, geometry: box(lon, lat, lon + 0.008, lat + 0.005), properties: {} };
  });
  const areas = { type: "FeatureCollection" as const, features };
  const request = { name: "fields", areas, datasets: [DATASET], filter: { cloudCover: { $lte: 0.3 } } };
  await bench.standing.create(caller, request, never);
}

let count = 0;
const scene = (west: number, south: number) => {
  count += 1;
  const footprint = box(west, south, west + SCENE_DEG, south + SCENE_DEG);
  return sceneOver(`scene-${count}`, footprint, { cloudCover: 0.1 });
};

interface Figures {
  readonly registerP95Ms: number;
  readonly matchP50Ms: number;
  readonly matchP95Ms: number;
  /** Processor time of this process and of the database server. */
  readonly matchCpuP95Ms: number;
  readonly matches: number;
}

async function measure(place: () => readonly [number, number], isMatched: boolean): Promise<Figures> {
  const registerMs: number[] = [];
  const matchMs: number[] = [];
  const cpuMs: number[] = [];
  let matches = 0;
  for (let round = -WARM_UP; round < SCENES; round += 1) {
    // The server does so by itself within a minute: plans of an empty catalogue read every scene.
    if (round === 0) await sql`vacuum analyze`.execute(bench.db);
    const record = scene(...place());
    const startedMs = performance.now();
    await bench.register(record);
    const registerEndMs = performance.now();
    const emptyMs = (await processorMs()) - (await processorMs());
    const earlierCpuMs = await processorMs();
    const registeredMs = performance.now();
    const matched = isMatched ? await bench.match() : 0;
    const elapsedMs = performance.now() - registeredMs;
    if (round < 0) continue;
    registerMs.push(registerEndMs - startedMs);
    matchMs.push(elapsedMs);
    cpuMs.push((await processorMs()) - earlierCpuMs + emptyMs);
    matches += matched;
  }
  return {
    registerP95Ms: quantile(registerMs, 0.95),
    matchP50Ms: quantile(matchMs, 0.5),
    matchP95Ms: quantile(matchMs, 0.95),
    matchCpuP95Ms: quantile(cpuMs, 0.95),
    matches: matches / SCENES,
  };
}

for (let n = 0; n < QUERIES; n += 1) {
  await watch(await bench.addUser(`user-${n}`), -10 + 38 * random(), 40 + 18 * random());
}
await sql`vacuum analyze`.execute(bench.db);
const usual = await measure(() => [-10 + 40 * random(), 40 + 20 * random()], true);
const statements = await statementsOfMatch();
const hostile = await bench.addUser("hostile");
const near = (): readonly [number, number] => [100 + random(), 20 + random()];
for (let n = 0; n < QUERIES; n += 1) await watch(hostile, 100, 20);
await sql`vacuum analyze`.execute(bench.db);
const crowded = await measure(near, false);
process.stdout.write(`${JSON.stringify({ areas: QUERIES * AREAS, usual, crowded, statements })}\n`);

/** Time on a processor, of this process and of the connections to its database: waiting for a place does not count. */
async function processorMs(): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    union select pg_backend_pid() order by pid`.execute(bench.db);
  const server = rows.reduce(
    (sum, { pid }) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]),
    0,
  );
  const { system, user } = process.cpuUsage();
  return server / 1e6 + (system + user) / 1e3;
}

/** Statements of one scene that matches, with the rights in memory. */
async function statementsOfMatch(): Promise<number> {
  let calls = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      calls += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted = createStandingQueries({ ...bench, db: bench.db.withPlugin(counter), clock: systemClock });
  for (;;) {
    await bench.register(scene(-10 + 40 * random(), 40 + 20 * random()));
    calls = 0;
    if ((await counted.matchArrivals(never)) > 0) return calls;
  }
}
