import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { ALICE, BOB, handlersOf, KIND, queueBench, type QueueBench } from "./queue-testing.ts";

const DEBIT = "/test/debit";
const HANGING = { kind: DEBIT, request: { hangFor: "all" } };

/** Two worker processes of four places each, in which three pipelines of a caller may run together. */
async function twoProcesses({ url }: QueueBench): Promise<Disposable & { nextRun(): Promise<string> }> {
  const runs: string[] = [];
  let heard = Promise.withResolvers<void>();
  const children = ["first", "second"].map((name) =>
    fork(join(import.meta.dirname, "worker.fixture.ts"), [url, "20000", name, "3"]),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  for (const child of children) {
    child.on("message", (message: { readonly runs: string }) => {
      runs.push(message.runs);
      heard.resolve();
    });
  }
  return {
    async nextRun() {
      while (runs.length === 0) {
        heard = Promise.withResolvers();
        await heard.promise;
      }
      return runs.shift() ?? "";
    },
    [Symbol.dispose]: () => children.forEach((child) => child.kill("SIGKILL")),
  };
}

async function runningOf(
  b: QueueBench,
  userId: string,
): Promise<{ readonly running: number; readonly workers: number }> {
  const { rows } = await sql<{ running: number; workers: number }>`
    select count(*)::int as running, count(distinct worker)::int as workers from pipelines
    where user_id = ${userId} and status = 'PROCESSING' and worker is not null
  `.execute(b.db);
  return rows[0] ?? { running: 0, workers: 0 };
}

test("three pipelines of a caller run in two worker processes together, and others pass by", async () => {
  await using b = await queueBench();
  const alices: string[] = [];
  for (let i = 0; i < 12; i += 1) alices.push(await b.enqueue({ ...HANGING, caller: ALICE }));
  using processes = await twoProcesses(b);
  const started = new Set<string>();
  while (started.size < 3) started.add(await processes.nextRun());
  for (let i = 0; i < 4; i += 1) {
    const id = await b.enqueue({ ...HANGING, caller: BOB });
    if (i < 3) assert.equal(await processes.nextRun(), id, "five places are free, and Alice's turn is earlier");
  }
  assert.equal((await runningOf(b, ALICE.userId)).running, 3);
  assert.deepEqual(await runningOf(b, BOB.userId), { running: 3, workers: (await runningOf(b, BOB.userId)).workers });
  const [first = ""] = started;
  assert.ok(alices.includes(first));
  await b.queue.cancel(first, ALICE);
  const next = await processes.nextRun();
  assert.ok(alices.includes(next) && !started.has(next), "the place of the cancelled one is free in both processes");
  assert.equal((await runningOf(b, ALICE.userId)).running, 3);
});

test("workers that claim at the same time do not exceed the bound of a caller", async () => {
  await using b = await queueBench();
  let running = 0;
  let most = 0;
  const handlers = handlersOf({
    [KIND]: async () => {
      running += 1;
      most = Math.max(most, running);
      await sql`select pg_sleep(0.002)`.execute(b.db);
      running -= 1;
      return { result: 1 };
    },
  });
  const ids: string[] = [];
  for (let i = 0; i < 100; i += 1) ids.push(await b.enqueue());
  for (let i = 0; i < 4; i += 1) b.work(handlers, { concurrency: 4, runningInAll: 5 });
  const never = new AbortController().signal;
  for (const id of ids) assert.equal(await b.queue.waitFor(id, never, 60_000), "RESOLVED");
  assert.equal(most, 5);
});
