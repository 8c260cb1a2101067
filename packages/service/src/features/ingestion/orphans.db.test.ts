import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { sql } from "kysely";
import { openS3BlobStore } from "@swath/base/blobs/s3-blob-store";
import { GATEWAY_COMMAND, S3Gateway } from "../../../../../e2e/chaos/s3-gateway.ts";
import { coastGeotiff } from "../../../../../e2e/make-geotiff.ts";
import { ALICE, contextOf, ingestionBench, type IngestionBench } from "./testing.ts";

const HOUR_MS = 3_600_000;
const KILLED = "killedkilledkilled00";
const RUNNING = "runningrunningrun000";
const BYTES = new Uint8Array(10);

/** Remains as a killed process leaves them, and blobs of a pipeline that still runs. */
async function leaveRemains({ blobs, db, folder }: IngestionBench): Promise<void> {
  await sql`
    insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url, worker, claimable_at)
    values (${RUNNING}, '/imagery/ingest-scene', 'PROCESSING', '{}', '{}', '', '', '', 'elsewhere', now() + interval '1 day')
  `.execute(db);
  await blobs.put(`scenes/local.uploads.gone/${KILLED}-1/b000.tif`, BYTES);
  await blobs.put(`scenes/local.uploads.gone/${KILLED}-2-r0/b000.tif`, BYTES);
  await blobs.put(`scenes/local.uploads.soon/${RUNNING}-1/b000.tif`, BYTES);
  await blobs.put("uploads/0123456789abcdefghijkl.zip", BYTES);
  await writeFile(join(folder, "blobs", "~drafts", "draft"), BYTES);
  for (const name of [`${KILLED}-1`, `${RUNNING}-1`]) {
    await mkdir(join(folder, "work", name));
    await writeFile(join(folder, "work", name, "layer0.tif"), BYTES);
  }
}

test("remains of killed processes are removed a day later, never blobs with a row or of a running pipeline", async () => {
  let passedMs = 0;
  await using bench = await ingestionBench({ clock: { now: () => new Date(Date.now() + passedMs) } });
  const filepath = await bench.upload(coastGeotiff(), "coast");
  const { ingestedScenes } = await bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE));
  await bench.ingestion.sweep();
  const waiting = await bench.upload(coastGeotiff(), "waits");
  const present = new Set(await bench.leftovers());
  await leaveRemains(bench);
  const { signal } = new AbortController();
  passedMs = 23 * HOUR_MS;
  assert.equal(await bench.ingestion.sweepOrphans(signal), 0);
  passedMs = 25 * HOUR_MS;
  // Three blobs, the draft and a work folder.
  assert.equal(await bench.ingestion.sweepOrphans(signal), 5);
  const added = (await bench.leftovers()).filter((name) => !present.has(name));
  assert.deepEqual(added, [`scenes/local.uploads.soon/${RUNNING}-1/b000.tif`, `${RUNNING}-1`]);
  assert.equal(present.size + added.length, (await bench.leftovers()).length);
  assert.ok(present.size > 1, `${waiting} and ${JSON.stringify(ingestedScenes)}`);
  assert.equal(await bench.ingestion.sweepOrphans(signal), 0);
});

test("a bucket loses blobs without rows and uploads of which a killed process has sent parts", async (t) => {
  await using gateway = await S3Gateway.start();
  if (gateway === null) return t.skip(`versitygw is not installed: ${GATEWAY_COMMAND}`);
  let passedMs = 0;
  await using blobs = openS3BlobStore(gateway.store);
  await using bench = await ingestionBench({ blobs, clock: { now: () => new Date(Date.now() + passedMs) } });
  const filepath = await bench.upload(coastGeotiff(), "coast");
  await bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE));
  await bench.ingestion.sweep();
  const present = await bench.leftovers();
  await blobs.put(`scenes/local.uploads.gone/${KILLED}-1/b000.tif`, BYTES);
  const sent = Promise.withResolvers<void>();
  const endless = Readable.from(
    (async function* () {
      for (let part = 0; part < 24; part += 1) yield Buffer.alloc(1024 * 1024);
      sent.resolve();
      await new Promise<never>(() => {});
    })(),
  );
  void blobs.put("uploads/endless.zip", endless).catch(() => {});
  await sent.promise;
  const { signal } = new AbortController();
  assert.equal(await bench.ingestion.sweepOrphans(signal), 0);
  passedMs = 25 * HOUR_MS;
  assert.equal(await bench.ingestion.sweepOrphans(signal), 2);
  assert.deepEqual(await bench.leftovers(), present);
});
