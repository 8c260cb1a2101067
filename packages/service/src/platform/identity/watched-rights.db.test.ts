import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { findUser } from "../../features/users/store.ts";
import type { Db } from "../context.ts";
import { openListening, type Listening } from "../postgres/listening.ts";
import { openPool, type DatabasePool } from "../postgres/pool.ts";
import { testDatabase } from "../postgres/testing.ts";
import { testProxy } from "../postgres/testing-proxy.ts";
import { findAccount, findAccounts, type Account } from "./account-store.ts";
import { findApiKey } from "./api-key-store.ts";
import { listSigningKeys } from "./key-store.ts";
import { RIGHTS_CHANNEL, watchRights } from "./rights-changes.ts";
import { createWatchedCache, type WatchedCache } from "./watched-cache.ts";

const AT = new Date(0);

async function addUser(db: Db, id: string): Promise<void> {
  const row = { id, email: `${id}@example.org`, name: id, type: "user", extra_permissions: [], created_at: AT };
  const empty = { password_hash: null, external_subject: null, accounting: null, tasking_accounting: null };
  const more = { default_application: null, updated_at: AT, created_by: null, last_login: null };
  await db
    .insertInto("users")
    .values({ ...row, ...empty, ...more })
    .execute();
}

/** A process of the service: accounts over a pool and a listening connection. */
interface Process extends AsyncDisposable {
  readonly pool: DatabasePool;
  readonly listening: Listening;
  readonly accounts: WatchedCache<Account>;
}

async function startProcess(url: string, listensAt = url): Promise<Process> {
  const pool = openPool({ url, maxConnections: 4, statementTimeoutMs: 60_000, log: silentLog });
  const listening = openListening(listensAt, [RIGHTS_CHANNEL], silentLog);
  const rights = watchRights(listening, pool);
  const accounts = createWatchedCache(
    rights,
    (id) => findAccount(pool.db, id),
    () => 1,
  );
  while (!listening.isCurrent()) await turn();
  return {
    pool,
    listening,
    accounts,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      await pool[Symbol.asyncDispose]();
    },
  };
}

const versionOf = async ({ accounts }: Process): Promise<number | undefined> =>
  (await accounts.read("ada"))?.tokenVersion;

const raiseVersion = (db: Db) => sql`update users set token_version = token_version + 1 where id = 'ada'`.execute(db);

/** Reads until the version is seen: no read that begins more than a second after the change may miss it. */
async function seesWithinASecond(process: Process, version: number): Promise<void> {
  const changedAtMs = performance.now();
  for (;;) {
    const beganMs = performance.now();
    if ((await versionOf(process)) === version) return;
    assert.ok(beganMs - changedAtMs <= 1_000, `a read after ${beganMs - changedAtMs} ms missed the change`);
    await turn();
  }
}

/** Tables that a read locks. */
async function tablesRead(db: Db, read: (db: Db) => Promise<unknown>): Promise<readonly string[]> {
  return await db.transaction().execute(async (trx) => {
    await read(trx);
    const { rows } = await sql<{ name: string }>`
      select distinct c.relname::text as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      order by 1`.execute(trx);
    return rows.map(({ name }) => name);
  });
}

test("every table that a kept value is read from announces each kind of change", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const reads = [
    (one: Db) => findAccount(one, "ada"),
    (one: Db) => findApiKey(one, "key"),
    (one: Db) => findUser(one, { id: "ada" }),
    (one: Db) => listSigningKeys(one, AT),
  ];
  const tables = new Set((await Promise.all(reads.map((read) => tablesRead(db, read)))).flat());
  assert.ok(tables.has("users") && tables.has("groups") && tables.has("api_keys") && tables.has("signing_keys"));
  for (const table of tables) {
    const { rows } = await sql<{ events: number }>`
      select bit_or(t.tgtype::int)::int as events from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where t.tgrelid = ${table}::regclass and p.proname = 'announce_rights' and t.tgenabled = 'O'`.execute(db);
    // Bits of `tgtype`: 4 insert, 8 delete, 16 update, 32 truncate.
    assert.equal((rows[0]?.events ?? 0) & 60, 60, `${table} does not announce every kind of change`);
  }
});

test("a known account takes no statement until it changes", async () => {
  await using database = await testDatabase();
  await addUser(database.db, "ada");
  await using counter = await testProxy(database.url);
  await using here = await startProcess(counter.url, database.url);
  assert.equal(await versionOf(here), 0);
  const before = counter.statements;
  for (let round = 0; round < 100; round += 1) await versionOf(here);
  assert.equal(counter.statements, before);
  await raiseVersion(database.db);
  await seesWithinASecond(here, 1);
  assert.ok(counter.statements > before);
});

