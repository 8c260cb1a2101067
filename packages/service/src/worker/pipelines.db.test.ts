import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { statusOf } from "../error-status.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db, PipelineHandler, PipelineHandlers } from "../platform/context.ts";
import { silentLog } from "@swath/base/log/log";
import { testDatabase, type TestDatabase } from "../platform/postgres/testing.ts";
import { createPipelineService, type PipelineService } from "../platform/queue/pipeline-service.ts";
import { FailedRunError } from "../platform/queue/failed-run-error.ts";
import { openPipelineSignals, type PipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { startWorker, type Worker, type WorkerOptions } from "./worker.ts";
import { removeExpired } from "../features/pipelines/remove-expired.ts";

const KIND = "/test/work";
const ALICE: Caller = caller("alice", "group-1");

function caller(userId: string, groupId: string): Caller {
  return { kind: "user", userId, groupId, email: `${userId}@example.com`, permissions: new Set(["imagery"]) };
}

interface Bench extends AsyncDisposable {
  readonly db: Db;
  readonly url: string;
  readonly signals: PipelineSignals;
  readonly pipelines: PipelineService;
  enqueue(request?: unknown, kind?: string): Promise<string>;
  work(handlers: Record<string, PipelineHandler<never, unknown>["run"]>, options?: Partial<WorkerOptions>): Worker;
}

async function bench(): Promise<Bench> {
  const database: TestDatabase = await testDatabase();
  const signals = openPipelineSignals(database.url, silentLog);
  const pipelines = createPipelineService({ db: database.db, signals, retentionDays: 30 });
  const workers: Worker[] = [];
  return {
    db: database.db,
    url: database.url,
    signals,
    pipelines,
    async enqueue(request = {}, kind = KIND) {
      const input = { kind, lane: "heavy", request, caller: ALICE, baseUrl: "http://localhost" };
      const answer = await database.db.transaction().execute((trx) => pipelines.enqueue(trx, input));
      assert.deepEqual([answer.status, answer.nextTry], ["NEW", 1]);
      return answer.pipelineId;
    },
    work(handlers, options = {}) {
      const map: PipelineHandlers = new Map(Object.entries(handlers).map(([kind, run]) => [kind, { run }] as never));
      const worker = startWorker({
        db: database.db,
        signals,
        lane: "heavy",
        handlers: map,
        log: silentLog,
        concurrency: 4,
        ...options,
      });
      workers.push(worker);
      return worker;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await signals[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const never = new AbortController().signal;
const code = (expected: string, status?: number) => (error: unknown) => {
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.code, expected);
  if (status !== undefined) assert.equal(statusOf(error), status);
  return true;
};

test("a pipeline runs, reports progress and its result is retrieved with keys in their order", async () => {
  await using b = await bench();
  const reported = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  b.work({
    [KIND]: async (request, job) => {
      await job.report({ message: "Analyzing", step: 4 });
      await job.savePartial({ half: true });
      reported.resolve();
      await proceed.promise;
      return { result: { zebra: 1, apple: request, who: job.caller.email, may: [...job.caller.permissions] } };
    },
  });
  const id = await b.enqueue({ n: 1 });
  assert.match(id, /^[0-9A-Za-z]{20}$/u);
  await reported.promise;
  const running = await b.pipelines.status(id, 0);
  assert.deepEqual(running.progress, { message: "Analyzing", step: 4 });
  assert.deepEqual([running.status, running.nextTry], ["PROCESSING", 1]);
  const retrieve = { kind: KIND, pipelineId: id, caller: ALICE };
  await assert.rejects(b.pipelines.retrieve(retrieve), code("PIPELINE-NOT-PROCESSED", 400));
  assert.deepEqual(await b.pipelines.retrieve({ ...retrieve, partial: { empty: {} } }), { half: true });
  proceed.resolve();
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "RESOLVED");
  const result = await b.pipelines.retrieve(retrieve);
  assert.equal(JSON.stringify(result), '{"zebra":1,"apple":{"n":1},"who":"alice@example.com","may":["imagery"]}');
  const ended = await b.pipelines.status(id, 30);
  assert.equal(ended.status, "RESOLVED");
  assert.deepEqual(ended.progress, { message: "Finalizing analysis", step: 6 }, "what has ended is at its last step");
  assert.equal("nextTry" in ended, false);
});

test("before there is anything, who takes parts gets an empty result of the operation's shape", async () => {
  await using b = await bench();
  const retrieve = { kind: KIND, pipelineId: await b.enqueue(), caller: ALICE };
  assert.deepEqual(await b.pipelines.retrieve({ ...retrieve, partial: { empty: { results: [] } } }), { results: [] });
  await assert.rejects(b.pipelines.retrieve(retrieve), code("PIPELINE-NOT-PROCESSED"));
});

test("what a pipeline had before it failed for good is answered to who takes parts, and its code to others", async () => {
  await using b = await bench();
  let runs = 0;
  b.work({
    [KIND]: async (_request, job) => {
      runs += 1;
      await job.savePartial({ half: true });
      throw new ServiceError("SERVICE-UNAVAILABLE", "tried enough", { isFinal: true });
    },
  });
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "FAILED");
  assert.equal(runs, 1);
  const retrieve = { kind: KIND, pipelineId: id, caller: ALICE };
  await assert.rejects(b.pipelines.retrieve(retrieve), code("SERVICE-UNAVAILABLE", 424));
  assert.deepEqual(await b.pipelines.retrieve({ ...retrieve, partial: { empty: {} } }), { half: true });
});

test("only the initiating user and the same group retrieve or cancel; others see no such pipeline", async () => {
  await using b = await bench();
  const id = await b.enqueue();
  const stranger = caller("mallory", "group-2");
  const groupless = caller("nobody", "");
  const paidForAlike: Caller = { ...stranger, accountingGroupId: "group-1" };
  for (const who of [stranger, groupless, paidForAlike]) {
    const input = { kind: KIND, pipelineId: id, caller: who };
    await assert.rejects(b.pipelines.retrieve(input), code("NON-EXISTENT-PIPELINE", 404));
    await assert.rejects(b.pipelines.cancel(id, who), code("NON-EXISTENT-PIPELINE"));
  }
  const colleague = { kind: KIND, pipelineId: id, caller: caller("bob", "group-1") };
  await assert.rejects(b.pipelines.retrieve(colleague), code("PIPELINE-NOT-PROCESSED"));
  await assert.rejects(
    b.pipelines.retrieve({ ...colleague, kind: "/other/kind" }),
    code("INVALID_PIPELINE_RESULT", 400),
  );
  await assert.rejects(b.pipelines.status("A".repeat(20), 0), code("NON-EXISTENT-PIPELINE"));
});

test("a pipeline that no worker has taken is NEW for a second and then shown as PROCESSING", async () => {
  await using b = await bench();
  const id = await b.enqueue();
  assert.equal((await b.pipelines.status(id, 0)).status, "NEW");
  await sql`update pipelines set created_at = now() - interval '1 second' where id = ${id}`.execute(b.db);
  assert.equal((await b.pipelines.status(id, 0)).status, "PROCESSING");
  await sql`update pipelines set created_at = now() - interval '95 seconds' where id = ${id}`.execute(b.db);
  assert.equal((await b.pipelines.status(id, 0)).nextTry, 10);
});

test("an expected failure ends the pipeline at once with its own code under 424", async () => {
  await using b = await bench();
  let runs = 0;
  b.work({
    [KIND]: async () => {
      runs += 1;
      throw new ServiceError("EXTENT-TOO-LARGE", "the extent is too large");
    },
  });
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "FAILED");
  const input = { kind: KIND, pipelineId: id, caller: ALICE, partial: { empty: {} } };
  await assert.rejects(b.pipelines.retrieve(input), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual(
      [error.code, statusOf(error), error.message],
      ["EXTENT-TOO-LARGE", 424, "the extent is too large"],
    );
    return true;
  });
  assert.equal(runs, 1);
});

