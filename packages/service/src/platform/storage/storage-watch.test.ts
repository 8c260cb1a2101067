import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import { openS3BlobStore } from "@swath/base/blobs/s3-blob-store";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { mountSmallDisk, NO_MOUNT } from "@swath/base/testing/small-disk";
import { DiskSpace } from "./disk-space.ts";
import { StorageWatch } from "./storage-watch.ts";
import { ampleDisk } from "./testing.ts";

const MIB = 1024 * 1024;
const CREDENTIALS = { accessKeyId: "a", secretAccessKey: "b" };

/** Asks until the answer is the expected one: a probe is a second old at most. */
async function becomes(expected: unknown, ask: () => Promise<unknown>): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  let answer: unknown;
  do {
    await setImmediate();
    const askedAtMs = performance.now();
    answer = await ask();
    assert.ok(performance.now() - askedAtMs < 1_000, "an answer took a second");
  } while (answer !== expected && performance.now() < deadlineMs);
  assert.equal(answer, expected);
}

test("a disk is full below its reserve and without a byte, unavailable while read-only, and well by itself", async (t) => {
  await using small = await mountSmallDisk(8 * MIB);
  if (small === null) return t.skip(NO_MOUNT);
  const work = join(small.folder, "work");
  await mkdir(work);
  await using blobs = await openFsBlobStore(join(small.folder, "blobs"), systemClock);
  const watchWith = (reserveBytes: number): StorageWatch => {
    const disk = new DiskSpace({ folders: [small.folder], reserveBytes });
    return new StorageWatch({ blobs, disk, folders: [work], log: silentLog });
  };
  const withReserve = watchWith(2 * MIB);
  const without = watchWith(0);
  await becomes(null, () => withReserve.fault("files"));
  await small.fill(MIB);
  await becomes("full", () => withReserve.fault("files"));
  await becomes("full", () => withReserve.fault("rows"));
  assert.equal(await withReserve.mayStart("rows"), false);
  await assert.rejects(withReserve.require("rows"), { code: "INSUFFICIENT-STORAGE" });
  await becomes(null, () => without.fault("files"));
  await small.fill(0);
  await becomes("full", () => without.fault("files"));
  assert.equal(await without.mayStart("files"), false);
  await small.empty();
  small.setReadOnly(true);
  await becomes("unavailable", () => without.fault("files"));
  assert.equal(await without.fault("rows"), null);
  await assert.rejects(without.require("files"), { code: "SERVICE-UNAVAILABLE" });
  small.setReadOnly(false);
  await becomes(null, () => without.fault("files"));
  await becomes(null, () => withReserve.fault("files"));
  assert.equal(await without.mayStart("files"), true);
});

test("a bucket whose server refuses or never answers is unavailable, and the answer takes less than a second", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  assert.ok(address !== null && typeof address === "object");
  const endpoint = `http://127.0.0.1:${address.port}`;
  const bucket = {
    bucket: "b",
    keyPrefix: "",
    region: "us-east-1",
    endpoint,
    pathStyle: true,
    credentials: CREDENTIALS,
  };
  await using blobs = openS3BlobStore(bucket);
  const watch = new StorageWatch({ blobs, disk: ampleDisk(), folders: [], log: silentLog });
  await becomes(null, () => watch.fault("files"));
  await becomes("unavailable", () => watch.fault("files"));
  silent.close();
  const refused = new StorageWatch({ blobs, disk: ampleDisk(), folders: [], log: silentLog });
  await becomes("unavailable", () => refused.fault("files"));
});

test("room that is promised to one file is not promised to another, and comes back", async () => {
  const disk = ampleDisk();
  const roomBytes = await largestPromise(disk);
  using first = await disk.promise(roomBytes);
  await assert.rejects(disk.promise(roomBytes), { code: "INSUFFICIENT-STORAGE" });
  first[Symbol.dispose]();
  using second = await disk.promise(roomBytes);
  await second.arrive(1);
});

/** More than half of the room, found by halving. */
async function largestPromise(disk: DiskSpace): Promise<number> {
  for (let bytes = 2 ** 50; ; bytes /= 2) {
    try {
      await disk.require(bytes);
      return bytes;
    } catch (error) {
      assert.ok(bytes > 1, String(error));
    }
  }
}
