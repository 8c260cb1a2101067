import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { COAST_AREA } from "../../e2e/main-job.ts";
import { passwordGrant } from "../../e2e/raw-client.ts";
import { ADMIN } from "../../e2e/service-process.ts";
import type { KeptClient } from "../kept-client.ts";
import { stolenMs } from "./stolen-time.ts";

/** One kind of request of the quiet user. */
export const PROBES = ["tile", "search", "check", "login"] as const;
type Probe = (typeof PROBES)[number];
export type Latencies = Readonly<Record<Probe, number[]>>;

/** The work of the quiet user: a released map and the scene that it shows. */
export interface QuietWork {
  readonly client: KeptClient;
  /** Signs in again and again. */
  readonly anonymous: KeptClient;
  readonly sceneId: string;
  readonly tiles: readonly string[];
}

/** Least time between two rounds, ms: a caller of fewer than 100 requests a second is never heavy. */
const ROUND_MS = 280;
/** A 99th percentile needs many requests. */
const REPEATS: Readonly<Record<Probe, number>> = { tile: 8, search: 3, check: 4, login: 2 };
/** Longest wait for one answer, ms: a later answer and a refusal count as this long. */
const PATIENCE_MS = 30_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as NodeJS.GCFunction;

export function noLatencies(): Latencies {
  return { tile: [], search: [], check: [], login: [] };
}

export function addLatencies(to: Latencies, more: Latencies): void {
  for (const probe of PROBES) to[probe].push(...more[probe]);
}

/**
 * Latencies in ms while requests follow each other for `seconds`. A request during which the host took a processor away
 * is left out: in a quiet window of 10 s without such requests the slowest login took 30 ms, with them 100 ms.
 * A slow request is left out more often than a fast one: a ratio of few requests is too low.
 * The client collects its garbage in the pause: with `fetch` and without that, 24 of the 28 checks above 5 ms were a
 * collection of the client.
 */
export async function measureQuietUser(work: QuietWork, seconds: number): Promise<Latencies> {
  const latencies = noLatencies();
  const endMs = performance.now() + seconds * 1000;
  for (let round = 0; performance.now() < endMs; round += 1) {
    const pause = sleep(ROUND_MS);
    collectGarbage({ type: "minor" });
    for (const probe of PROBES) {
      for (let repeat = 0; repeat < REPEATS[probe]; repeat += 1) {
        const stolenBeforeMs = stolenMs();
        const startedMs = performance.now();
        const isServed = await Promise.race([isAnswered(request(work, probe, round + repeat)), patience()]);
        const latencyMs = performance.now() - startedMs;
        if (!isServed) latencies[probe].push(PATIENCE_MS);
        else if (stolenMs() === stolenBeforeMs) latencies[probe].push(latencyMs);
      }
    }
    await pause;
  }
  return latencies;
}

async function patience(): Promise<boolean> {
  return await sleep(PATIENCE_MS, false, { ref: false });
}

/** Whether the request was served. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  return await answer.then(
    () => true,
    () => false,
  );
}

async function request({ client, anonymous, sceneId, tiles }: QuietWork, probe: Probe, round: number): Promise<void> {
  switch (probe) {
    case "tile":
      await client.get(tiles[round % tiles.length] ?? "");
      return;
    case "search":
      await search(client);
      return;
    case "check":
      await client.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
      return;
    case "login":
      await anonymous.post("/oauth/ro", passwordGrant(ADMIN));
      return;
    default:
      probe satisfies never;
  }
}

async function search(client: KeptClient): Promise<void> {
  const datasets = [{ provider: "local", dataset: "uploads" }];
  const { pipelineId } = await client.post("/imagery/search/initiate", { datasets, extent: COAST_AREA });
  await client.post("/tasking/get-status", { pipelineId, waitSeconds: 30, getProgress: true });
  await client.post("/imagery/search/retrieve", { pipelineId });
}
