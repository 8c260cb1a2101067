import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ingestionContract } from "@swath/contract/features/ingestion/contract";
import { DEFAULT_FILE_LIMITS } from "@swath/raster/store/file-limits";
import { UploadProcesses } from "@swath/raster/store/upload-processes";
import { zerosTiff } from "@swath/raster/tiff/zeros-tiff-testing";
import { sql } from "kysely";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { UploadReader } from "./ingest-pipeline.ts";
import { ALICE, contextOf, ingestionBench, type IngestionBench } from "./testing.ts";

const { lane, path: kind } = ingestionContract.ingestScenePipeline;
/** 2 MB of 1.6 billion pixels: a quarter of a minute of work. */
const SLOW = (): Uint8Array => zerosTiff(40_000, 200);

async function enqueue({ db, pipelines }: IngestionBench, filepath: string): Promise<string> {
  const request = { provider: "local", filepath };
  const { pipelineId } = await inTransaction(db, async (transaction) =>
    pipelines.enqueue(transaction, { kind, lane, request, caller: ALICE, baseUrl: "http://swath.test" }),
  );
  return pipelineId;
}

test("a cancelled ingest frees its place at once, ends its process and leaves nothing", async () => {
  await using processes = new UploadProcesses();
  const working = Promise.withResolvers<void>();
  const readUpload: UploadReader = (job, signal, onProgress) =>
    processes.read(job, signal, (share) => {
      working.resolve();
      onProgress(share);
    });
  await using bench = await ingestionBench({ readUpload, places: 1 });
  const slow = await enqueue(bench, await bench.upload(SLOW(), "slow"));
  await working.promise;
  const next = await enqueue(bench, await bench.upload(zerosTiff(64, 64), "next"));
  assert.equal(processes.pids.length, 1);
  const slowPid = processes.pids[0];

  await bench.pipelines.cancel(slow, ALICE);
  const cancelledMs = performance.now();
  const { signal } = new AbortController();
  assert.equal(await bench.pipelines.waitFor(next, signal, 60_000), "RESOLVED");
  // The next file starts a process; the rest of the slow one would take longer on any machine.
  assert.ok(performance.now() - cancelledMs < 15_000, `${performance.now() - cancelledMs} ms`);
  assert.ok(!processes.pids.some((pid) => pid === slowPid));
  await bench.ingestion.sweep();
  const left = await bench.leftovers();
  assert.deepEqual(
    left.filter((name) => name.includes(slow)),
    [],
  );
});

test("a file that takes longer or more memory than the limits fails in its first run, for its owner to read why", async () => {
  const cases = [
    [{ ...DEFAULT_FILE_LIMITS, baseMs: 1, msPerGib: 1 }, SLOW(), /takes longer than the 0\.00\d s/],
    [{ ...DEFAULT_FILE_LIMITS, memoryBytes: 256 * 2 ** 20 }, zerosTiff(16_000, 16_000), /more memory than the 256 MiB/],
  ] as const;
  for (const [limits, bytes, message] of cases) {
    await using processes = new UploadProcesses(limits);
    await using bench = await ingestionBench({
      readUpload: (job, signal, onProgress) => processes.read(job, signal, onProgress),
    });
    const filepath = await bench.upload(bytes, "heavy");
    const ingest = bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE));
    await assert.rejects(ingest, (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.code, message.test(error.message)], ["SCENE-UNREADABLE", true], error.message);
      return true;
    });
    const { rows } = await sql<{ attempt: number }>`select attempt from pipelines`.execute(bench.db);
    assert.deepEqual(rows, [{ attempt: 1 }]);
    await bench.ingestion.sweep();
    assert.deepEqual(await bench.leftovers(), []);
  }
});
