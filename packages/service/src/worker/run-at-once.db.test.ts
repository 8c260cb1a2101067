import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { within } from "@swath/base/concurrency/within";
import { silentLog } from "@swath/base/log/log";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineHandler, PipelineHandlers } from "../platform/context.ts";
import { FailedRunError } from "../platform/queue/failed-run-error.ts";
import { acceptPipeline, type Accepted } from "./accept-pipelines.ts";
import { ALICE, BOB, KIND, queueBench, type QueueBench } from "./queue-testing.ts";
import { AtOnceRuns, type AtOnceOptions } from "./run-at-once.ts";

const never = new AbortController().signal;

interface AtOnceBench extends AsyncDisposable {
  readonly b: QueueBench;
  readonly atOnce: AtOnceRuns;
  accept(caller?: typeof ALICE): Promise<Accepted>;
  row(
    id: string,
  ): Promise<{ status: string; attempt: number; failures: number; worker: string | null; writes: number }>;
}

async function atOnceBench(
  handler: PipelineHandler<unknown, unknown>,
  options: Partial<AtOnceOptions> = {},
): Promise<AtOnceBench> {
  const b = await queueBench();
  const { db, queue, signals } = b;
  await sql`create table writes (id text not null)`.execute(db);
  await sql`create function note_write() returns trigger language plpgsql as
    'begin insert into writes values (new.id); return null; end'`.execute(db);
  await sql`create trigger note_write after insert or update on pipelines
    for each row execute function note_write()`.execute(db);
  const handlers: PipelineHandlers = new Map([[KIND, handler]]);
  const shared = { db, signals, handlers, log: silentLog };
  const atOnce = new AtOnceRuns({ ...shared, concurrency: 4, runningPerCaller: 3, ...options });
  return {
    b,
    atOnce,
    accept: (caller = ALICE) =>
      acceptPipeline({ atOnce, db, queue }, { kind: KIND, lane: "quick", request: {}, caller, baseUrl: "" }, null),
    async row(id) {
      const { rows } = await sql<Awaited<ReturnType<AtOnceBench["row"]>>>`
        select status, attempt, failures, worker, (select count(*)::int from writes w where w.id = p.id) as writes
        from pipelines p where id = ${id}`.execute(db);
      const [row] = rows;
      assert.ok(row !== undefined, `no row of ${id}`);
      return row;
    },
    async [Symbol.asyncDispose]() {
      await atOnce.stop(0);
      await b[Symbol.asyncDispose]();
    },
  };
}

const result = { kind: KIND, caller: ALICE };

test("a quick pipeline ends during initiate, and its row is written once", async () => {
  await using one = await atOnceBench({
    run: async (_request, job) => {
      await job.report({ message: "Analyzing", step: 3 });
      await job.savePartial({ half: true });
      return { result: { whole: true } };
    },
  });
  const { nextTry, pipelineId } = await one.accept();
  assert.equal(nextTry, 0);
  assert.deepEqual(await one.row(pipelineId), { status: "RESOLVED", attempt: 1, failures: 0, worker: null, writes: 1 });
  const status = await one.b.queue.status(pipelineId, null);
  assert.deepEqual([status.status, "nextTry" in status, status.progress.step], ["RESOLVED", false, 6]);
  assert.deepEqual(await one.b.queue.retrieve({ ...result, pipelineId }), { whole: true });
});

test("result and effects of a quick pipeline are one transaction, and a refusal of the effects is its failure", async () => {
  let isRefused = false;
  await using one = await atOnceBench({
    run: async (_request, job) => ({
      result: {},
      commit: async (trx) => {
        await sql`insert into effects values (${job.pipelineId})`.execute(trx);
        if (isRefused) throw new ServiceError("CREDITS-ERROR", "not covered");
      },
    }),
  });
  await sql`create table effects (id text)`.execute(one.b.db);
  const good = await one.accept();
  isRefused = true;
  const bad = await one.accept();
  const { rows } = await sql`select id from effects`.execute(one.b.db);
  assert.deepEqual(rows, [{ id: good.pipelineId }]);
  assert.equal((await one.row(bad.pipelineId)).status, "FAILED");
  await assert.rejects(
    one.b.queue.retrieve({ ...result, pipelineId: bad.pipelineId }),
    (error) => error instanceof ServiceError && error.code === "CREDITS-ERROR",
  );
});

