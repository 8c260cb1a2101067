import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { zipOf, type ZipEntry } from "@swath/raster/archive/zip";
import type { ActorName, FuzzRequest } from "./fuzz-request.ts";
import type { FuzzWorld } from "./fuzz-world.ts";
import type { SeedFile } from "./seed-files.ts";
import { createAgent, sendRequest, type FuzzAnswer } from "./send-request.ts";
import { loggedErrors, SEARCH_ID } from "./service-state.ts";
import { mutations, spoiledBytes } from "./spoiled-bytes.ts";
import { faultOf } from "./verdict.ts";

export interface FileRun {
  readonly seed: number;
  readonly count: number;
  /** Files on their way at once. */
  readonly clients: number;
  /** Most time of a request, the one that waits for the ingest included. */
  readonly limitMs: number;
  readonly folder: string;
  readonly mostFaults: number;
  readonly onProgress: (line: string) => void;
}

export interface FileReport {
  readonly sent: number;
  readonly faults: readonly string[];
  /** Number of files by their outcome: `ingested`, or the code of the refusal. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly slowest: { readonly ms: number; readonly what: string };
}

/** A changed file, and the way it takes into the service. */
interface Attempt {
  readonly name: string;
  readonly suffix: SeedFile["suffix"];
  readonly bytes: Uint8Array;
  /** Parts of an archive that is made of them, one of them changed. */
  readonly entries: readonly ZipEntry[] | null;
  readonly provider: "local" | "esa";
}

interface Outcome {
  readonly fault: string | null;
  readonly what: string;
  readonly slowestMs: number;
}

const ACTOR: ActorName = "uploader";
const ROUND = 100;
/** Faults of a round that are reduced to their simplest file. */
const MOST_EXPLAINED = 3;

function attempts(seeds: readonly SeedFile[]): fc.Arbitrary<Attempt> {
  const others = seeds.map(({ bytes }) => bytes);
  // Files that ingestion reads get most of the turns, all others are refused by their first bytes.
  const read = seeds.filter(({ bytes, entries }) => entries !== undefined || isTiff(bytes));
  const chosen = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...read) },
    { weight: 1, arbitrary: fc.constantFrom(...seeds) },
  );
  return fc
    .record({ seed: chosen, changes: mutations, esa: fc.nat({ max: 3 }), part: fc.nat({ max: 30 }) })
    .map(({ seed, changes, esa, part }) => ({
      name: seed.name,
      suffix: seed.suffix,
      entries: part % 3 === 0 ? null : withSpoiledPart(seed, part, changes, others),
      bytes: spoiledBytes(seed.bytes, changes, others),
      provider: seed.suffix === ".zip" && esa === 0 ? "esa" : "local",
    }));
}

function isTiff(bytes: Uint8Array): boolean {
  return /^(?:II|MM)/.test(Buffer.from(bytes.subarray(0, 2)).toString("latin1"));
}

function withSpoiledPart(
  { entries }: SeedFile,
  part: number,
  changes: Parameters<typeof spoiledBytes>[1],
  others: readonly Uint8Array[],
): readonly ZipEntry[] | null {
  if (entries === undefined) return null;
  return entries.map(({ name, body }, index) => ({
    name,
    body: index === part % entries.length ? spoiledBytes(body, changes, others) : body,
  }));
}

async function bytesOf({ bytes, entries }: Attempt): Promise<Uint8Array> {
  return entries === null ? bytes : await zipOf(entries);
}

/** Uploads changed files, waits for their ingest and asks for the scenes. */
export async function runFiles(world: FuzzWorld, seeds: readonly SeedFile[], run: FileRun): Promise<FileReport> {
  const agent = createAgent(run.clients * 2);
  const arbitrary = attempts(seeds);
  const outcomes = new Map<string, number>();
  const faults: string[] = [];
  let slowest = { ms: 0, what: "" };
  let sent = 0;
  let reported = 0;
  for (let first = 0; first < run.count && faults.length < run.mostFaults; first += ROUND) {
    const indices = Array.from({ length: Math.min(ROUND, run.count - first) }, (_, i) => first + i);
    const failed: { readonly index: number; readonly fault: string }[] = [];
    const client = async (): Promise<void> => {
      for (let index = indices.pop(); index !== undefined; index = indices.pop()) {
        const [attempt] = fc.sample(arbitrary, parametersOf(run.seed, index));
        if (attempt === undefined) continue;
        sent += 1;
        const { fault, what, slowestMs } = await ingest(world, run, agent, attempt, `file-${run.seed}-${index}`);
        outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
        if (slowestMs > slowest.ms) slowest = { ms: slowestMs, what: attempt.name };
        if (fault !== null) failed.push({ index, fault });
      }
    };
    await Promise.all(Array.from({ length: run.clients }, client));
    if (!world.service.isRunning) {
      faults.push(`the process ended\n${world.service.output.slice(-4000)}`);
      break;
    }
    faults.push(...loggedErrors(world.service).map((line) => `logged ${line}`));
    for (const { index, fault } of failed.slice(0, MOST_EXPLAINED)) {
      faults.push(`file ${index} ${fault}\n  ${await explained(world, run, agent, arbitrary, index)}`);
    }
    for (const fault of faults.slice(reported)) run.onProgress(fault);
    reported = faults.length;
    run.onProgress(`${sent} files, ${faults.length} faults`);
  }
  agent.destroy();
  return { sent, faults, outcomes, slowest };
}

