import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { exporting } from "./feature.ts";
import { insertImage } from "./store.ts";

const HOUR_MS = 3_600_000;
const BYTES = new Uint8Array(10);
const RUNNING = "runningrunningrun000";
const ENDED = "endedendedendedend00";
const NAMED = [`exports/${ENDED}/image.tif`, `exports/${RUNNING}/image.tif`];
const ORPHAN = "exports/gonegonegonegonego00/image.tif";
/** Of another purpose, which another sweep looks after. */
const OTHER = "scenes/local.uploads.a/b000.tif";

test("images without a row go when they are a day old; those with a row or a running export stay", async () => {
  await using stack = new AsyncDisposableStack();
  const { db } = stack.use(await testDatabase());
  const folder = await mkdtemp(join(tmpdir(), "swath-orphans-"));
  stack.defer(() => rm(folder, { recursive: true }));
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs) };
  const blobs = stack.use(await openFsBlobStore(folder, clock));
  for (const key of [...NAMED, ORPHAN, OTHER]) await blobs.put(key, BYTES);
  await insertImage(db, { pipelineId: ENDED, sceneId: "local.uploads.a", expiresAt: new Date() });
  await sql`
    insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url)
    values (${RUNNING}, '/imagery/get-image', 'NEW', '{}', '{}', '', '', '')`.execute(db);
  // As the schedule of the service runs it.
  const needs = { blobs, clock, config: { orphanAgeMs: 24 * HOUR_MS }, db };
  const work = exporting.schedules({} as never, needs as never).find(({ name }) => name === "export: remove orphans");
  const keys = async (): Promise<readonly string[]> => {
    await work?.run(new AbortController().signal);
    const found: string[] = [];
    for await (const { key } of blobs.list("")) found.push(key);
    return found.toSorted();
  };
  assert.deepEqual([work?.runsIn, await keys()], ["workers", [...NAMED, ORPHAN, OTHER].toSorted()]);
  passedMs = 23 * HOUR_MS;
  assert.deepEqual(await keys(), [...NAMED, ORPHAN, OTHER].toSorted());
  passedMs = 25 * HOUR_MS;
  assert.deepEqual(await keys(), [...NAMED, OTHER]);
});