test("the failure of a quick pipeline and its effects are one transaction", async () => {
  await using one = await atOnceBench({
    run: async (_request, job) => {
      throw new FailedRunError(new ServiceError("SCENE-UNREADABLE", "no TIFF"), async (trx) => {
        await sql`insert into effects values (${job.pipelineId})`.execute(trx);
      });
    },
  });
  await sql`create table effects (id text)`.execute(one.b.db);
  const { pipelineId } = await one.accept();
  const { rows } = await sql`select id from effects`.execute(one.b.db);
  assert.deepEqual([rows, (await one.row(pipelineId)).status], [[{ id: pipelineId }], "FAILED"]);
});

test("a run longer than the wait goes on here, and no worker runs it again", async () => {
  const proceed = Promise.withResolvers<void>();
  let runs = 0;
  const handler: PipelineHandler<unknown, unknown> = {
    run: async () => {
      runs += 1;
      await proceed.promise;
      return { result: runs };
    },
  };
  await using one = await atOnceBench(handler, { waitMs: 20 });
  one.b.work(new Map([[KIND, handler]]), { lane: "quick" });
  const { nextTry, pipelineId } = await one.accept();
  assert.equal(nextTry, 0);
  const during = await one.row(pipelineId);
  assert.deepEqual([during.status, during.attempt, during.writes], ["PROCESSING", 1, 1]);
  const waiting = one.b.queue.status(pipelineId, 10);
  // A worker that looks for work now finds none.
  const other = await one.b.enqueue({ lane: "quick", caller: BOB });
  proceed.resolve();
  assert.equal((await waiting).status, "RESOLVED");
  assert.equal(await one.b.queue.waitFor(other, never, 10_000), "RESOLVED");
  assert.equal(runs, 2);
  assert.deepEqual((await one.row(pipelineId)).attempt, 1);
});

test("unless a wait is given, initiate answers by itself while its run goes on without an end", async () => {
  await using one = await atOnceBench({
    run: (_request, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
  });
  const accepting = one.accept();
  assert.equal(await within(accepting, 5_000), true, "answered");
  const { pipelineId } = await accepting;
  const { attempt, failures, status, worker } = await one.row(pipelineId);
  assert.deepEqual([status, attempt, failures], ["PROCESSING", 1, 0]);
  assert.notEqual(worker, null, "the row names the process that runs it");
});

test("pipelines beyond the places, or beyond those of one caller, wait in the queue", async () => {
  const proceed = Promise.withResolvers<void>();
  await using one = await atOnceBench(
    {
      run: async () => {
        await proceed.promise;
        return { result: 1 };
      },
    },
    { waitMs: 5 },
  );
  const statuses: string[] = [];
  for (const caller of [ALICE, ALICE, ALICE, ALICE, BOB, BOB]) {
    const { pipelineId } = await one.accept(caller);
    statuses.push((await one.row(pipelineId)).status);
  }
  assert.deepEqual(statuses, ["PROCESSING", "PROCESSING", "PROCESSING", "NEW", "PROCESSING", "NEW"]);
  proceed.resolve();
});

test("a first run that fails unexpectedly is repeated by a worker", async () => {
  const attempts: number[] = [];
  const handler: PipelineHandler<unknown, unknown> = {
    run: async (_request, job) => {
      attempts.push(job.attempt);
      if (job.attempt === 1) throw new TypeError("broken");
      return { result: 1 };
    },
  };
  await using one = await atOnceBench(handler);
  const { pipelineId } = await one.accept();
  const { failures, status, worker } = await one.row(pipelineId);
  assert.deepEqual([status, failures, worker], ["PROCESSING", 1, null]);
  await sql`update pipelines set claimable_at = now() where id = ${pipelineId}`.execute(one.b.db);
  one.b.work(new Map([[KIND, handler]]), { lane: "quick" });
  assert.equal(await one.b.queue.waitFor(pipelineId, never, 10_000), "RESOLVED");
  assert.deepEqual(attempts, [1, 2]);
});

test("a run with effects under its id has its row first", async () => {
  const rows: unknown[] = [];
  await using one = await atOnceBench({
    needsRow: () => true,
    run: async (_request, job) => {
      rows.push((await one.row(job.pipelineId)).status);
      return { result: 1 };
    },
  });
  const { pipelineId } = await one.accept();
  assert.deepEqual(rows, ["PROCESSING"]);
  assert.equal((await one.row(pipelineId)).status, "RESOLVED");
});

test("cancelling ends a run that goes on here, and stopping gives one back", async () => {
  const starts: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()];
  let runs = 0;
  await using one = await atOnceBench(
    {
      run: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
          starts[runs]?.resolve();
          runs += 1;
        }),
    },
    { waitMs: 5 },
  );
  const first = await one.accept();
  await one.b.queue.cancel(first.pipelineId, ALICE);
  assert.equal((await one.row(first.pipelineId)).status, "CANCELLED");
  const second = await one.accept();
  await starts[1]?.promise;
  await one.atOnce.stop(0);
  const { failures, status, worker } = await one.row(second.pipelineId);
  assert.deepEqual([status, failures, worker], ["PROCESSING", 0, null]);
  assert.equal((await one.row(first.pipelineId)).status, "CANCELLED");
});

