import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { isTimeout, isUnavailable, isUniqueViolation } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { openPool, type DatabasePool } from "./pool.ts";
import { testDatabase } from "./testing.ts";
import { inTransaction } from "./transaction.ts";
import { waitForServer } from "./wait-for-server.ts";

function pool(url: string, statementTimeoutMs = 10_000): DatabasePool {
  return openPool({ url, maxConnections: 4, statementTimeoutMs, log: silentLog });
}

test("two transactions that deadlock both commit: the one the server gives up runs again", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await sql`create table cells (id int primary key, n int not null)`.execute(db);
  await sql`insert into cells values (1, 0), (2, 0)`.execute(db);
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  let runs = 0;
  const add = (first: number, second: number): Promise<void> =>
    inTransaction(db, async (trx) => {
      runs += 1;
      await sql`update cells set n = n + 1 where id = ${first}`.execute(trx);
      holding += 1;
      if (holding === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await sql`update cells set n = n + 1 where id = ${second}`.execute(trx);
    });
  await Promise.all([add(1, 2), add(2, 1)]);
  const { rows } = await sql`select id, n from cells order by id`.execute(db);
  assert.deepEqual(rows, [
    { id: 1, n: 2 },
    { id: 2, n: 2 },
  ]);
  assert.equal(runs, 3);
});

test("serializable transactions that conflict are run again until both are in", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await sql`create table entries (n int not null)`.execute(db);
  const append = (): Promise<void> =>
    inTransaction(
      db,
      async (trx) => {
        await sql`insert into entries select coalesce(max(n), 0) + 1 from entries`.execute(trx);
      },
      { isolation: "serializable" },
    );
  await Promise.all([append(), append(), append()]);
  const { rows } = await sql`select n from entries order by n`.execute(db);
  assert.deepEqual(rows, [{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("a statement beyond its time is cancelled, and errors tell themselves apart", async () => {
  await using database = await testDatabase();
  await using impatient = pool(database.url, 50);
  await assert.rejects(sql`select pg_sleep(5)`.execute(impatient.db), isTimeout);
  await sql`create table things (id int constraint things_pkey primary key)`.execute(database.db);
  await sql`insert into things values (1)`.execute(database.db);
  await assert.rejects(sql`insert into things values (1)`.execute(database.db), (error) => {
    assert.ok(isUniqueViolation(error, "things_pkey"));
    assert.equal(isUniqueViolation(error, "other"), false);
    assert.equal(isUnavailable(error), false);
    return true;
  });
});

test("processes that migrate at the same time do it once", async () => {
  await using database = await testDatabase();
  await using first = pool(database.url);
  await using second = pool(database.url);
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  await Promise.all([migrate(first.db, silentLog), migrate(second.db, silentLog)]);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pipelines`.execute(first.db);
  assert.deepEqual(rows, [{ n: 0 }]);
});

test("a server that is not there is waited for, a refused login is not", async () => {
  await using database = await testDatabase();
  const nowhere = new URL(database.url);
  nowhere.port = "1";
  await using absent = pool(nowhere.href);
  await assert.rejects(
    waitForServer(absent.db, silentLog, 0),
    (error) => error instanceof Error && isUnavailable(error.cause),
  );
  const unknown = new URL(database.url);
  unknown.pathname = "/no_such_database";
  await using wrong = pool(unknown.href);
  await assert.rejects(
    waitForServer(wrong.db, silentLog),
    (error) => error instanceof Error && !isUnavailable(error.cause),
  );
  await waitForServer(database.db, silentLog);
});

test("a connection cut while it is in use fails its statement and nothing else", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const cut = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    // In use, but with no statement under way that could be told.
    await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0}, 5000)`.execute(db);
    await sql`select pg_sleep(0.05)`.execute(db);
    await sql`select 1`.execute(trx);
  });
  await assert.rejects(cut, (error) => isUnavailable(error));
  await sql`select 1`.execute(db);
});

/** Texts and runs of the prepared statements of a connection. */
async function preparedOn({ db }: DatabasePool): Promise<readonly { statement: string; plans: number }[]> {
  const { rows } = await sql<{ statement: string; plans: number }>`
    select statement, (generic_plans + custom_plans)::int as plans from pg_prepared_statements`.execute(db);
  return rows;
}

function onePool(url: string, keepPlans?: boolean): DatabasePool {
  const plans = keepPlans === undefined ? {} : { keepPlans };
  return openPool({ url, maxConnections: 1, statementTimeoutMs: 10_000, log: silentLog, ...plans });
}

test("a statement is prepared from its third use on, in and outside of transactions", async () => {
  await using database = await testDatabase();
  await using one = onePool(database.url);
  const answers: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    const { rows } = await sql<{ n: number }>`select ${n}::int as n`.execute(one.db);
    answers.push(rows[0]?.n ?? -1);
  }
  await one.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ n: number }>`select ${8}::int as n`.execute(trx);
    answers.push(rows[0]?.n ?? -1);
  });
  assert.deepEqual(answers, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(await preparedOn(one), [{ statement: "select $1::int as n", plans: 7 }]);
});

test("a connection prepares no more than 500 statements, and none when plans are off", async () => {
  await using database = await testDatabase();
  await using one = onePool(database.url);
  await using off = onePool(database.url, false);
  for (let kind = 0; kind < 510; kind += 1) {
    for (let round = 0; round < 3; round += 1) {
      await sql`select ${round}::int as ${sql.id(`n${kind}`)}`.execute(one.db);
      if (kind < 2) await sql`select ${round}::int as n`.execute(off.db);
    }
  }
  assert.equal((await preparedOn(one)).length, 500);
  assert.deepEqual(await preparedOn(off), []);
});
