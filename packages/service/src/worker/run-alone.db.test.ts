import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ALICE, handlersOf, queueBench, type QueueBench } from "./queue-testing.ts";
import type { AloneStart } from "./run-alone.ts";

const INNOCENT = "/test/innocent";
const POISON = "/test/poison";
const never = new AbortController().signal;

function aloneIn(b: QueueBench): AloneStart {
  return (run) => fork(join(import.meta.dirname, "alone.fixture.ts"), [b.url, JSON.stringify(run)]);
}

/** A pipeline whose process died just now, after `deaths` earlier deaths. */
async function died(b: QueueBench, kind: string, deaths: number, failures = 0): Promise<string> {
  const id = await b.enqueue({ kind });
  await sql`
    update pipelines set status = 'PROCESSING', worker = 'dead', attempt = ${deaths + 1}, deaths = ${deaths},
      failures = ${failures} where id = ${id}`.execute(b.db);
  return id;
}

const here = handlersOf({
  [INNOCENT]: async () => ({ result: { pid: process.pid } }),
  [POISON]: () => Promise.reject(new Error("must not run here")),
});

test("a pipeline runs among others after the first death of its process, and alone after the second", async () => {
  await using b = await queueBench();
  const first = await died(b, INNOCENT, 0);
  const second = await died(b, INNOCENT, 1);
  b.work(here, { startAlone: aloneIn(b) });
  const pids: boolean[] = [];
  for (const pipelineId of [first, second]) {
    assert.equal(await b.queue.waitFor(pipelineId, never, 30_000), "RESOLVED");
    const result = await b.queue.retrieve({ kind: INNOCENT, pipelineId, caller: ALICE });
    pids.push((result as { pid: number }).pid === process.pid);
  }
  assert.deepEqual(pids, [true, false]);
});

test("a pipeline around which twenty processes died is not FAILED", async () => {
  await using b = await queueBench();
  const id = await died(b, INNOCENT, 20);
  b.work(here, { startAlone: aloneIn(b) });
  assert.equal(await b.queue.waitFor(id, never, 30_000), "RESOLVED");
});

test("the death of the process that ran only this pipeline counts, and as many of them end it as attempts may fail", async () => {
  await using b = await queueBench();
  const poison = await died(b, POISON, 1);
  b.work(here, { startAlone: aloneIn(b), maxAttempts: 2 });
  assert.equal(await b.queue.waitFor(poison, never, 60_000), "FAILED");
  const input = { kind: POISON, pipelineId: poison, caller: ALICE };
  await assert.rejects(
    b.queue.retrieve(input),
    (error) => error instanceof ServiceError && error.code === "PROCESSING-ERROR",
  );
  const { rows } = await sql<{ failures: number }>`select failures from pipelines where id = ${poison}`.execute(b.db);
  assert.deepEqual(rows, [{ failures: 2 }]);
});
