import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "../clock.ts";
import { blobStoreConformance, type StoreFixture } from "./blob-store.conformance.ts";
import { openFsBlobStore } from "./fs-blob-store.ts";

async function fixture(): Promise<StoreFixture & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "swath-fs-store-"));
  const store = await openFsBlobStore(folder, systemClock);
  return {
    store,
    listsInOrder: true,
    folder,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

blobStoreConformance("fs", fixture);

test("the local path of a blob is a file with its bytes", async () => {
  await using f = await fixture();
  await f.store.put("a/b", new Uint8Array([1, 2, 3]));
  const path = f.store.localPath("a/b");
  assert.ok(path !== null);
  assert.deepEqual([...(await readFile(path))], [1, 2, 3]);
});

test("drafts of a crash are removed a day later, those of running uploads stay", async () => {
  await using f = await fixture();
  const drafts = join(f.folder, "~drafts");
  await writeFile(join(drafts, "old"), "x");
  await writeFile(join(drafts, "fresh"), "x");
  const longAgo = new Date("2020-01-01T00:00:00Z");
  await utimes(join(drafts, "old"), longAgo, longAgo);
  await openFsBlobStore(f.folder, systemClock);
  assert.deepEqual(await readdir(drafts), ["fresh"]);
});

test("deleting the last blob of a folder removes the folder", async () => {
  await using f = await fixture();
  await f.store.put("scenes/one/B1", new Uint8Array(1));
  await f.store.delete("scenes/one/B1");
  assert.deepEqual(await readdir(f.folder), ["~drafts"]);
});
