import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import type { Caller } from "../../platform/context.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { createPipelineService } from "../../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../../platform/queue/pipeline-signals.ts";
import { boundResults } from "./bound-results.ts";

const KIB = 1024;
const KIND = "/imagery/search";
/** Texts that cannot be compressed: 30 KiB as the database keeps them. */
const RESULT_BYTES = 30 * KIB;

/** A pipeline of the group that ended so many minutes ago, with its result. */
async function ended({ db }: TestDatabase, groupId: string, minutesAgo: number): Promise<string> {
  const id = randomBytes(10).toString("hex");
  const result = JSON.stringify({ text: randomBytes((RESULT_BYTES * 3) / 4).toString("base64") });
  await sql`
    insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url, result, finished_at)
    values (${id}, ${KIND}, 'RESOLVED', '{"a":1}', '{}', '', ${groupId}, '', ${result}::json,
      now() - make_interval(mins => ${minutesAgo}::int))`.execute(db);
  return id;
}

test("the oldest results go first: of a group beyond a quarter of the bound, then of all; their rows stay", async () => {
  await using database = await testDatabase();
  await using signals = openPipelineSignals(database.url, silentLog);
  const service = createPipelineService({ db: database.db, signals, retentionDays: 30 });
  const kept = async (groupId: string, pipelineId: string): Promise<boolean> => {
    const caller: Caller = { kind: "user", userId: "u", groupId, email: "", permissions: new Set() };
    assert.equal((await service.status(pipelineId, 0)).status, "RESOLVED");
    try {
      await service.retrieve({ kind: KIND, pipelineId, caller });
      return true;
    } catch (error) {
      assert.match(String(error), /not kept any more/);
      return false;
    }
  };
  const { signal } = new AbortController();
  const many: string[] = [];
  for (let minutes = 1; minutes <= 12; minutes += 1) many.push(await ended(database, "many", minutes));
  const other = await ended(database, "other", 60);
  await boundResults(database.db, 1000 * RESULT_BYTES, signal);
  assert.equal(await kept("many", many[11] ?? ""), true);
  // A quarter of the bound holds five results of 30 KiB.
  await boundResults(database.db, 22 * RESULT_BYTES, signal);
  const left = await Promise.all(many.map((id) => kept("many", id)));
  assert.deepEqual(left, [...Array<boolean>(5).fill(true), ...Array<boolean>(7).fill(false)]);
  assert.equal(await kept("other", other), true);
  // Two results of all groups together, and none of a group by itself.
  await boundResults(database.db, 3 * RESULT_BYTES, signal);
  assert.equal(await kept("other", other), false);
  const { rows } = await sql`select count(*)::int as count from pipelines`.execute(database.db);
  assert.deepEqual(rows, [{ count: 13 }]);
});
