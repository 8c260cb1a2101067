import { performance } from "node:perf_hooks";
import * as fc from "fast-check";
import { fuzzOperations, type FuzzOperation } from "./fuzz-operations.ts";
import { asCurl, type FuzzRequest } from "./fuzz-request.ts";
import type { FuzzWorld } from "./fuzz-world.ts";
import { requestsOf } from "./requests.ts";
import { createAgent, sendRequest, type FuzzAnswer } from "./send-request.ts";
import { loggedErrors, SEARCH_ID, pendingPipelines, waitForPipelines } from "./service-state.ts";
import { faultOf } from "./verdict.ts";

export interface RequestRun {
  readonly seed: number;
  readonly count: number;
  readonly connections: number;
  /** Most time of a request. */
  readonly limitMs: number;
  /** Folder of the bodies of failing requests. */
  readonly folder: string;
  /** The run ends after this number of faults: one cause may show in thousands of requests. */
  readonly mostFaults: number;
  readonly onProgress: (line: string) => void;
}

export interface RequestReport {
  readonly sent: number;
  readonly faults: readonly string[];
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Operations by their number of answers below 300. */
  readonly succeeded: ReadonlyMap<string, number>;
  readonly slowest: { readonly ms: number; readonly what: string };
}

/** Requests between two looks at the service. */
const ROUND = 1000;
/** Pipelines that may wait while requests go on: accepted work must also end. */
const MOST_PENDING = 40;
/** Faults of a round that are reduced to their smallest request. */
const MOST_EXPLAINED = 5;

interface Progress {
  readonly statuses: Map<number, number>;
  readonly succeeded: Map<string, number>;
  readonly faults: string[];
  slowest: { ms: number; what: string };
}

/** Sends generated requests over several connections and collects the faults. */
export async function runRequests(world: FuzzWorld, run: RequestRun): Promise<RequestReport> {
  const operations = fuzzOperations();
  const agent = createAgent(run.connections);
  const progress: Progress = { statuses: new Map(), succeeded: new Map(), faults: [], slowest: { ms: 0, what: "" } };
  const startedMs = performance.now();
  let sent = 0;
  let reported = 0;
  for (let first = 0; first < run.count && progress.faults.length < run.mostFaults; first += ROUND) {
    const indices = Array.from({ length: Math.min(ROUND, run.count - first) }, (_, i) => first + i);
    const arbitraries = new Map(operations.map((operation) => [operation, requestsOf(operation, world.known)]));
    const failed: { readonly index: number; readonly fault: string }[] = [];
    const sender = async (): Promise<void> => {
      for (let index = indices.pop(); index !== undefined; index = indices.pop()) {
        sent += 1;
        const operation = chosen(operations, run.seed, index);
        const arbitrary = arbitraries.get(operation) ?? requestsOf(operation, world.known);
        const [request] = fc.sample(arbitrary, parametersOf(run.seed, index));
        if (request === undefined) continue;
        const answer = await send(world, run, agent, withId(request, idOf(run.seed, index)));
        record(progress, operation, answer);
        const fault = faultOf(request, answer, run.limitMs);
        if (fault !== null) failed.push({ index, fault });
        else if (answer.status < 300) world.known.see(jsonOf(answer.text), operation.path);
      }
    };
    await Promise.all(Array.from({ length: run.connections }, sender));
    if (!world.service.isRunning) {
      progress.faults.push(`the process ended\n${world.service.output.slice(-4000)}`);
      break;
    }
    const logged = loggedErrors(world.service);
    for (const { index, fault } of failed.slice(0, MOST_EXPLAINED)) {
      const arbitrary = requestsOf(chosen(operations, run.seed, index), world.known);
      const lines = logged.filter((line) => line.includes(`"${idOf(run.seed, index)}"`));
      progress.faults.push(
        [`request ${index} ${fault}`, await explained(world, run, agent, arbitrary, index), ...lines].join("\n  "),
      );
    }
    const explainedIds = failed.map(({ index }) => `"${idOf(run.seed, index)}"`);
    progress.faults.push(...logged.filter((line) => !explainedIds.some((id) => line.includes(id))));
    for (const fault of progress.faults.slice(reported)) run.onProgress(fault);
    reported = progress.faults.length;
    await waitForPipelines(world, MOST_PENDING);
    world.known.adopt();
    await world.restore();
    if (first % 5000 === 0) {
      const perSecond = Math.round((sent / (performance.now() - startedMs)) * 1000);
      run.onProgress(
        `${sent} requests, ${perSecond}/s, ${progress.faults.length} faults, ${await pendingPipelines(world)} pipelines`,
      );
    }
  }
  agent.destroy();
  return { sent, ...progress };
}

function chosen(operations: readonly FuzzOperation[], seed: number, index: number): FuzzOperation {
  const [operation] = fc.sample(fc.constantFrom(...operations), { seed: (seed + index * 40_503) | 0, numRuns: 1 });
  if (operation === undefined) throw new Error("there are no operations");
  return operation;
}

function parametersOf(seed: number, index: number): { seed: number; numRuns: number; unbiased: boolean } {
  return { seed: (seed ^ (index * 2_654_435_761)) | 0, numRuns: 1, unbiased: true };
}

function idOf(seed: number, index: number): string {
  return `fuzz-${seed}-${index}`;
}

function withId(request: FuzzRequest, id: string): FuzzRequest {
  return { ...request, headers: { "request-id": id, ...request.headers } };
}

function send(
  world: FuzzWorld,
  run: RequestRun,
  agent: ReturnType<typeof createAgent>,
  request: FuzzRequest,
): Promise<FuzzAnswer> {
  const { baseUrl } = world.service;
  return sendRequest(request, { baseUrl, token: world.token(request.actor), agent, timeoutMs: run.limitMs * 2 });
}

function record(progress: Progress, { method, path }: FuzzOperation, answer: FuzzAnswer): void {
  progress.statuses.set(answer.status, (progress.statuses.get(answer.status) ?? 0) + 1);
  const what = `${method} ${path}`;
  if (answer.status >= 200 && answer.status < 300)
    progress.succeeded.set(what, (progress.succeeded.get(what) ?? 0) + 1);
  if (answer.durationMs > progress.slowest.ms) progress.slowest = { ms: answer.durationMs, what };
}

/** A failing request in its smallest failing form, as a command of a shell. */
async function explained(
  world: FuzzWorld,
  run: RequestRun,
  agent: ReturnType<typeof createAgent>,
  arbitrary: fc.Arbitrary<FuzzRequest>,
  index: number,
): Promise<string> {
  let fault = "";
  const property = fc.asyncProperty(arbitrary, async (request) => {
    const found = faultOf(request, await send(world, run, agent, withId(request, SEARCH_ID)), run.limitMs);
    if (found !== null) fault = found;
    return found === null;
  });
  const details = await fc.check(property, { ...parametersOf(run.seed, index), interruptAfterTimeLimit: 30_000 });
  const [original] = fc.sample(arbitrary, parametersOf(run.seed, index));
  const smallest = details.counterexample?.[0] ?? original;
  if (smallest === undefined) return "it cannot be generated again";
  const repeated = details.failed ? `again ${fault}` : "not again when sent alone";
  const curl = await asCurl(smallest, world.service.baseUrl, run.folder, `request-${run.seed}-${index}`);
  return `${repeated}\n  ${curl}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