test("a pipeline that cannot be stored is refused, and its effects do not happen", async () => {
  let commits = 0;
  await using one = await atOnceBench({
    run: async () => ({
      result: {},
      commit: async () => {
        commits += 1;
      },
    }),
  });
  await sql`create function full_disk() returns trigger language plpgsql as
    'begin raise exception ''no space left on device''; end'`.execute(one.b.db);
  await sql`create trigger full_disk before insert on pipelines for each row execute function full_disk()`.execute(
    one.b.db,
  );
  await assert.rejects(one.accept(), /no space left/u);
  assert.equal(commits, 0);
});

test("a pipeline waits a moment for a place instead of going to the queue, whichever caller holds the fewest first", async () => {
  const runs: { readonly caller: string; readonly end: () => void }[] = [];
  const started: PromiseWithResolvers<void>[] = Array.from({ length: 4 }, () => Promise.withResolvers());
  await using one = await atOnceBench(
    {
      run: async (_request, { caller }) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        runs.push({ caller: caller.userId, end: resolve });
        started[runs.length - 1]?.resolve();
        await promise;
        return { result: 1 };
      },
    },
    { concurrency: 2, runningPerCaller: 2, waitMs: 20_000 },
  );
  const accepted = [one.accept(), one.accept(), one.accept(), one.accept(BOB)];
  await started[1]?.promise;
  runs[0]?.end();
  await started[2]?.promise;
  assert.deepEqual(
    runs.map(({ caller }) => caller),
    ["alice", "alice", "bob"],
  );
  runs[1]?.end();
  await started[3]?.promise;
  for (const { end } of runs) end();
  for (const { pipelineId } of await Promise.all(accepted)) {
    const { attempt, status, writes } = await one.row(pipelineId);
    assert.deepEqual([attempt, status, writes], [1, "RESOLVED", 1]);
  }
});

/** Runs that end in the same turn of the event loop, each with the result of its number. */
function endTogether(results: readonly unknown[]): PipelineHandler<unknown, unknown> {
  const all = Promise.withResolvers<void>();
  let started = 0;
  return {
    run: async () => {
      const own = results[started];
      started += 1;
      if (started === results.length) all.resolve();
      await all.promise;
      return { result: own };
    },
  };
}

test("small runs that end together are stored by one statement, and each large one by its own", async () => {
  const large = "x".repeat(9_000);
  await using one = await atOnceBench(endTogether(["a", "b", large, large]), { waitMs: 20_000 });
  await sql`create table statements (pipelines integer not null)`.execute(one.b.db);
  await sql`create function note_statement() returns trigger language plpgsql as
    'begin insert into statements select count(*) from added; return null; end'`.execute(one.b.db);
  await sql`create trigger note_statement after insert on pipelines referencing new table as added
    for each statement execute function note_statement()`.execute(one.b.db);
  const accepted = await Promise.all([one.accept(), one.accept(), one.accept(), one.accept(BOB)]);
  const { rows } = await sql<{ pipelines: number }>`select pipelines from statements order by pipelines`.execute(
    one.b.db,
  );
  assert.deepEqual(
    rows.map(({ pipelines }) => pipelines),
    [1, 1, 2],
  );
  const owners = [ALICE, ALICE, ALICE, BOB];
  const results = accepted.map(({ pipelineId }, index) =>
    one.b.queue.retrieve({ kind: KIND, caller: owners[index] ?? ALICE, pipelineId }),
  );
  assert.deepEqual(await Promise.all(results), ["a", "b", large, large]);
});

test("an end that cannot be stored counts for its own run, and not for those that are stored with it", async () => {
  await using one = await atOnceBench(endTogether(["a", "refused", "c"]), { waitMs: 20_000 });
  await sql`create function refuse_one() returns trigger language plpgsql as
    'begin if new.result::text = ''"refused"'' then raise exception ''refused''; end if; return new; end'`.execute(
    one.b.db,
  );
  await sql`create trigger refuse_one before insert on pipelines for each row execute function refuse_one()`.execute(
    one.b.db,
  );
  const accepted = await Promise.all([one.accept(), one.accept(), one.accept()]);
  const rows = await Promise.all(accepted.map(({ pipelineId }) => one.row(pipelineId)));
  assert.deepEqual(
    rows.map(({ failures, status }) => [status, failures]),
    [
      ["RESOLVED", 0],
      ["PROCESSING", 1],
      ["RESOLVED", 0],
    ],
  );
});