test("accounts that are read together are kept, but for those that change meanwhile", async () => {
  await using database = await testDatabase();
  await addUser(database.db, "ada");
  await addUser(database.db, "eve");
  await using here = await startProcess(database.url);
  const asked: (readonly string[])[] = [];
  const read = (meanwhile: () => Promise<unknown> = async () => {}): Promise<ReadonlyMap<string, Account>> =>
    here.accounts.readAll(["ada", "eve", "nobody"], async (ids) => {
      asked.push(ids);
      const found = await findAccounts(here.pool.db, ids);
      await meanwhile();
      return found;
    });
  const first = await read(() => raiseVersion(here.pool.db));
  assert.deepEqual(new Set(first.keys()), new Set(["ada", "eve"]));
  const again = await read();
  assert.deepEqual([again.get("ada")?.tokenVersion, again.get("eve")?.tokenVersion], [1, 0]);
  assert.deepEqual(asked, [
    ["ada", "eve", "nobody"],
    ["ada", "nobody"],
  ]);
  // The notification of the same change comes later than the announcement to the connection that made it.
  while (asked.at(-1)?.length !== 1) await read();
  assert.deepEqual(asked.at(-1), ["nobody"]);
  assert.equal(await versionOf(here), 1);
});

test("a change through the pool of the process holds from the next read on, committed at once or in a transaction", async () => {
  await using database = await testDatabase();
  await addUser(database.db, "ada");
  await using proxy = await testProxy(database.url);
  await using here = await startProcess(database.url, proxy.url);
  // Nothing is heard over the listening connection, and it is believed for some time yet.
  proxy.fallSilent();
  const { db } = here.pool;
  let version = 0;
  for (let round = 0; round < 10; round += 1) {
    assert.equal(await versionOf(here), version);
    if (round % 2 === 0) await raiseVersion(db);
    else {
      await db.transaction().execute(async (trx) => {
        await raiseVersion(trx);
        await versionOf(here);
      });
    }
    version += 1;
    assert.equal(await versionOf(here), version);
  }
});

test("a transaction that is rolled back leaves the account as it is", async () => {
  await using database = await testDatabase();
  await addUser(database.db, "ada");
  await using here = await startProcess(database.url);
  const rolledBack = here.pool.db.transaction().execute(async (trx) => {
    await raiseVersion(trx);
    await versionOf(here);
    throw new RangeError("changed my mind");
  });
  await assert.rejects(rolledBack, RangeError);
  assert.equal(await versionOf(here), 0);
});

test("another process sees each kind of change within a second", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await addUser(db, "ada");
  await using here = await startProcess(database.url);
  const seen = async (isSo: (account: Account | null) => boolean): Promise<void> => {
    const changedAtMs = performance.now();
    for (;;) {
      const beganMs = performance.now();
      if (isSo(await here.accounts.read("ada"))) return;
      assert.ok(beganMs - changedAtMs <= 1_000, `a read after ${beganMs - changedAtMs} ms missed the change`);
      await turn();
    }
  };
  await seen((account) => account?.groupId === "");
  await sql`insert into groups (id, name, created_at, updated_at) values ('g', 'g', ${AT}, ${AT})`.execute(db);
  await sql`insert into group_members (user_id, group_id, position) values ('ada', 'g', 0)`.execute(db);
  await seen((account) => account?.groupId === "g");
  await sql`update groups set permissions = '{a}' where id = 'g'`.execute(db);
  await seen((account) => account?.permissions.has("a") === true);
  await sql`insert into credit_groups (group_id, tier) values ('g', 'gold')`.execute(db);
  await seen((account) => account?.tier === "gold");
  await sql`update credit_groups set tier = 'silver' where group_id = 'g'`.execute(db);
  await seen((account) => account?.tier === "silver");
  await sql`update users set blocked = true where id = 'ada'`.execute(db);
  await seen((account) => account?.blocked === true);
  await sql`delete from group_members where user_id = 'ada'`.execute(db);
  await seen((account) => account?.groupId === "" && account.permissions.size === 0);
  await sql`update users set id = 'eve' where id = 'ada'`.execute(db);
  await seen((account) => account === null);
  await sql`update users set id = 'ada' where id = 'eve'`.execute(db);
  await seen((account) => account !== null);
  await sql`truncate users cascade`.execute(db);
  await seen((account) => account === null);
});

test("while the server is silent to the listening connection, no account older than a second is taken", async () => {
  await using database = await testDatabase();
  await addUser(database.db, "ada");
  await using proxy = await testProxy(database.url);
  await using here = await startProcess(database.url, proxy.url);
  assert.equal(await versionOf(here), 0);
  proxy.fallSilent();
  await raiseVersion(database.db);
  await seesWithinASecond(here, 1);
  proxy.speak();
  while (!here.listening.isCurrent()) await turn();
  assert.equal(await versionOf(here), 1);
});

test("a charge, which changes a balance and no right, announces nothing", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await sql`insert into groups (id, name, created_at, updated_at) values ('g', 'g', ${AT}, ${AT})`.execute(db);
  await sql`insert into credit_groups (group_id, tier) values ('g', 'gold')`.execute(db);
  await using listening = openListening(database.url, [RIGHTS_CHANNEL, "end"], silentLog);
  while (!listening.isCurrent()) await turn();
  let announced = 0;
  listening.onNotification(RIGHTS_CHANNEL, () => (announced += 1));
  const ended = new Promise((resolve) => void listening.onNotification("end", resolve));
  await sql`update credit_groups set used_micro = used_micro where group_id = 'g'`.execute(db);
  await sql`select pg_notify('end', '')`.execute(db);
  await ended;
  assert.equal(announced, 0);
});
