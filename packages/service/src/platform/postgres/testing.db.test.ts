import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { testDatabase } from "./testing.ts";

test("two test databases are migrated and do not see each other", async () => {
  await using first = await testDatabase();
  await using second = await testDatabase();
  await sql`create table only_here (id int8 not null)`.execute(first.db);
  await sql`insert into only_here values (9007199254740991)`.execute(first.db);
  const { rows } = await sql<{ id: number }>`select id from only_here`.execute(first.db);
  assert.deepEqual(rows, [{ id: 9_007_199_254_740_991 }]);
  await assert.rejects(sql`select id from only_here`.execute(second.db), /does not exist/u);
  const migrated = await sql<{ n: number }>`select count(*)::int8 as n from kysely_migration`.execute(second.db);
  assert.ok((migrated.rows[0]?.n ?? 0) >= 6);
});

test("an int8 beyond 2^53 fails the query instead of losing digits", async () => {
  await using database = await testDatabase();
  await assert.rejects(sql`select 9007199254740993::int8 as n`.execute(database.db), /beyond 2\^53/u);
  const { rows } = await sql<{ n: number }>`select 1::int8 as n`.execute(database.db);
  assert.equal(rows[0]?.n, 1);
});
