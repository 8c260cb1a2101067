import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RasterError } from "../raster-error.ts";
import { zerosTiff } from "../tiff/zeros-tiff-testing.ts";
import { DEFAULT_FILE_LIMITS, timeLimitMs } from "./file-limits.ts";
import type { UploadJob } from "./read-upload.ts";
import { UploadProcesses } from "./upload-processes.ts";

const MIB = 2 ** 20;
const endless = new AbortController().signal;

async function inFolder(bytes: Uint8Array, use: (job: UploadJob) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "upload-"));
  try {
    const path = join(folder, "a.tif");
    await writeFile(path, bytes);
    await use({ path, name: "a.tif", suffix: ".geotiff", document: null, ingestedAtMs: Date.UTC(2026, 0, 2), folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const unreadable = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof RasterError, String(error));
  assert.equal(error.code, "SCENE-UNREADABLE");
  assert.match(error.message, message);
  return true;
};

test("a file is read in a process, which tells its progress and serves the next file", async () => {
  await using processes = new UploadProcesses();
  await inFolder(zerosTiff(1024, 64), async (job) => {
    const shares: number[] = [];
    const draft = await processes.read(job, endless, (share) => shares.push(share));
    const { pids } = processes;
    assert.deepEqual([draft.bands.length, draft.crsEpsg, shares.at(-1), pids.length], [1, 32_633, 1, 1]);
    await processes.read({ ...job, folder: join(job.folder, "second") }, endless);
    assert.deepEqual(processes.pids, pids);
  });
});

test("a file that takes longer than its bytes and pixels allow is unreadable, with the limit", async () => {
  await using processes = new UploadProcesses({ ...DEFAULT_FILE_LIMITS, baseMs: 1, msPerGib: 1 });
  await inFolder(zerosTiff(20_000, 200), async (job) => {
    await assert.rejects(
      processes.read(job, endless),
      unreadable(/a\.tif takes longer than the 0\.00\d s that reading/),
    );
    assert.deepEqual(processes.pids, []);
  });
});

test("the time of a file grows with its pixels, but not beyond what its bytes can hold", () => {
  const limits = { memoryBytes: 1, baseMs: 1000, msPerGib: 2 ** 20 };
  assert.equal(timeLimitMs(limits, 0, 0), 1000);
  assert.equal(timeLimitMs(limits, 2 ** 30, 0), 1000 + 2 ** 20);
  assert.equal(timeLimitMs(limits, 2 ** 30, 2 ** 30), 1000 + 2 ** 21);
  // 1 MiB that claims 1 TiB of pixels has the time of 200 MiB.
  assert.equal(timeLimitMs(limits, 2 ** 20, 2 ** 40), 1000 + 201 * 2 ** 10);
});

test("a file that takes more memory than the limit is unreadable, with the limit", async () => {
  await using processes = new UploadProcesses({ ...DEFAULT_FILE_LIMITS, memoryBytes: 256 * MIB });
  // One strip of 256 MB, within the limits of the reader.
  await inFolder(zerosTiff(16_000, 16_000), async (job) => {
    await assert.rejects(processes.read(job, endless), unreadable(/more memory than the 256 MiB/));
  });
  await inFolder(zerosTiff(1024, 64), async (job) => {
    assert.equal((await processes.read(job, endless)).bands.length, 1);
  });
});

test("a cancelled file ends with its process, whatever it was at", async () => {
  await using processes = new UploadProcesses();
  await inFolder(zerosTiff(20_000, 200), async (job) => {
    const control = new AbortController();
    const reading = processes.read(job, control.signal, () => control.abort(new Error("cancelled")));
    await assert.rejects(reading, { message: "cancelled" });
    assert.deepEqual(processes.pids, []);
  });
});

test("a disk that refuses is no fault of the file", async () => {
  await using processes = new UploadProcesses();
  await inFolder(zerosTiff(1024, 64), async (job) => {
    await processes.read(job, endless);
    // The images of the first run are in the way.
    await assert.rejects(processes.read(job, endless), (error) => {
      assert.ok(!(error instanceof RasterError));
      assert.match(String(error), /EEXIST/);
      return true;
    });
  });
});
