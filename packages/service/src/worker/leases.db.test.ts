import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { Leases } from "./leases.ts";
import { queueBench } from "./queue-testing.ts";

const WORKER = "worker";
/** A heartbeat each second, for pipelines that have been held for half a second. */
const LEASE_MS = 4_000;
const SHORT_RUNS = 10;

test("a pipeline that runs for long has heartbeats, those that end at once have none", async () => {
  await using b = await queueBench();
  const { db, signals } = b;
  const long = await b.enqueue();
  const short = await Promise.all(Array.from({ length: SHORT_RUNS }, () => b.enqueue()));
  await sql`update pipelines set status = 'PROCESSING', worker = ${WORKER}, claimable_at = now()`.execute(db);
  await sql`create table heartbeats (id text not null)`.execute(db);
  await sql`create function note_heartbeat() returns trigger language plpgsql as
    'begin insert into heartbeats values (new.id); return null; end'`.execute(db);
  await sql`create trigger note_heartbeat after update of claimable_at on pipelines
    for each row execute function note_heartbeat()`.execute(db);
  await using leases = new Leases({ db, signals, log: silentLog, worker: WORKER, leaseMs: LEASE_MS });
  const control = new AbortController();
  leases.hold(long, control);
  let ids: readonly string[] = [];
  // At every moment one of the short ones is held, for as long as a statement takes.
  for (let run = 0; ids.filter((id) => id === long).length < 2; run += 1) {
    const id = short[run % SHORT_RUNS] ?? "";
    leases.hold(id, new AbortController());
    const { rows } = await sql<{ id: string }>`select id from heartbeats`.execute(db);
    leases.drop(id);
    ids = rows.map((row) => row.id);
  }
  assert.deepEqual(ids, [long, long]);
  assert.equal(control.signal.aborted, false);
});
