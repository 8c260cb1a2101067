import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { testDatabase } from "../src/platform/postgres/testing.ts";
import { up } from "./0020-owning-groups.ts";

test("rows that name the paying group go to the group of their user, with the payer kept for running work", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await sql`
    insert into groups (id, name, created_at, updated_at)
    values ('home', 'home', now(), now()), ('payer', 'payer', now(), now())`.execute(db);
  await sql`
    insert into users (id, email, name, type, accounting, created_at, updated_at)
    values ('ada', 'ada@example.org', 'Ada', 'user', 'payer', now(), now())`.execute(db);
  await sql`insert into group_members (user_id, group_id, position) values ('ada', 'home', 0)`.execute(db);
  for (const [id, userId] of [
    ["a".repeat(20), "ada"],
    ["b".repeat(20), "gone"],
  ]) {
    const caller = JSON.stringify({ kind: "user", userId, groupId: "payer", email: "e", permissions: [] });
    await sql`
      insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url)
      values (${id}, '/k', 'NEW', '{}', ${caller}, ${userId}, 'payer', '')`.execute(db);
  }
  await sql`
    insert into uploads (upload_id, user_id, group_id, filename, suffix, size_bytes, status, created_at, expires_at)
    values ('u', 'ada', 'payer', 'f', '.geotiff', 1, 'open', now(), now())`.execute(db);

  await up(database.db as never);

  const { rows } = await sql<{ group_id: string; caller: { groupId: string; accountingGroupId?: string } }>`
    select group_id, caller from pipelines order by id`.execute(db);
  assert.deepEqual(
    rows.map(({ group_id: owner, caller }) => [owner, caller.groupId, caller.accountingGroupId]),
    [
      ["home", "home", "payer"],
      ["payer", "payer", undefined],
    ],
  );
  assert.deepEqual(await db.selectFrom("uploads").select("group_id").execute(), [{ group_id: "home" }]);
});