test("a failure that quotes U+0000 from a file ends the pipeline, without that character", async () => {
  await using b = await bench();
  b.work({
    [KIND]: async () => {
      throw new ServiceError("SCENE-UNREADABLE", "a\0b.xml: not XML");
    },
  });
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "FAILED");
  const input = { kind: KIND, pipelineId: id, caller: ALICE };
  await assert.rejects(b.pipelines.retrieve(input), { code: "SCENE-UNREADABLE", message: "ab.xml: not XML" });
});

test("an unexpected failure is tried again and a poison job ends as PROCESSING-ERROR without its internals", async () => {
  await using b = await bench();
  const attempts: number[] = [];
  b.work(
    {
      [KIND]: async (_request, job) => {
        attempts.push(job.attempt);
        // What the pause before the next run would be is skipped by making the row due as soon as it is released.
        await sql`create or replace function due() returns trigger language plpgsql as
          'begin if new.worker is null then new.claimable_at = now(); end if; return new; end'`.execute(b.db);
        await sql`create or replace trigger due before update on pipelines for each row execute function due()`.execute(
          b.db,
        );
        throw new TypeError("secret internals");
      },
    },
    { maxAttempts: 3 },
  );
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 20_000), "FAILED");
  assert.deepEqual(attempts, [1, 2, 3]);
  const input = { kind: KIND, pipelineId: id, caller: ALICE };
  await assert.rejects(b.pipelines.retrieve(input), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, "PROCESSING-ERROR");
    assert.doesNotMatch(error.message, /secret/u);
    return true;
  });
});

