import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import type { Caller } from "../platform/context.ts";
import { silentLog } from "@swath/base/log/log";
import { testDatabase } from "../platform/postgres/testing.ts";
import { createPipelineService, type PipelineService } from "../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { LEASE_MS } from "./leases.ts";
import { POLL_MS } from "./worker.ts";

const KIND = "/test/debit";
const CALLER: Caller = { kind: "user", userId: "u", groupId: "g", email: "u@example.com", permissions: new Set() };
const TEST_LEASE_MS = 1_000;

interface Setting extends AsyncDisposable {
  readonly pipelines: PipelineService;
  enqueue(request: unknown): Promise<string>;
  startProcess(name: string): Promise<ChildProcess>;
  accounts(): Promise<{ debits: number; distinct: number; balance: number }>;
}

async function setting(): Promise<Setting> {
  const database = await testDatabase();
  const { db, url } = database;
  await sql`create table debits (pipeline_id text not null, attempt integer not null)`.execute(db);
  await sql`create table accounts (balance integer not null)`.execute(db);
  await sql`insert into accounts values (1000)`.execute(db);
  const signals = openPipelineSignals(url, silentLog);
  const pipelines = createPipelineService({ db, signals, retentionDays: 30 });
  const children: ChildProcess[] = [];
  return {
    pipelines,
    async enqueue(request) {
      const input = { kind: KIND, lane: "heavy", request, caller: CALLER, baseUrl: "" };
      return (await db.transaction().execute((trx) => pipelines.enqueue(trx, input))).pipelineId;
    },
    async startProcess(name) {
      const child = fork(join(import.meta.dirname, "worker.fixture.ts"), [url, String(TEST_LEASE_MS), name]);
      children.push(child);
      await once(child, "message");
      return child;
    },
    async accounts() {
      const { rows } = await sql<{ debits: number; distinct: number; balance: number }>`
        select (select count(*)::int from debits) as debits,
          (select count(distinct pipeline_id)::int from debits) as distinct, balance from accounts`.execute(db);
      return rows[0] ?? { debits: -1, distinct: -1, balance: -1 };
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      await signals[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

test("a dead worker's job is taken up within a minute: lease and poll together are shorter", () => {
  assert.ok(LEASE_MS + POLL_MS < 60_000);
});

test("the job of a killed worker starts elsewhere when its lease ends, and its effect happens once", async () => {
  await using s = await setting();
  const first = await s.startProcess("first");
  const running = once(first, "message");
  const id = await s.enqueue({ hangFor: "first" });
  await running;
  first.kill("SIGKILL");
  const killedAtMs = performance.now();
  await s.startProcess("second");
  assert.equal(await s.pipelines.waitFor(id, new AbortController().signal, 30_000), "RESOLVED");
  // The rest is the start of the second process on a busy machine.
  assert.ok(performance.now() - killedAtMs < TEST_LEASE_MS + POLL_MS + 15_000);
  const answer = await s.pipelines.retrieve({ kind: KIND, pipelineId: id, caller: CALLER });
  assert.deepEqual(answer, { attempt: 2, name: "second" });
  assert.deepEqual(await s.accounts(), { debits: 1, distinct: 1, balance: 999 });
});

test("a worker that was stopped longer than its lease commits nothing when it goes on", async () => {
  await using s = await setting();
  const first = await s.startProcess("first");
  const id = await s.enqueue({ hangFor: "first" });
  await once(first, "message");
  first.kill("SIGSTOP");
  await s.startProcess("second");
  assert.equal(await s.pipelines.waitFor(id, new AbortController().signal, 30_000), "RESOLVED");
  first.kill("SIGCONT");
  const next = await s.enqueue({});
  assert.equal(await s.pipelines.waitFor(next, new AbortController().signal, 30_000), "RESOLVED");
  assert.deepEqual(await s.accounts(), { debits: 2, distinct: 2, balance: 998 });
});

test("kills at random moments lose no pipeline and repeat no effect", async () => {
  await using s = await setting();
  const total = 120;
  const ids: string[] = [];
  let workers = await Promise.all([s.startProcess("a"), s.startProcess("b")]);
  for (let i = 0; i < total; i += 1) {
    ids.push(await s.enqueue({}));
    // A worker is killed in the middle of the stream, wherever its runs and transactions are then.
    if (i % 40 === 20) {
      const [victim, ...others] = workers;
      victim?.kill("SIGKILL");
      workers = [...others, await s.startProcess(`w${i}`)];
    }
  }
  for (const id of ids) {
    assert.equal(await s.pipelines.waitFor(id, new AbortController().signal, 30_000), "RESOLVED");
  }
  assert.deepEqual(await s.accounts(), { debits: total, distinct: total, balance: 1000 - total });
});
