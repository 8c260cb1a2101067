import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { RawClient } from "../e2e/raw-client.ts";
import { DEMO, ServiceProcess } from "../e2e/service-process.ts";
import { SMALL_SEARCH } from "../e2e/small-search.ts";
import { testProxy } from "../packages/service/src/platform/postgres/testing-proxy.ts";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { KeptClient } from "./kept-client.ts";
import { median } from "./statistics.ts";

const WORKER = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
const WORKERS = 2;
const CLIENTS = 32;
const WARM_SECONDS = 6;
const SECONDS = 8;
const LOADS = 3;
const SINGLE_ROUNDS = 50;

/**
 * Small searches through one `api` process and two workers: statements, elapsed time of one in a new process and in one
 * that has served thousands, and searches a second.
 */
export async function run(): Promise<void> {
  await using database = await testDatabase();
  await using counter = await testProxy(database.url);
  {
    await using api = await ServiceProcess.start({ DATABASE_URL: counter.url, SWATH_ROLES: "api" });
    const demo = await new RawClient(api.baseUrl).login(DEMO);
    const counts: number[] = [];
    for (let round = 0; round < SINGLE_ROUNDS; round++) {
      const before = counter.statements;
      await demo.run("/imagery/search", SMALL_SEARCH);
      counts.push(counter.statements - before);
    }
    process.stdout.write(`one search: ${median(counts)} SQL statements\n`);
  }
  const environment = { DATABASE_URL: database.url };
  await using api = await ServiceProcess.start({ ...environment, SWATH_ROLES: "api" });
  const workers = Array.from({ length: WORKERS }, (_, index) =>
    startWorker({ ...environment, SWATH_DATA: join(api.folder, `worker-${index}`), SWATH_DEMO_USER: "off" }),
  );
  try {
    const demo = await new RawClient(api.baseUrl).login(DEMO);
    using client = new KeptClient(api.baseUrl, demo.token ?? "", CLIENTS);
    const waiting = (): Promise<unknown> => demo.run("/imagery/search", SMALL_SEARCH);
    const following = (): Promise<void> => followNextTry(client);
    await printTimes("of a new process with waitSeconds", waiting);
    await searchesPerSecond(following, WARM_SECONDS);
    await printTimes("with waitSeconds", waiting);
    await printTimes("following nextTry", following);
    const rates: number[] = [];
    for (let load = 0; load < LOADS; load++) rates.push(await searchesPerSecond(following, SECONDS));
    process.stdout.write(`pipelines ${median(rates).toFixed(0)} a second (${CLIENTS} clients)\n`);
  } finally {
    await Promise.all(workers.map(stop));
  }
}

/** A search by a client of the original protocol. */
async function followNextTry(client: KeptClient): Promise<void> {
  const { pipelineId, nextTry } = await client.post("/imagery/search/initiate", SMALL_SEARCH);
  for (let pauseS = Number(nextTry); ;) {
    if (pauseS > 0) await wait(pauseS * 1_000);
    const answer = await client.post("/tasking/get-status", { pipelineId });
    if (answer["status"] === "RESOLVED") break;
    if (answer["status"] === "FAILED") throw new Error("a search failed");
    pauseS = Number(answer["nextTry"]);
  }
  await client.post("/imagery/search/retrieve", { pipelineId });
}

async function searchesPerSecond(search: () => Promise<void>, seconds: number): Promise<number> {
  const startedMs = performance.now();
  let ended = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() - startedMs < seconds * 1_000) {
        await search();
        ended += 1;
      }
    }),
  );
  return ended / ((performance.now() - startedMs) / 1_000);
}

async function printTimes(label: string, search: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < SINGLE_ROUNDS; round++) {
    const startedMs = performance.now();
    await search();
    times.push(performance.now() - startedMs);
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(SINGLE_ROUNDS * 0.95)] ?? Number.NaN;
  process.stdout.write(`one search ${label}: p50 ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`);
}

function startWorker(environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [WORKER, "serve"], {
    env: { ...process.env, SWATH_ROLES: "worker", SWATH_LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function stop(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null) return;
  worker.kill("SIGTERM");
  await once(worker, "exit");
}