test("the result and the effects of commit are one transaction", async () => {
  await using b = await bench();
  await sql`create table effects (id text)`.execute(b.db);
  b.work({
    [KIND]: async (_request, job) => ({
      result: {},
      commit: async (trx) => {
        await sql`insert into effects values (${job.pipelineId})`.execute(trx);
        throw new ServiceError("CREDITS-ERROR", "not covered");
      },
    }),
  });
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "FAILED");
  const { rows } = await sql`select * from effects`.execute(b.db);
  assert.deepEqual(rows, []);
});

test("the end of a failed pipeline and the effects of its failure are one transaction", async () => {
  await using b = await bench();
  await sql`create table effects (id text)`.execute(b.db);
  let commits = 0;
  b.work({
    [KIND]: async (_request, job) => {
      throw new FailedRunError(new ServiceError("SCENE-UNREADABLE", "no TIFF"), async (trx) => {
        commits += 1;
        await sql`insert into effects values (${job.pipelineId})`.execute(trx);
        // The server gives the transaction up once, as after a deadlock.
        if (commits === 1) await sql`do $$ begin raise sqlstate '40P01'; end $$`.execute(trx);
      });
    },
  });
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "FAILED");
  const retrieve = { kind: KIND, pipelineId: id, caller: ALICE };
  await assert.rejects(b.pipelines.retrieve(retrieve), code("SCENE-UNREADABLE", 424));
  const { rows } = await sql`select id from effects`.execute(b.db);
  assert.deepEqual([rows, commits], [[{ id }], 2]);
});

test("a run whose lease has ended commits nothing: the run that followed did", async () => {
  await using b = await bench();
  await sql`create table effects (attempt integer)`.execute(b.db);
  const firstStarted = Promise.withResolvers<void>();
  const firstMayEnd = Promise.withResolvers<void>();
  const handler: PipelineHandler<never, unknown>["run"] = async (_request, job) => {
    if (job.attempt === 1) {
      firstStarted.resolve();
      await firstMayEnd.promise;
    }
    return {
      result: { attempt: job.attempt },
      commit: async (trx) => void (await sql`insert into effects values (${job.attempt})`.execute(trx)),
    };
  };
  const first = b.work({ [KIND]: handler });
  const id = await b.enqueue();
  await firstStarted.promise;
  await sql`update pipelines set claimable_at = now() where id = ${id}`.execute(b.db);
  b.work({ [KIND]: handler });
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "RESOLVED");
  firstMayEnd.resolve();
  await first.stop(5_000);
  const { rows } = await sql<{ attempt: number }>`select attempt from effects`.execute(b.db);
  assert.deepEqual(rows, [{ attempt: 2 }]);
});

