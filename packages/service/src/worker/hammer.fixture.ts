import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import type { Db } from "../platform/context.ts";
import { lockIngestion, writeIngestion } from "../features/ingestion/on-demand-store.ts";
import { isRetryable } from "../platform/postgres/errors.ts";
import { openPool } from "../platform/postgres/pool.ts";
import { insertFirstRuns, type FirstRun, type NewPipeline, type StartedRun } from "../platform/queue/accept-store.ts";
import { claimPipelines, endAllLeases, extendLeases } from "../platform/queue/claim-store.ts";
import { newPipelineId } from "../platform/queue/pipeline-id.ts";
import { createPipelineService, type PipelineService } from "../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { cancelPipeline, deleteExpired } from "../platform/queue/pipeline-store.ts";
import { failRun, releaseRun, resolveRun, resolveRuns, updateRun, type Run } from "../platform/queue/run-store.ts";
import { ALICE, BOB, KIND } from "./queue-testing.ts";

/** The deeds of the roles of one process, and their failed statements. */
export interface Hammered {
  readonly ended: Record<"cancelled" | "failed" | "resolved" | "swept", number>;
  readonly deadlocks: readonly string[];
  readonly failures: readonly string[];
}

interface Hammer {
  readonly db: Db;
  readonly queue: PipelineService;
  readonly worker: string;
  readonly held: Map<string, Run>;
  readonly known: string[];
  readonly ended: Hammered["ended"];
}

const ROUNDS = 40;
const LEASE_MS = 10_000;
const CONNECTIONS = 8;
/** Few, so that processes meet. */
const INGESTED_SCENES = 3;
const INPUT = { kind: KIND, lane: "heavy", request: {}, baseUrl: "" } as const;

const ROLES: readonly ((hammer: Hammer, round: number) => Promise<void>)[] = [
  enqueue,
  claim,
  endTogether,
  endOneByOne,
  beat,
  beat,
  cancelAny,
  sweep,
  runAtOnce,
  shareIngestion,
];

async function enqueue({ db, known, queue }: Hammer, round: number): Promise<void> {
  const caller = round % 2 === 0 ? ALICE : BOB;
  const answers = await Promise.all([1, 2, 3, 4].map(() => queue.enqueue(db, { ...INPUT, caller })));
  known.push(...answers.map(({ pipelineId }) => pipelineId));
}

async function claim({ db, held, known, worker }: Hammer): Promise<void> {
  const claimed = await claimPipelines(db, {
    worker,
    lane: INPUT.lane,
    places: new Map([[KIND, 10]]),
    running: new Map(),
    runningPerCaller: 10,
    runningInAll: 50,
    limit: 10,
    leaseMs: LEASE_MS,
  });
  for (const { attempt, id } of claimed) {
    held.set(id, { id, attempt, worker });
    known.push(id);
  }
}

/** In either order: the statement decides in which one it locks. */
async function endTogether({ db, ended, held }: Hammer, round: number): Promise<void> {
  const runs = [...held.values()].slice(-11, -3);
  for (const { id } of runs) held.delete(id);
  const ordered = round % 2 === 0 ? runs : runs.toReversed();
  const resolved = await resolveRuns(
    db,
    ordered.map((run) => ({ run, resultJson: "1", progressJson: null })),
  );
  ended.resolved += resolved.filter(Boolean).length;
}

async function endOneByOne(hammer: Hammer): Promise<void> {
  const { db, ended, held } = hammer;
  if (held.size < 3) await claim(hammer);
  // The latest: others may have taken the earlier ones over.
  const [first, second, third] = [...held.values()].slice(-3);
  for (const run of [first, second, third]) if (run !== undefined) held.delete(run.id);
  if (
    first !== undefined &&
    (await failRun(db, { run: first, code: "PROCESSING-ERROR", message: "broken", progressJson: null }))
  )
    ended.failed += 1;
  if (second !== undefined) await releaseRun(db, { run: second, pauseMs: 0, failed: false, progressJson: null });
  if (third === undefined) return;
  await db.transaction().execute(async (trx) => {
    if (await resolveRun(trx, { run: third, resultJson: "1", progressJson: null })) ended.resolved += 1;
    await sql`select pg_sleep(0.002)`.execute(trx);
  });
}

