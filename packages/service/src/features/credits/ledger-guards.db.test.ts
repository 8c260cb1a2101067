import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";

async function withAccounts(body: (db: Db) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  await sql`insert into credit_groups (group_id) values ('g'), ('h')`.execute(db);
  await sql`insert into credit_users (group_id, user_id) values ('g', 'u'), ('g', 'v'), ('h', 'u')`.execute(db);
  await sql`
    insert into credit_grants (id, group_id, micro, note, created_at)
    values ('1', 'g', 100, 'n', now()), ('2', 'h', 50, 'n', now()), ('3', 'g', -10, 'n', now())`.execute(db);
  await body(db);
}

interface Logged {
  readonly id: string;
  readonly micro: number;
  readonly group?: string;
  readonly user?: string;
  readonly kind?: string;
  readonly order?: string | null;
}

async function log(db: Db, ...rows: readonly Logged[]): Promise<void> {
  const values = rows.map(
    ({ id, micro, group = "g", user = "u", kind = "credit.allocate", order = null }) =>
      sql`(${id}, ${kind}, now(), ${user}, ${group}, ${order}, 0, ${micro}::bigint)`,
  );
  await sql`
    insert into credit_transactions (id, kind, created_at, user_id, group_id, order_reference_id, area_m2, micro)
    values ${sql.join(values)}`.execute(db);
}

async function balances(db: Db): Promise<unknown> {
  const { rows } = await sql`
    select group_id, user_id, remaining_micro as remaining, c.used_micro as used, u.used_micro as "userUsed"
    from credit_groups c join credit_users u using (group_id) order by 1, 2`.execute(db);
  return rows;
}

test("balances follow grants and transactions, many of several groups in one statement", async () => {
  await withAccounts(async (db) => {
    await log(
      db,
      { id: "a", micro: 10 },
      { id: "b", micro: 5, user: "v" },
      { id: "c", micro: 7 },
      { id: "d", micro: 50, group: "h" },
      { id: "e", micro: 0, group: "h" },
    );
    await log(db, { id: "f", micro: 9, kind: "credit.preallocate", order: "o" });
    await log(db, { id: "i", micro: -9, kind: "credit.return", order: "o" });
    assert.deepEqual(await balances(db), [
      { group_id: "g", user_id: "u", remaining: 68, used: 22, userUsed: 17 },
      { group_id: "g", user_id: "v", remaining: 68, used: 22, userUsed: 5 },
      { group_id: "h", user_id: "u", remaining: 0, used: 50, userUsed: 50 },
    ]);
  });
});

test("no client changes a balance, opens an account with one, or removes an account", async () => {
  await withAccounts(async (db) => {
    for (const statement of [
      sql`update credit_groups set remaining_micro = remaining_micro + 1 where group_id = 'g'`,
      sql`update credit_groups set used_micro = 1 where group_id = 'g'`,
      sql`update credit_users set used_micro = 1 where user_id = 'u'`,
      sql`insert into credit_groups (group_id, remaining_micro) values ('new', 1)`,
      sql`insert into credit_users (group_id, user_id, used_micro) values ('g', 'new', 1)`,
    ]) {
      await assert.rejects(statement.execute(db), /change only with the log/u);
    }
    for (const statement of [
      sql`delete from credit_users`,
      sql`delete from credit_groups`,
      sql`truncate credit_transactions cascade`,
      sql`truncate credit_grants`,
      sql`truncate credit_users cascade`,
      sql`update credit_grants set micro = 1`,
    ]) {
      await assert.rejects(statement.execute(db), /is append-only/u);
    }
    await log(db, { id: "a", micro: 1 });
    await sql`
      insert into credit_allocations
        (id, transaction_id, group_id, provider, dataset, scene_id, scene_key, geometry, created_at)
      values ('x', 'a', 'g', 'p', 'd', 's', 's', '{}', now())`.execute(db);
    await assert.rejects(sql`update credit_allocations set scene_id = 't'`.execute(db), /append-only/u);
    await assert.rejects(sql`delete from credit_transactions`.execute(db), /append-only/u);
    await sql`update credit_groups set tier = 'gold'`.execute(db);
    await sql`update credit_users set limit_micro = 0`.execute(db);
  });
});

test("the log takes no overdraft, no charge above a limit, no unknown user and no wrong sign", async () => {
  await withAccounts(async (db) => {
    await assert.rejects(log(db, { id: "a", micro: 91 }), /credit_groups_remaining_check/u);
    await assert.rejects(log(db, { id: "a", micro: 60 }, { id: "b", micro: 31, user: "v" }), /remaining_check/u);
    await sql`
      insert into credit_grants (id, group_id, micro, note, created_at) values ('4', 'g', -91, 'n', now())`
      .execute(db)
      .then(
        () => assert.fail("a correction has overdrawn"),
        (error: Error) => assert.match(error.message, /credit_groups_remaining_check/u),
      );
    await sql`update credit_users set limit_micro = 20 where user_id = 'u' and group_id = 'g'`.execute(db);
    await assert.rejects(log(db, { id: "a", micro: 21 }), /would exceed the limit/u);
    await log(db, { id: "a", micro: 20, kind: "credit.preallocate", order: "o" });
    await sql`update credit_users set limit_micro = 5 where user_id = 'u' and group_id = 'g'`.execute(db);
    // Below what is used a limit stops spending, and lets give back.
    await assert.rejects(log(db, { id: "b", micro: 1 }), /would exceed the limit/u);
    await log(db, { id: "b", micro: -10, kind: "credit.return", order: "o" });
    await assert.rejects(log(db, { id: "c", micro: 1, user: "nobody" }), /without an account/u);
    await assert.rejects(log(db, { id: "c", micro: 1, group: "nobody" }), /group_fkey|without an account/u);
    for (const wrong of [
      { kind: "credit.allocate", micro: -1 },
      { kind: "credit.allocate", micro: 1, order: "o" },
      { kind: "credit.return", micro: 1, order: "o" },
      { kind: "credit.return", micro: -1 },
      { kind: "credit.preallocate", micro: -1, order: "o" },
      { kind: "credit.gift", micro: -1, order: "o" },
    ]) {
      await assert.rejects(log(db, { id: "c", ...wrong }), /sign_check|kind_check/u);
    }
    assert.deepEqual(await balances(db), [
      { group_id: "g", user_id: "u", remaining: 80, used: 10, userUsed: 10 },
      { group_id: "g", user_id: "v", remaining: 80, used: 10, userUsed: 0 },
      { group_id: "h", user_id: "u", remaining: 50, used: 0, userUsed: 0 },
    ]);
  });
});
