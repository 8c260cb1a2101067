import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { setLowCredit } from "./low-credit.ts";

async function charge(db: Db, id: string, credits: number): Promise<void> {
  await sql`
    insert into credit_transactions (id, kind, created_at, user_id, group_id, area_m2, micro)
    values (${id}, 'credit.allocate', now(), 'u', 'g', 0, ${credits * 1_000_000}::bigint)`.execute(db);
}

async function told(db: Db): Promise<readonly unknown[]> {
  const { rows } = await sql<{ event: unknown }>`
    select json_build_array(type, subject, group_id, data) as event from events order by serial`.execute(db);
  return rows.map(({ event }) => event);
}

test("each fall of a group's credit below its threshold is one event, in the transaction of the charge", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await sql`insert into credit_groups (group_id, low_micro) values ('g', 100000000)`.execute(db);
  await sql`insert into credit_users (group_id, user_id) values ('g', 'u')`.execute(db);
  const grant = async (id: string, credits: number): Promise<void> => {
    await sql`
      insert into credit_grants (id, group_id, micro, note, created_at)
      values (${id}, 'g', ${credits * 1_000_000}::bigint, 'n', now())`.execute(db);
  };
  await grant("1", 250);
  await charge(db, "at the threshold", 150);
  assert.deepEqual(await told(db), []);
  await assert.rejects(
    db.transaction().execute(async (trx) => {
      await charge(trx, "undone", 1);
      throw new Error("undone");
    }),
    { message: "undone" },
  );
  assert.deepEqual(await told(db), []);
  await charge(db, "below", 0.5);
  await charge(db, "further below", 40);
  const first = ["credits.low", "group:g", "g", { groupId: "g", remainingCredit: 99.5, threshold: 100 }];
  assert.deepEqual(await told(db), [first]);
  await grant("2", 100);
  await charge(db, "below again", 99.5);
  const second = ["credits.low", "group:g", "g", { groupId: "g", remainingCredit: 60, threshold: 100 }];
  assert.deepEqual(await told(db), [first, second]);
  await sql`update credit_groups set low_micro = 0`.execute(db);
  await charge(db, "all", 60);
  assert.deepEqual(await told(db), [first, second]);
});

test("the threshold of the settings holds for every account, and for the charges after it", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await sql`insert into credit_groups (group_id) values ('g'), ('h')`.execute(db);
  await sql`insert into credit_users (group_id, user_id) values ('g', 'u')`.execute(db);
  await sql`
    insert into credit_grants (id, group_id, micro, note, created_at) values ('1', 'g', 9000000, 'n', now())`.execute(
    db,
  );
  assert.equal(await setLowCredit(db, 5), 2);
  assert.equal(await setLowCredit(db, 5), 0);
  await charge(db, "above", 4);
  await charge(db, "below", 1);
  const event = ["credits.low", "group:g", "g", { groupId: "g", remainingCredit: 4, threshold: 5 }];
  assert.deepEqual(await told(db), [event]);
});
