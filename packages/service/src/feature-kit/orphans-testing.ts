import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import type { Clock } from "@swath/base/clock";
import type { ScheduledWork } from "./define-feature.ts";

const HOUR_MS = 3_600_000;
const BYTES = new Uint8Array(10);

/** What a sweep of orphans needs beside the database. */
interface SweepNeeds {
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly config: { readonly orphanAgeMs: number };
}

/** Runs a feature's schedule at once, 23 hours and 25 hours later: only the last run removes the orphans, and no more. */
export async function assertOrphansGoAfterADay(
  files: { readonly kept: readonly string[]; readonly orphans: readonly string[] },
  scheduleOf: (needs: SweepNeeds) => ScheduledWork | undefined,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "swath-orphans-"));
  stack.defer(() => rm(folder, { recursive: true }));
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs) };
  const blobs = stack.use(await openFsBlobStore(folder, clock));
  const all = [...files.kept, ...files.orphans].toSorted();
  for (const key of all) await blobs.put(key, BYTES);
  const work = scheduleOf({ blobs, clock, config: { orphanAgeMs: 24 * HOUR_MS } });
  assert.equal(work?.runsIn, "workers");
  for (const [hours, left] of [
    [0, all],
    [23, all],
    [25, files.kept.toSorted()],
  ] as const) {
    passedMs = hours * HOUR_MS;
    await work.run(new AbortController().signal);
    const found: string[] = [];
    for await (const { key } of blobs.list("")) found.push(key);
    assert.deepEqual(found.toSorted(), left, `${hours} hours later`);
  }
}
