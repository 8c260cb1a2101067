import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { isRetryable } from "../platform/postgres/errors.ts";
import { openPool } from "../platform/postgres/pool.ts";
import { silentLog } from "@swath/base/log/log";
import { claimPipelines, endAllLeases, extendLeases } from "../platform/queue/claim-store.ts";
import { cancelPipeline, deleteExpired } from "../platform/queue/pipeline-store.ts";
import { failRun, releaseRun, resolveRuns, updateRun, type Run } from "../platform/queue/run-store.ts";
import { ALICE, BOB, KIND, queueBench } from "./queue-testing.ts";

const ROUNDS = 60;
const LEASE_MS = 10_000;
const WORKERS = ["w1", "w2", "w3"];

async function repeat(work: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await work(round);
}

test("no statement of the queue ends in a deadlock while all of them run against each other", async () => {
  await using b = await queueBench();
  await using pool = openPool({ url: b.url, maxConnections: 16, statementTimeoutMs: 20_000, log: silentLog });
  const { db } = pool;
  const held = new Map<string, Run>();
  const recent: string[] = [];
  const ended = { resolved: 0, failed: 0, cancelled: 0 };

  const enqueue = (): Promise<void> =>
    repeat(async (round) => {
      const caller = round % 2 === 0 ? ALICE : BOB;
      const input = { kind: KIND, lane: "heavy", request: {}, caller, baseUrl: "" };
      const answers = await Promise.all([1, 2, 3, 4].map(() => b.queue.enqueue(db, input)));
      recent.push(...answers.map(({ pipelineId }) => pipelineId));
    });
  const claim = (worker: string): Promise<void> =>
    repeat(async () => {
      const places = new Map([[KIND, 10]]);
      const claimed = await claimPipelines(db, {
        worker,
        lane: "heavy",
        places,
        running: new Map(),
        runningPerCaller: 10,
        runningInAll: 50,
        limit: 10,
        leaseMs: LEASE_MS,
      });
      for (const { attempt, id } of claimed) held.set(id, { id, attempt, worker });
    });
  const end = (): Promise<void> =>
    repeat(async (round) => {
      const runs = [...held.values()].slice(0, 10);
      for (const { id } of runs) held.delete(id);
      const [first, second, ...others] = round % 2 === 0 ? runs : runs.toReversed();
      if (first !== undefined && (await failRun(db, first, "PROCESSING-ERROR", "broken"))) ended.failed += 1;
      if (second !== undefined) await releaseRun(db, second, 0, false);
      const resolved = others.map((run) => ({ run, resultJson: "1" }));
      ended.resolved += (await resolveRuns(db, resolved)).filter(Boolean).length;
    });
  const beat = (worker: string): Promise<void> =>
    repeat(async (round) => {
      const ids = [...held.keys(), ...recent.slice(-20)];
      // In either order: the statement decides in which one it locks.
      await extendLeases(db, worker, round % 2 === 0 ? ids : ids.toReversed(), LEASE_MS);
      for (const run of [...held.values()].slice(0, 3)) await updateRun(db, run, "progress", '{"step":1}');
    });
  const cancel = (): Promise<void> =>
    repeat(async () => {
      const id = await b.enqueue();
      if ((await cancelPipeline(db, id)) === "CANCELLED") ended.cancelled += 1;
    });
  const sweep = (): Promise<void> =>
    repeat(async () => {
      await endAllLeases(db);
      await sql`update pipelines set finished_at = now() - interval '31 days'
        where id = (select id from pipelines where finished_at is not null limit 1 for update skip locked)`.execute(db);
      await deleteExpired(db, 30, 100);
    });

  const results = await Promise.allSettled([
    enqueue(),
    ...WORKERS.flatMap((worker) => [claim(worker), end(), beat(worker), beat(worker), beat(worker)]),
    cancel(),
    sweep(),
  ]);
  const failures = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  assert.deepEqual(failures.filter(isRetryable), [], "deadlocks");
  assert.deepEqual(failures, []);
  assert.ok(ended.resolved > 20 && ended.failed > 5 && ended.cancelled > 5, JSON.stringify(ended));
});
