import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { openWorkFolders } from "./work-folders.ts";

test("what a killed process has left is removed at once by the only one on the folder, and left alone by others", async () => {
  const root = await mkdtemp(join(tmpdir(), "swath-work-"));
  try {
    const killed = await openWorkFolders(root, systemClock);
    await writeFile(join(await killed.create("analysis", 1), "layer0.tif"), "x");
    const beside = await openWorkFolders(root, systemClock);
    await beside.create("other", 1);
    assert.deepEqual((await readdir(root)).toSorted(), ["analysis-1", "other-1"]);
    const restarted = await openWorkFolders(root, systemClock, true);
    assert.deepEqual(await readdir(root), []);
    await restarted.create("analysis", 2);
    assert.deepEqual(await readdir(root), ["analysis-2"]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
