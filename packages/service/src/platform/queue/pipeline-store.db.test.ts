import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { isTerminal, mayMove, type PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import type { Caller, Db } from "../context.ts";
import { testDatabase, type TestDatabase } from "../postgres/testing.ts";
import { insertPipeline } from "./accept-store.ts";
import { claimPipelines } from "./claim-store.ts";
import { DEFAULT_QUEUE_LIMITS } from "./lane.ts";
import { cancelPipeline, findPipelines } from "./pipeline-store.ts";
import { failRun, releaseRun, resolveRun, resolveRuns, type Run } from "./run-store.ts";

const STATUSES = ["NEW", "PROCESSING", "RESOLVED", "FAILED", "CANCELLED"] as const satisfies readonly PipelineStatus[];
const CALLER: Caller = { kind: "user", userId: "u", groupId: "g", email: "u@example.org", permissions: new Set() };

/** Each statement that gives a pipeline a status, run on one pipeline that names the worker of the run. */
const MOVES = {
  PROCESSING: (db: Db, { worker }: Run) =>
    claimPipelines(db, {
      worker,
      lane: "heavy",
      places: new Map([["/test", 1]]),
      running: new Map(),
      runningPerCaller: 1,
      runningInAll: 1,
      limit: 1,
      leaseMs: 1000,
    }),
  RESOLVED: (db: Db, run: Run) =>
    db.transaction().execute((trx) => resolveRun(trx, { run, resultJson: "{}", progressJson: null })),
  FAILED: (db: Db, run: Run) => failRun(db, { run, code: "PROCESSING-ERROR", message: "broken", progressJson: null }),
  CANCELLED: (db: Db, { id }: Run) => cancelPipeline(db, id),
} as const satisfies Partial<Record<PipelineStatus, unknown>>;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

const STATEMENTS = [
  ...(["PROCESSING", "RESOLVED", "FAILED", "CANCELLED"] as const).map((to) => ({ to, move: MOVES[to], how: "" })),
  {
    to: "RESOLVED",
    move: (db: Db, run: Run) => resolveRuns(db, [{ run, resultJson: "{}", progressJson: null }]),
    how: ", among others that end",
  },
] as const;

for (const { to, move, how } of STATEMENTS) {
  test(`a pipeline moves to ${to} from the statuses of the kernel's table and from no other${how}`, async () => {
    const { db } = database;
    const moved: PipelineStatus[] = [];
    for (const from of STATUSES) {
      await sql`delete from pipelines`.execute(db);
      const id = "a".repeat(20);
      const pipeline = { id, kind: "/test", lane: "heavy", request: {}, caller: CALLER, baseUrl: "http://localhost" };
      await db.transaction().execute((trx) => insertPipeline(trx, pipeline, DEFAULT_QUEUE_LIMITS));
      const run: Run = { id, attempt: 1, worker: "test" };
      await sql`
        update pipelines set status = ${from}, attempt = 1, worker = 'test', modified_at = 'epoch',
          claimable_at = 'epoch', finished_at = ${isTerminal(from) ? new Date() : null},
          error_code = ${from === "FAILED" ? "PROCESSING-ERROR" : null}
        where id = ${id}`.execute(db);
      await move(db, run);
      const { rows } = await sql<{ status: PipelineStatus; touched: boolean }>`
        select status, modified_at <> 'epoch' as touched from pipelines where id = ${id}`.execute(db);
      const [row] = rows;
      assert.ok(row !== undefined);
      assert.equal(row.status, row.touched ? to : from);
      if (row.touched) moved.push(from);
    }
    assert.deepEqual(
      moved,
      STATUSES.filter((from) => mayMove(from, to)),
    );
  });
}

test("pipelines that are looked at together come in the order of their ids, each as often as it was asked for", async () => {
  const { db } = database;
  await sql`delete from pipelines`.execute(db);
  const [first, second, unknown] = ["a", "b", "c"].map((letter) => letter.repeat(20)) as [string, string, string];
  for (const id of [first, second]) {
    const pipeline = { id, kind: "/test", lane: "heavy", request: {}, caller: CALLER, baseUrl: "http://localhost" };
    await db.transaction().execute((trx) => insertPipeline(trx, pipeline, DEFAULT_QUEUE_LIMITS));
  }
  await cancelPipeline(db, first);
  const found = await findPipelines(db, [second, unknown, first, second], 30);
  assert.deepEqual(
    found.map((row) => row && [row.status, row.position]),
    [["NEW", 1], null, ["CANCELLED", null], ["NEW", 1]],
  );
});

test("a large request is stored without compression, which would hold a processor for longer than its insert", async () => {
  const { db } = database;
  const id = "l".repeat(20);
  const request = { extent: "0.123456789 ".repeat(30_000) };
  const pipeline = { id, kind: "/test", lane: "heavy", request, caller: CALLER, baseUrl: "http://localhost" };
  await db.transaction().execute((trx) => insertPipeline(trx, pipeline, DEFAULT_QUEUE_LIMITS));
  const { rows } = await sql<{ compression: string | null; bytes: number }>`
    select pg_column_compression(request) as compression, pg_column_size(request) as bytes
    from pipelines where id = ${id}`.execute(db);
  assert.deepEqual(rows, [{ compression: null, bytes: JSON.stringify(request).length }]);
});

test("a run that fails, ends or is given back leaves its latest progress, or the progress before", async () => {
  const { db } = database;
  const latest = { message: "Analyzing", step: 5 };
  const run: Run = { id: "d".repeat(20), attempt: 1, worker: "test" };
  for (const [progressJson, expected] of [
    [JSON.stringify(latest), latest],
    [null, { step: 1 }],
  ] as const) {
    for (const over of [
      () => failRun(db, { run, code: "PROCESSING-ERROR", message: "broken", progressJson }),
      () => releaseRun(db, { run, pauseMs: 0, failed: false, progressJson }),
      () => resolveRuns(db, [{ run, resultJson: "{}", progressJson }]),
      () => db.transaction().execute((trx) => resolveRun(trx, { run, resultJson: "{}", progressJson })),
    ]) {
      await sql`delete from pipelines`.execute(db);
      const pipeline = {
        id: run.id,
        kind: "/test",
        lane: "heavy",
        request: {},
        caller: CALLER,
        baseUrl: "http://localhost",
      };
      await db.transaction().execute((trx) => insertPipeline(trx, pipeline, DEFAULT_QUEUE_LIMITS));
      await sql`
        update pipelines set status = 'PROCESSING', attempt = 1, worker = 'test', progress = '{"step": 1}'
        where id = ${run.id}`.execute(db);
      await over();
      const [row] = await findPipelines(db, [run.id], 30);
      assert.deepEqual(row?.progress, expected);
    }
  }
});