function parametersOf(seed: number, index: number): { seed: number; numRuns: number; unbiased: boolean } {
  return { seed: (seed ^ (index * 2_246_822_519)) | 0, numRuns: 1, unbiased: true };
}

type Agent = ReturnType<typeof createAgent>;

async function ingest(
  world: FuzzWorld,
  run: FileRun,
  agent: Agent,
  attempt: Attempt,
  requestId: string,
): Promise<Outcome> {
  const { baseUrl } = world.service;
  let slowestMs = 0;
  let fault: string | null = null;
  const ask = async (method: string, url: string, body: Uint8Array | object | null): Promise<FuzzAnswer> => {
    const isBytes = body instanceof Uint8Array;
    const request: FuzzRequest = {
      actor: ACTOR,
      method,
      url,
      headers: {
        "request-id": requestId,
        ...(body === null
          ? {}
          : { "content-type": method === "PUT" ? "application/octet-stream" : "application/json" }),
      },
      body: body === null ? null : isBytes ? body : Buffer.from(JSON.stringify(body)),
    };
    const answer = await sendRequest(request, {
      baseUrl,
      token: world.token(ACTOR),
      agent,
      timeoutMs: run.limitMs * 2,
    });
    slowestMs = Math.max(slowestMs, answer.durationMs);
    fault ??= faultOf(request, answer, run.limitMs);
    return answer;
  };
  const done = (answer: FuzzAnswer, success: string): Outcome => ({
    fault,
    what: answer.status === 200 ? success : textMember(answer, "error"),
    slowestMs,
  });

  const { provider, suffix } = attempt;
  const bytes = await bytesOf(attempt);
  if (suffix === null) return done(await ask("POST", "/geojson/feature/save", bytes), "saved");
  const announced = { uploadSuffix: suffix, size: bytes.length, filename: "file" };
  const address = await ask("POST", "/imagery/ingest-scene/upload", announced);
  if (address.status !== 200) return done(address, "");
  const { pathname, search } = new URL(textMember(address, "url"));
  await ask("PUT", `${pathname}${search}`, bytes);
  const filepath = textMember(address, "filepath");
  const ingested = await ask("POST", "/imagery/ingest-scene", { provider, filepath });
  if (ingested.status === 200) {
    const sceneId = /"sceneId":"([^"]+)"/.exec(ingested.text)?.[1] ?? "";
    await ask("POST", "/imagery/scene-info", { sceneId });
    await ask("GET", `/imagery/thumbnail?scene_id=${sceneId}`, null);
  }
  return done(ingested, "ingested");
}

/** A file that fails, made as simple as its failure allows and kept for a test. */
async function explained(
  world: FuzzWorld,
  run: FileRun,
  agent: Agent,
  arbitrary: fc.Arbitrary<Attempt>,
  index: number,
): Promise<string> {
  let fault = "";
  const property = fc.asyncProperty(arbitrary, async (attempt) => {
    const outcome = await ingest(world, run, agent, attempt, SEARCH_ID);
    if (outcome.fault !== null) ({ fault } = outcome as { fault: string });
    return outcome.fault === null;
  });
  const details = await fc.check(property, { ...parametersOf(run.seed, index), interruptAfterTimeLimit: 30_000 });
  const [original] = fc.sample(arbitrary, parametersOf(run.seed, index));
  const smallest = details.counterexample?.[0] ?? original;
  if (smallest === undefined) return "it cannot be generated again";
  const path = join(run.folder, `file-${run.seed}-${index}${smallest.suffix ?? ".geojson"}`);
  await writeFile(path, await bytesOf(smallest));
  const repeated = details.failed ? `again ${fault}` : "not again when sent alone";
  return `of ${smallest.name}, provider ${smallest.provider}: ${repeated}\n  swath ingest ${path}`;
}

function textMember({ text }: FuzzAnswer, name: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : "";
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
