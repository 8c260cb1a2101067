import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Clock } from "@swath/base/clock";
import { testDatabase } from "../../platform/postgres/testing.ts";
import type { AuditList } from "@swath/contract/features/audit/contract";
import { createAuditService } from "./service.ts";
import type { AuditEntry } from "./service.ts";

class TestClock implements Clock {
  nowMs = Date.UTC(2026, 2, 1);
  now(): Date {
    return new Date(this.nowMs);
  }
}

const ADA = { kind: "user", userId: "ada", email: "ada@example.org" } as const;

async function world() {
  const database = await testDatabase();
  const clock = new TestClock();
  const audit = createAuditService({ db: database.db, clock });
  const record = (entry: Partial<AuditEntry>) =>
    database.db
      .transaction()
      .execute((trx) =>
        audit.record(trx, { actor: ADA, action: "user.block", target: { kind: "user", id: "bob" }, ...entry }),
      );
  return { database, clock, audit, record, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

test("an entry tells who, what, when, in which request, and how it was before and after", async () => {
  await using here = await world();
  await here.record({
    requestId: "r1",
    before: { blocked: false },
    after: { blocked: true, groups: ["g", null, 1.5] },
  });
  const key = { kind: "api-key", userId: "ada", email: "ada@example.org" } as const;
  await here.record({ actor: key });
  await here.record({ actor: "system" });
  const { results, cursor } = await here.audit.list({});
  const time = "2026-03-01T00:00:00.000Z";
  const common = { id: 0, time, action: "user.block", target: { kind: "user", id: "bob" } };
  const nothing = { requestId: null, before: null, after: null };
  assert.deepEqual(
    results.map((entry) => ({ ...entry, id: 0 })),
    [
      { ...common, ...nothing, actor: { kind: "system", id: null, email: null } },
      { ...common, ...nothing, actor: { kind: "api-key", id: "ada", email: "ada@example.org" } },
      {
        ...common,
        actor: { kind: "user", id: "ada", email: "ada@example.org" },
        requestId: "r1",
        before: { blocked: false },
        after: { blocked: true, groups: ["g", null, 1.5] },
      },
    ],
  );
  assert.equal(cursor, null);
});

test("an entry is there exactly if the change it tells of is", async () => {
  await using here = await world();
  await assert.rejects(
    here.database.db.transaction().execute(async (trx) => {
      const target = { kind: "user", id: "bob" };
      await here.audit.record(trx, { actor: ADA, action: "user.block", target });
      throw new Error("the change fails");
    }),
  );
  assert.deepEqual((await here.audit.list({})).results, []);
});

test("the database refuses to alter, remove or empty the record", async () => {
  await using here = await world();
  await here.record({});
  for (const statement of [
    sql`update audit_log set action = 'nothing'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
    sql`truncate audit_log cascade`,
  ]) {
    await assert.rejects(statement.execute(here.database.db), /append-only/);
  }
  assert.equal((await here.audit.list({})).results.length, 1);
});

/** Numbers of the days that were recorded, newest first. */
const expected = (keep: (day: number) => boolean) => Array.from({ length: 30 }, (_, index) => 29 - index).filter(keep);

test("filters and pages: every entry once, newest first, whatever is added meanwhile", async () => {
  await using here = await world();
  for (let day = 0; day < 30; day += 1) {
    // Three a day at the same instant: the page must break inside an instant, too.
    if (day % 3 === 0) here.clock.nowMs += 86_400_000;
    await here.record({
      actor: day % 2 === 0 ? ADA : { ...ADA, userId: "eve" },
      action: day % 5 === 0 ? "user.create" : "user.block",
      target: { kind: "user", id: `u${day % 4}` },
      after: day,
    });
  }
  const all = async (filter: object) => {
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await here.audit.list({ ...filter, limit: 4, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.results.map(({ after }) => after));
      cursor = page.cursor ?? undefined;
      if (cursor !== undefined) await here.record({ actor: "system", action: "later", target: { kind: "x", id: "x" } });
    } while (cursor !== undefined);
    return seen;
  };
  assert.deepEqual(
    await all({ to: "2026-03-11T00:00:00.001Z", action: "user.block" }),
    expected((day) => day % 5 !== 0),
  );
  assert.deepEqual(
    await all({ actor: "ada" }),
    expected((day) => day % 2 === 0),
  );
  assert.deepEqual(
    await all({ action: "user.create" }),
    expected((day) => day % 5 === 0),
  );
  assert.deepEqual(
    await all({ target: "u3" }),
    expected((day) => day % 4 === 3),
  );
  assert.deepEqual(
    await all({ actor: "eve", target: "u1" }),
    expected((day) => day % 4 === 1),
  );
  assert.deepEqual(
    await all({ actor: "ada", from: "2026-03-03T00:00:00Z", to: "2026-03-05T00:00:00Z" }),
    expected((day) => day % 2 === 0 && day >= 3 && day < 9),
  );
  assert.deepEqual(await all({ actor: "'; drop table audit_log; --" }), []);
});

test("a page of large entries ends early and loses none", async () => {
  await using here = await world();
  const large = "x".repeat(900_000);
  for (let index = 0; index < 9; index += 1) await here.record({ after: { index, large } });
  await here.record({ after: { index: 9, large: large.repeat(6) } });
  const seen: number[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const page: AuditList = await here.audit.list(cursor === null ? {} : { cursor });
    sizes.push(page.results.length);
    seen.push(...page.results.map(({ after }) => Number(Object(after).index)));
    cursor = page.cursor;
  } while (cursor !== null);
  assert.deepEqual(seen, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  assert.deepEqual(sizes, [1, 4, 4, 1]);
});

test("a cursor or a time that is none is refused", async () => {
  await using here = await world();
  for (const cursor of [
    "x",
    "YWJj",
    Buffer.from("1.2.3").toString("base64url"),
    Buffer.from("1").toString("base64url"),
  ]) {
    await assert.rejects(here.audit.list({ cursor }), { code: "INVALID-CURSOR" });
  }
  await assert.rejects(here.audit.list({ from: "yesterday." }), { code: "VALIDATION-ERROR" });
  await assert.rejects(here.audit.list({ to: "+275760-01-01T00:00:00Z" }), { code: "VALIDATION-ERROR" });
});

test("each filter is answered by an index in the order of the list", async () => {
  await using here = await world();
  const { db } = here.database;
  await sql`
    insert into audit_log (at, actor_kind, actor_id, action, target_kind, target_id)
    select timestamptz '2026-01-01' + i * interval '1 second', 'user', 'u' || i % 500, 'a' || i % 50, 'x', 't' || i % 500
    from generate_series(1, 20000) i`.execute(db);
  await sql`analyze audit_log`.execute(db);
  for (const condition of ["true", "actor_id = 'u3'", "action = 'a3'", "target_id = 't3'"]) {
    // The page of a rare actor is so short that sorting it costs about the same; what matters is that no sort is needed.
    const rows = await db.transaction().execute(async (trx) => {
      await sql`set local enable_bitmapscan = off`.execute(trx);
      await sql`set local enable_sort = off`.execute(trx);
      const explained = await sql<{ "QUERY PLAN": string }>`
        explain select * from audit_log where ${sql.raw(condition)} order by at desc, id desc limit 100`.execute(trx);
      return explained.rows;
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    assert.match(plan, /Index Scan Backward/, plan);
    assert.doesNotMatch(plan, /Sort/, plan);
  }
});
