import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { testDatabase } from "../platform/postgres/testing.ts";
import type { Hammered } from "./hammer.fixture.ts";

const PROCESSES = ["w1", "w2", "w3"];

/** All roles of the queue at once, in a separate process. */
async function hammer(url: string, worker: string): Promise<Hammered> {
  const child = fork(join(import.meta.dirname, "hammer.fixture.ts"), [url, worker]);
  const ended = once(child, "exit");
  const [message] = await Promise.race([
    once(child, "message"),
    ended.then(([code]) => Promise.reject(new Error(`${worker} ended with ${String(code)}`))),
  ]);
  await ended;
  return message as Hammered;
}

test("no statement of the queue ends in a deadlock while several processes claim, end, cancel and sweep", async () => {
  await using database = await testDatabase();
  const all = await Promise.all(PROCESSES.map((worker) => hammer(database.url, worker)));
  assert.deepEqual(
    all.flatMap(({ deadlocks }) => deadlocks),
    [],
  );
  assert.deepEqual(
    all.flatMap(({ failures }) => failures),
    [],
  );
  const sum = (name: keyof Hammered["ended"]): number => all.reduce((total, { ended }) => total + ended[name], 0);
  const counts = [sum("resolved"), sum("failed"), sum("cancelled"), sum("swept")];
  assert.ok(Math.min(...counts) > 20, `resolved, failed, cancelled, swept: ${counts.join(", ")}`);
  // The count of the server: a transaction that is repeated after a deadlock fails nowhere.
  const { rows } = await sql`
    select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`.execute(database.db);
  assert.deepEqual(rows, [{ deadlocks: 0 }]);
});