async function beat({ db, held, known, worker }: Hammer, round: number): Promise<void> {
  const ids = [...held.keys(), ...known.slice(-20)];
  await extendLeases(db, worker, round % 2 === 0 ? ids : ids.toReversed(), LEASE_MS);
  for (const run of [...held.values()].slice(0, 3)) await updateRun(db, run, { progress: '{"step":1}', partial: null });
}

/** New ones, waiting ones, and those that run in any process. */
async function cancelAny({ db, ended, known, queue }: Hammer, round: number): Promise<void> {
  const { pipelineId } = await queue.enqueue(db, { ...INPUT, caller: ALICE });
  for (const id of [pipelineId, known[(round * 7) % Math.max(1, known.length)]]) {
    if (id !== undefined && (await cancelPipeline(db, id)) === "CANCELLED") ended.cancelled += 1;
  }
}

async function sweep({ db, ended }: Hammer): Promise<void> {
  await endAllLeases(db);
  await sql`update pipelines set finished_at = now() - interval '31 days'
    where id = any(array(
      select id from pipelines where finished_at is not null order by id limit 5 for update skip locked
    ))`.execute(db);
  ended.swept += await deleteExpired(db, 30, 100);
}

async function runAtOnce({ db, worker }: Hammer): Promise<void> {
  const runs: readonly FirstRun[] = [
    { status: "RESOLVED", result: "1" },
    { status: "PROCESSING", worker, leaseMs: LEASE_MS },
  ];
  const started = runs.map((run): StartedRun => {
    const pipeline: NewPipeline = { ...INPUT, id: newPipelineId(), caller: BOB };
    return { pipeline, requestJson: "{}", run, notes: { progress: null, partial: null } };
  });
  await insertFirstRuns(db, started);
}

const isActive = (status: string | null): boolean => status === "NEW" || status === "PROCESSING";

/** Joins the ingestion of a scene, or starts it, and ends it, as requests for its pixels do. */
async function shareIngestion({ db, queue }: Hammer, round: number): Promise<void> {
  const targetId = `scene ${round % INGESTED_SCENES}`;
  await db.transaction().execute(async (trx) => {
    const latest = await lockIngestion(trx, targetId);
    if (isActive(latest.status)) return;
    const { pipelineId } = await queue.enqueue(trx, { ...INPUT, caller: ALICE });
    await writeIngestion(trx, targetId, pipelineId, "plan");
  });
  await db.transaction().execute(async (trx) => {
    const latest = await lockIngestion(trx, targetId);
    if (isActive(latest.status)) await cancelPipeline(trx, latest.pipelineId);
  });
}

async function repeat(work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await work(round);
}

/** All roles at once, in one process of several. */
const [url = "", worker = ""] = process.argv.slice(2);
await using pool = openPool({ url, maxConnections: CONNECTIONS, statementTimeoutMs: 20_000, log: silentLog });
await using signals = openPipelineSignals(url, silentLog);
const hammer: Hammer = {
  db: pool.db,
  queue: createPipelineService({ db: pool.db, signals, retentionDays: 30 }),
  worker,
  held: new Map(),
  known: [],
  ended: { cancelled: 0, failed: 0, resolved: 0, swept: 0 },
};
const results = await Promise.allSettled(ROLES.map((role) => repeat((round) => role(hammer, round))));
const failures: unknown[] = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
const hammered: Hammered = {
  ended: hammer.ended,
  deadlocks: failures.filter(isRetryable).map(String),
  failures: failures.map(String),
};
process.send?.(hammered);
process.disconnect?.();