test("cancelling aborts the running job and is reported as a failure with PIPELINE-CANCELLED", async () => {
  await using b = await bench();
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  b.work({
    [KIND]: async (_request, job) => {
      job.signal.addEventListener("abort", () => aborted.resolve());
      started.resolve();
      await aborted.promise;
      job.signal.throwIfAborted();
      return { result: {} };
    },
  });
  const id = await b.enqueue();
  await started.promise;
  assert.deepEqual(await b.pipelines.cancel(id, ALICE), { status: "FAILED" });
  await aborted.promise;
  assert.deepEqual(await b.pipelines.cancel(id, ALICE), { status: "FAILED" }, "again");
  assert.equal((await b.pipelines.status(id, 0)).status, "FAILED");
  const input = { kind: KIND, pipelineId: id, caller: ALICE };
  await assert.rejects(b.pipelines.retrieve(input), code("PIPELINE-CANCELLED", 424));
});

test("a finished pipeline cannot be cancelled", async () => {
  await using b = await bench();
  b.work({ [KIND]: async () => ({ result: 1 }) });
  const id = await b.enqueue();
  await b.pipelines.waitFor(id, never, 10_000);
  await assert.rejects(b.pipelines.cancel(id, ALICE), code("ILLEGAL-STATE-TRANSITION", 409));
});

test("a long poll is answered when the pipeline ends, long before its time is over", async () => {
  await using b = await bench();
  const id = await b.enqueue();
  const startedAtMs = performance.now();
  const answer = b.pipelines.status(id, 30);
  b.work({ [KIND]: async () => ({ result: 1 }) });
  assert.equal((await answer).status, "RESOLVED");
  assert.ok(performance.now() - startedAtMs < 5_000);
});

test("a long poll that nothing ends is answered when its time is over", async () => {
  await using b = await bench();
  const id = await b.enqueue();
  const startedAtMs = performance.now();
  const answer = await b.pipelines.status(id, 0.3);
  const elapsedMs = performance.now() - startedAtMs;
  assert.ok(elapsedMs >= 290 && elapsedMs < 2_000, String(elapsedMs));
  assert.equal(answer.status, "NEW");
});

test("a long poll ends when its caller goes away", async () => {
  await using b = await bench();
  const id = await b.enqueue();
  const gone = new AbortController();
  const answer = b.pipelines.status(id, 30, { signal: gone.signal });
  gone.abort();
  assert.equal((await answer).status, "NEW");
});

test("stopping gives an unfinished job back without counting a failure, and another worker finishes it", async () => {
  await using b = await bench();
  const started = Promise.withResolvers<void>();
  const first = b.work({
    [KIND]: (_request, job) =>
      new Promise((_resolve, reject) => {
        job.signal.addEventListener("abort", () => reject(new Error("aborted")));
        started.resolve();
      }),
  });
  const id = await b.enqueue();
  await started.promise;
  await first.stop(0);
  const row = await sql<{ worker: string | null; failures: number; status: string }>`
    select worker, failures, status from pipelines where id = ${id}`.execute(b.db);
  assert.deepEqual(row.rows, [{ worker: null, failures: 0, status: "PROCESSING" }]);
  b.work({ [KIND]: async (_request, job) => ({ result: job.attempt }) });
  assert.equal(await b.pipelines.waitFor(id, never, 10_000), "RESOLVED");
  const input = { kind: KIND, pipelineId: id, caller: ALICE };
  assert.equal(await b.pipelines.retrieve(input), 2);
});

test("stopping waits for a job that ends within the grace time", async () => {
  await using b = await bench();
  const started = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const worker = b.work({
    [KIND]: async () => {
      started.resolve();
      await proceed.promise;
      return { result: "whole" };
    },
  });
  const id = await b.enqueue();
  await started.promise;
  const stopped = worker.stop(10_000);
  proceed.resolve();
  await stopped;
  assert.equal((await b.pipelines.status(id, 0)).status, "RESOLVED");
});

