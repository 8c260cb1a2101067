import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Db } from "../platform/context.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../platform/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { openPool } from "../platform/postgres/pool.ts";
import { createPipelineService } from "../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { ALICE, handlersOf, KIND, queueBench } from "./queue-testing.ts";
import { NO_DATABASE_EXIT } from "./run-alone.ts";
import { MAX_ATTEMPTS } from "./run-pipeline.ts";
import { startWorker } from "./worker.ts";

const never = new AbortController().signal;
const WITHIN_MS = 120_000;

interface KillableServer extends AsyncDisposable {
  readonly server: EmbeddedPostgres;
  readonly db: Db;
}

/** A server that starts again after each kill, as the embedded one of the service does. */
async function killableServer(): Promise<KillableServer> {
  await using stack = new AsyncDisposableStack();
  const data = stack.use(await mkdtempDisposable(join(tmpdir(), "swath-outage-")));
  // Durable: a kill must not lose what was committed.
  const server = stack.use(await startEmbeddedPostgres({ dataFolder: data.path, log: silentLog }));
  const pool = stack.use(openPool({ url: server.url, maxConnections: 6, statementTimeoutMs: 20_000, log: silentLog }));
  await migrate(pool.db, silentLog);
  const owned = stack.move();
  return { server, db: pool.db, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function rowOf(db: Db, id: string) {
  const { rows } = await sql`select status, attempt, failures from pipelines where id = ${id}`.execute(db);
  return rows;
}

test("a pipeline during whose runs the database was killed more often than runs may fail still resolves", async () => {
  await using s = await killableServer();
  await using signals = openPipelineSignals(s.server.url, silentLog);
  const queue = createPipelineService({ db: s.db, signals, retentionDays: 30 });
  const kills = MAX_ATTEMPTS + 1;
  const handlers = handlersOf({
    [KIND]: async (_request, job) => {
      if (job.attempt <= kills) {
        process.kill(s.server.pid, "SIGKILL");
        // The statement outlives its server.
        await sql`select pg_sleep(20)`.execute(s.db);
      }
      return { result: job.failures };
    },
  });
  const worker = startWorker({ db: s.db, signals, lane: "heavy", handlers, log: silentLog, concurrency: 2 });
  try {
    const input = { kind: KIND, lane: "heavy", request: {}, caller: ALICE, baseUrl: "" };
    const { pipelineId } = await queue.enqueue(s.db, input);
    while ((await queue.waitFor(pipelineId, never, 1_000).catch(() => "away")) !== "RESOLVED");
    assert.deepEqual(await rowOf(s.db, pipelineId), [{ status: "RESOLVED", attempt: kills + 1, failures: 0 }]);
  } finally {
    await worker.stop(0);
  }
});

test("the end of a run while the database is away is stored when it is back, without another run", async () => {
  await using s = await killableServer();
  await using signals = openPipelineSignals(s.server.url, silentLog);
  const queue = createPipelineService({ db: s.db, signals, retentionDays: 30 });
  await sql`create table effects (pipeline_id text)`.execute(s.db);
  const handlers = handlersOf({
    [KIND]: async (_request, { pipelineId }) => {
      process.kill(s.server.pid, "SIGKILL");
      return {
        result: 1,
        commit: async (trx) => void (await sql`insert into effects values (${pipelineId})`.execute(trx)),
      };
    },
  });
  const worker = startWorker({ db: s.db, signals, lane: "heavy", handlers, log: silentLog, concurrency: 2 });
  try {
    const input = { kind: KIND, lane: "heavy", request: {}, caller: ALICE, baseUrl: "" };
    const { pipelineId } = await queue.enqueue(s.db, input);
    while ((await queue.waitFor(pipelineId, never, 1_000).catch(() => "away")) !== "RESOLVED");
    assert.deepEqual(await rowOf(s.db, pipelineId), [{ status: "RESOLVED", attempt: 1, failures: 0 }]);
    assert.deepEqual((await sql`select * from effects`.execute(s.db)).rows, [{ pipeline_id: pipelineId }]);
  } finally {
    await worker.stop(0);
  }
});

const refused = (): Promise<never> => fetch("http://127.0.0.1:1").then(() => Promise.reject(new Error("answered")));

test("a provider that refuses connections is no outage of the database: failed runs count", async () => {
  await using b = await queueBench();
  const handlers = handlersOf({
    [KIND]: refused,
    "/test/wrapped": () =>
      refused().catch((cause: unknown) => {
        throw new ServiceError("SERVICE-UNAVAILABLE", "the provider does not answer: connection terminated", { cause });
      }),
  });
  b.work(handlers, { maxAttempts: 2 });
  for (const kind of handlers.keys()) {
    const id = await b.enqueue({ kind });
    assert.equal(await b.queue.waitFor(id, never, WITHIN_MS), "FAILED");
    assert.deepEqual(await rowOf(b.db, id), [{ status: "FAILED", attempt: 2, failures: 2 }]);
  }
});

test("separate processes that could not reach the database do not count against their pipeline", async () => {
  await using b = await queueBench();
  const id = await b.enqueue();
  await sql`update pipelines set status = 'PROCESSING', worker = 'dead', attempt = 9, deaths = 9`.execute(b.db);
  let started = 0;
  b.work(handlersOf({ [KIND]: () => Promise.reject(new Error("must not run here")) }), {
    maxAttempts: 1,
    startAlone: (run) => {
      started += 1;
      const end = started < 3 ? `process.exit(${NO_DATABASE_EXIT})` : "process.exit(1)";
      assert.equal(run.id, id);
      return spawn(process.execPath, ["-e", end], { stdio: "ignore" });
    },
  });
  assert.equal(await b.queue.waitFor(id, never, WITHIN_MS), "FAILED");
  assert.equal(started, 3);
  assert.deepEqual(await rowOf(b.db, id), [{ status: "FAILED", attempt: 12, failures: 1 }]);
});
