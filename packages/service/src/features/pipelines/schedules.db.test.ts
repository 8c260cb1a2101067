import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { until } from "../../../../../e2e/until.ts";
import { startService } from "../../main.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";

/** Texts that cannot be compressed: a quarter of 1 MiB has room for five. */
const RESULT_BYTES = 48 * 1024;

const WITHIN_MS = 30_000;

test("a worker removes expired pipelines and the oldest results beyond the bound from its start on", async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase());
  const { db } = database;
  const folder = await mkdtemp(join(tmpdir(), "swath-schedules-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const ended = async (daysAgo: number): Promise<string> => {
    const id = randomBytes(10).toString("hex");
    const result = JSON.stringify({ text: randomBytes((RESULT_BYTES * 3) / 4).toString("base64") });
    await sql`
      insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url, result, finished_at)
      values (${id}, '/imagery/search', 'RESOLVED', '{}', '{}', '', 'one', '', ${result}::json,
        now() - make_interval(days => ${daysAgo}::int))`.execute(db);
    return id;
  };
  await ended(9);
  const kept: string[] = [];
  for (let daysAgo = 6; daysAgo >= 1; daysAgo -= 1) kept.push(await ended(daysAgo));
  const state = async (): Promise<readonly { readonly id: string; readonly isThere: boolean }[]> => {
    const { rows } = await sql<{ id: string; isThere: boolean }>`
      select id, result is not null as "isThere" from pipelines order by finished_at`.execute(db);
    return rows;
  };
  stack.use(
    await startService({
      settings: {
        DATABASE_URL: database.url,
        SWATH_DATA: folder,
        SWATH_ROLES: "worker",
        SWATH_RESULTS_MB: "1",
        SWATH_RESULT_DAYS: "8",
        SWATH_LOG_LEVEL: "silent",
      },
    }),
  );
  await until("the expired pipeline is gone", async () => (await state()).length === kept.length, WITHIN_MS);
  await until("a result is dropped", async () => (await state()).some(({ isThere }) => !isThere), WITHIN_MS);
  const [oldest, ...others] = await state();
  assert.deepEqual([oldest?.id, oldest?.isThere], [kept[0], false]);
  assert.deepEqual(
    others,
    kept.slice(1).map((id) => ({ id, isThere: true })),
  );
});