test("a heavy kind at its limit does not keep a quick one waiting", async () => {
  await using b = await bench();
  const proceed = Promise.withResolvers<void>();
  let heavyAtOnce = 0;
  let most = 0;
  b.work(
    {
      "/test/heavy": async () => {
        heavyAtOnce += 1;
        most = Math.max(most, heavyAtOnce);
        await proceed.promise;
        heavyAtOnce -= 1;
        return { result: 1 };
      },
      "/test/quick": async () => ({ result: 2 }),
    },
    { concurrency: 2, kindLimits: new Map([["/test/heavy", 1]]) },
  );
  const heavy = await Promise.all([b.enqueue({}, "/test/heavy"), b.enqueue({}, "/test/heavy")]);
  const quick = await b.enqueue({}, "/test/quick");
  assert.equal(await b.pipelines.waitFor(quick, never, 10_000), "RESOLVED");
  proceed.resolve();
  for (const id of heavy) assert.equal(await b.pipelines.waitFor(id, never, 10_000), "RESOLVED");
  assert.equal(most, 1);
});

test("an enqueueing transaction that rolls back leaves no pipeline", async () => {
  await using b = await bench();
  let id = "";
  await assert.rejects(
    b.db.transaction().execute(async (trx) => {
      const input = { kind: KIND, lane: "heavy", request: {}, caller: ALICE, baseUrl: "http://localhost" };
      id = (await b.pipelines.enqueue(trx, input)).pipelineId;
      throw new Error("no credit");
    }),
    /no credit/u,
  );
  await assert.rejects(b.pipelines.status(id, 0), code("NON-EXISTENT-PIPELINE"));
});

test("an expired result is not answered and is removed by the sweep", async () => {
  await using b = await bench();
  const first = b.work({ [KIND]: async () => ({ result: 1 }) });
  const id = await b.enqueue();
  await b.pipelines.waitFor(id, never, 10_000);
  await first.stop(0);
  await sql`update pipelines set finished_at = now() - interval '31 days' where id = ${id}`.execute(b.db);
  await assert.rejects(b.pipelines.status(id, 0), code("NON-EXISTENT-PIPELINE"));
  await removeExpired(b.db, 30, never);
  const { rows } = await sql`select id from pipelines`.execute(b.db);
  assert.deepEqual(rows, []);
});

test("work and ends are heard again after the listening connections were cut", async () => {
  await using b = await bench();
  b.work({ [KIND]: async () => ({ result: 1 }) });
  assert.equal(await b.pipelines.waitFor(await b.enqueue(), never, 10_000), "RESOLVED");
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'swath signals' and datname = current_database()`.execute(b.db);
  assert.equal(await b.pipelines.waitFor(await b.enqueue(), never, 10_000), "RESOLVED");
});

test("a pipeline cancelled before a worker took it never runs", async () => {
  await using b = await bench();
  const id = await b.enqueue();
  await b.pipelines.cancel(id, ALICE);
  const ran: string[] = [];
  b.work({ [KIND]: async (_request, job) => ({ result: ran.push(job.pipelineId) }) });
  const next = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(next, never, 10_000), "RESOLVED");
  assert.deepEqual(ran, [next]);
});

test("a result too large to keep fails the pipeline and says so", async () => {
  await using b = await bench();
  b.work({ [KIND]: async () => ({ result: "x".repeat(33 * 1024 * 1024) }) });
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 20_000), "FAILED");
  const input = { kind: KIND, pipelineId: id, caller: ALICE };
  await assert.rejects(b.pipelines.retrieve(input), /the result has 3\d+ bytes and at most 33554432 are kept/u);
});

test("a failure that passes, such as a provider that is busy, is tried again", async () => {
  await using b = await bench();
  b.work({
    [KIND]: async (_request, job) => {
      if (job.attempt === 1) throw new ServiceError("SERVICE-UNAVAILABLE", "busy");
      return { result: job.attempt };
    },
  });
  const id = await b.enqueue();
  assert.equal(await b.pipelines.waitFor(id, never, 20_000), "RESOLVED");
});
