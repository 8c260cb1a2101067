import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFuzzWorld, type FuzzWorld } from "./fuzz-world.ts";
import { watchMemory } from "./process-memory.ts";
import { runFiles } from "./run-files.ts";
import { runRequests } from "./run-requests.ts";
import { ownFiles, sampleFiles } from "./seed-files.ts";
import { brokenPipelines, waitForPipelines } from "./service-state.ts";

export interface FuzzPlan {
  readonly seed: number;
  readonly requests: number;
  readonly files: number;
  /** Whether files of the sample folder are changed too, where it is present. */
  readonly withSamples: boolean;
  readonly onProgress: (line: string) => void;
  /** Further attacks on the same service. @returns faults */
  readonly also?: (world: FuzzWorld) => Promise<readonly string[]>;
}

export interface FuzzReport {
  readonly faults: readonly string[];
  readonly peakMemoryMib: number;
}

/** Most resident memory of the service and its child processes, without the database. */
const MEMORY_BOUND_MIB = 2048;
/** Most time of a request on a machine that is busy with other things. A long poll takes 30 s. */
const REQUEST_LIMIT_MS = 45_000;
/** Most time of a request that waits for an ingest. */
const INGEST_LIMIT_MS = 120_000;
const CONNECTIONS = 12;
/** Files on their way at once: as many as the service ingests at once. */
const CLIENTS = 4;
const MOST_FAULTS = 25;

function counted(counts: ReadonlyMap<unknown, number>): string {
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([what, count]) => `${String(what)}: ${count}`)
    .join(", ");
}

/**
 * Sends requests and files of the seed to a real service. Faults are:
 *
 * - a status of 500 or more, a late answer, a refusal without a code
 * - the end of the process, a logged error
 * - a pipeline that does not end, or fails for an internal reason
 * - memory beyond the bound
 */
export async function fuzzService(plan: FuzzPlan): Promise<FuzzReport> {
  const folder = await mkdtemp(join(tmpdir(), "swath-fuzz-"));
  const { seed, onProgress } = plan;
  const shared = { seed, folder, mostFaults: MOST_FAULTS, onProgress };
  await using world = await createFuzzWorld();
  await using memory = watchMemory(world.service.pid, 1000);
  const faults: string[] = [];

  const seeds = [...(await ownFiles()), ...(plan.withSamples ? await sampleFiles() : [])];
  const [requests, files] = await Promise.all([
    runRequests(world, { ...shared, count: plan.requests, connections: CONNECTIONS, limitMs: REQUEST_LIMIT_MS }),
    runFiles(world, seeds, { ...shared, count: plan.files, clients: CLIENTS, limitMs: INGEST_LIMIT_MS }),
  ]);
  onProgress(`${requests.sent} requests of seed ${seed}; ${counted(requests.statuses)}`);
  onProgress(`${requests.succeeded.size} operations succeeded; slowest ${sentence(requests.slowest)}`);
  onProgress(
    `${files.sent} files from ${seeds.length}; ${counted(files.outcomes)}; slowest ${sentence(files.slowest)}`,
  );
  faults.push(...requests.faults, ...files.faults);
  if (world.service.isRunning) faults.push(...((await plan.also?.(world)) ?? []));

  if (world.service.isRunning) await waitForPipelines(world, 0);
  faults.push(...(await brokenPipelines(world)));
  const peakMemoryMib = Math.round(memory.peakMib);
  onProgress(`memory at most ${peakMemoryMib} MiB, bound ${MEMORY_BOUND_MIB} MiB`);
  if (peakMemoryMib > MEMORY_BOUND_MIB) faults.push(`memory of ${peakMemoryMib} MiB`);
  onProgress(`fuzz requests ${requests.sent} files ${files.sent} seed ${seed} faults ${faults.length}`);
  // The bodies and files of faults stay, for their commands.
  if (faults.length === 0) await rm(folder, { recursive: true, force: true });
  return { faults, peakMemoryMib };
}

function sentence({ ms, what }: { readonly ms: number; readonly what: string }): string {
  return `${Math.round(ms)} ms, ${what}`;
}
