import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { isTerminal, mayMove, type PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import type { Caller, Db } from "../context.ts";
import { testDatabase, type TestDatabase } from "../postgres/testing.ts";
import { cancelPipeline, claimPipeline, failRun, insertPipeline, resolveRun, type Run } from "./pipeline-store.ts";

const STATUSES = ["NEW", "PROCESSING", "RESOLVED", "FAILED", "CANCELLED"] as const satisfies readonly PipelineStatus[];
const CALLER: Caller = { kind: "user", userId: "u", groupId: "g", email: "u@example.org", permissions: new Set() };

/** Each statement that gives a pipeline a status, run on one pipeline that names the worker of the run. */
const MOVES = {
  PROCESSING: (db: Db, { worker }: Run) => claimPipeline(db, worker, ["/test"], 1000),
  RESOLVED: (db: Db, run: Run) => db.transaction().execute((trx) => resolveRun(trx, run, "{}")),
  FAILED: (db: Db, run: Run) => failRun(db, run, "PROCESSING-ERROR", "broken"),
  CANCELLED: (db: Db, { id }: Run) => cancelPipeline(db, id),
} as const satisfies Partial<Record<PipelineStatus, unknown>>;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

for (const to of ["PROCESSING", "RESOLVED", "FAILED", "CANCELLED"] as const) {
  test(`a pipeline moves to ${to} from the statuses of the kernel's table and from no other`, async () => {
    const { db } = database;
    const moved: PipelineStatus[] = [];
    for (const from of STATUSES) {
      await sql`delete from pipelines`.execute(db);
      const id = "a".repeat(20);
      const pipeline = { id, kind: "/test", request: {}, caller: CALLER, baseUrl: "http://localhost" };
      await db.transaction().execute((trx) => insertPipeline(trx, pipeline));
      const run: Run = { id, attempt: 1, worker: "test" };
      await sql`
        update pipelines set status = ${from}, attempt = 1, worker = 'test', modified_at = 'epoch',
          claimable_at = 'epoch', finished_at = ${isTerminal(from) ? new Date() : null},
          error_code = ${from === "FAILED" ? "PROCESSING-ERROR" : null}
        where id = ${id}`.execute(db);
      await MOVES[to](db, run);
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
