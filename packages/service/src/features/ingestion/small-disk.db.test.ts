import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { mountSmallDisk, NO_MOUNT, type SmallDisk } from "@swath/base/testing/small-disk";
import { ingestionContract } from "@swath/contract/features/ingestion/contract";
import { coastGeotiff } from "../../../../../e2e/make-geotiff.ts";
import { DiskSpace } from "../../platform/storage/disk-space.ts";
import { startWorker } from "../../worker/worker.ts";
import { ALICE, contextOf, handlersOf, ingestionBench, type IngestionBench } from "./testing.ts";

const MIB = 1024 * 1024;
const { path: kind } = ingestionContract.ingestScenePipeline;

interface OnDisk {
  readonly disk: SmallDisk;
  readonly bench: IngestionBench;
}

async function onSmallDisk(t: TestContext, reserveBytes: number, work: (on: OnDisk) => Promise<void>): Promise<void> {
  await using disk = await mountSmallDisk(32 * MIB);
  if (disk === null) return t.skip(NO_MOUNT);
  const space = new DiskSpace({ folders: [disk.folder], reserveBytes });
  await using bench = await ingestionBench({ within: disk.folder, disk: space, withoutWorker: true });
  try {
    await work({ disk, bench });
  } finally {
    disk.setReadOnly(false);
  }
}

/** An accepted ingest and a worker that has not begun. */
async function accepted(bench: IngestionBench): Promise<string> {
  const filepath = await bench.upload(coastGeotiff(), "coast");
  const request = { provider: "local", filepath };
  const shared = { kind, lane: "heavy", caller: ALICE, baseUrl: "" };
  return (await bench.pipelines.enqueue(bench.db, { ...shared, request })).pipelineId;
}

function startHeavy({ db, ingestion, signals, storage }: IngestionBench): AsyncDisposable {
  const queue = { db, signals, storage, log: silentLog, lane: "heavy", concurrency: 2 };
  const worker = startWorker({ ...queue, handlers: handlersOf(ingestion) });
  return { [Symbol.asyncDispose]: () => worker.stop(0) };
}

/** How the pipeline stands, once a run of it has been given back. */
async function givenBack({ db }: IngestionBench, pipelineId: string): Promise<unknown> {
  const deadlineMs = performance.now() + 60_000;
  for (;;) {
    const { rows } = await sql<{ status: string; failures: number; attempt: number; waits: boolean }>`
      select status, failures, attempt, worker is null as waits from pipelines where id = ${pipelineId}`.execute(db);
    const [row] = rows;
    if (row !== undefined && row.attempt > 0 && row.waits) return { status: row.status, failures: row.failures };
    assert.ok(performance.now() < deadlineMs, JSON.stringify(row));
  }
}

async function resolves({ pipelines }: IngestionBench, pipelineId: string): Promise<void> {
  assert.equal(await pipelines.waitFor(pipelineId, AbortSignal.timeout(120_000), 120_000), "RESOLVED");
}

test("an accepted ingest waits for a full disk without counting an attempt, and ends once there is room", async (t) => {
  await onSmallDisk(t, 0, async ({ bench, disk }) => {
    const pipelineId = await accepted(bench);
    await disk.fill(0);
    await using worker = startHeavy(bench);
    assert.ok(worker);
    assert.deepEqual(await givenBack(bench, pipelineId), { status: "PROCESSING", failures: 0 });
    assert.equal(await bench.storage.mayStart("files"), false);
    await disk.empty();
    await resolves(bench, pipelineId);
  });
});

test("an accepted ingest waits for a read-only disk, and ends once it takes writes", async (t) => {
  await onSmallDisk(t, 0, async ({ bench, disk }) => {
    const pipelineId = await accepted(bench);
    disk.setReadOnly(true);
    await using worker = startHeavy(bench);
    assert.ok(worker);
    assert.deepEqual(await givenBack(bench, pipelineId), { status: "PROCESSING", failures: 0 });
    disk.setReadOnly(false);
    await resolves(bench, pipelineId);
  });
});

test("no pipeline starts while the disk has less than its reserve", async (t) => {
  await onSmallDisk(t, 4 * MIB, async ({ bench, disk }) => {
    const pipelineId = await accepted(bench);
    await disk.fill(2 * MIB);
    while ((await bench.storage.fault("rows")) === null) await setImmediate();
    await using worker = startHeavy(bench);
    assert.ok(worker);
    const status = await bench.pipelines.waitFor(pipelineId, new AbortController().signal, 3_000);
    const { rows } = await sql`select attempt from pipelines where id = ${pipelineId}`.execute(bench.db);
    assert.deepEqual([status, rows], ["PROCESSING", [{ attempt: 0 }]]);
    await disk.empty();
    await resolves(bench, pipelineId);
  });
});

test("an upload that the disk has no room for is refused before and during the body, and leaves nothing", async (t) => {
  await onSmallDisk(t, 4 * MIB, async ({ bench, disk }) => {
    const sizeBytes = 24 * MIB;
    const announce = () =>
      bench.ingestion.requestUpload({ uploadSuffix: ".geotiff", size: sizeBytes, filename: "a" }, contextOf(ALICE));
    const full = { code: "INSUFFICIENT-STORAGE" };
    const { url } = await announce();
    const filling = Readable.from(
      (async function* () {
        yield Buffer.alloc(2 * MIB);
        await disk.fill(2 * MIB);
        for (let sent = 2; sent < 24; sent += 1) yield Buffer.alloc(MIB);
      })(),
    );
    await assert.rejects(bench.put(url, filling), (error) => error instanceof Error && "code" in error);
    assert.deepEqual(await readdir(join(bench.folder, "uploads")), []);
    await assert.rejects(bench.put(url, new Uint8Array(sizeBytes)), full);
    await assert.rejects(announce(), full);
    await disk.empty();
    assert.equal((await bench.put(url, new Uint8Array(sizeBytes))).status, 200);
  });
});
