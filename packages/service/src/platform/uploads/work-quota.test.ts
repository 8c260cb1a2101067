import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { openWorkFolders } from "./work-folders.ts";

test("a run is told while it writes that it has exceeded its quota, and others that all of them have", async () => {
  const root = await mkdtemp(join(tmpdir(), "swath-work-"));
  try {
    const folders = await openWorkFolders(root, systemClock, false, { folderBytes: 1000, totalBytes: 1500 });
    const first = await folders.create("first", 1);
    const second = await folders.create("second", 1);
    using guard = folders.guard(first, new AbortController().signal);
    using other = folders.guard(second, new AbortController().signal);
    await writeFile(join(first, "a"), new Uint8Array(900));
    await Promise.all([guard.check(), other.check()]);
    await writeFile(join(first, "c"), new Uint8Array(200));
    if (!guard.signal.aborted) await once(guard.signal, "abort");
    assert.equal(guard.signal.reason.code, "INSUFFICIENT-STORAGE");
    await rm(join(first, "c"));
    await writeFile(join(second, "b"), new Uint8Array(700));
    await assert.rejects(other.check(), { name: "StoreFaultError", kind: "full" });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
