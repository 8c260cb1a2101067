import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bufferSource, fileSource } from "./byte-sources.ts";
import { temporaryFolder } from "./gdal-testing.ts";

test("sources give the bytes asked for and fewer only at their end", async () => {
  using folder = temporaryFolder();
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
  const path = join(folder.path, "bytes.bin");
  writeFileSync(path, bytes);
  await using file = await fileSource(path);
  for (const source of [file, bufferSource(bytes, "bytes.bin")]) {
    assert.equal(source.name, "bytes.bin");
    assert.equal(source.sizeBytes, 100);
    assert.deepEqual(await source.fetch(10, 5), Uint8Array.of(10, 11, 12, 13, 14));
    assert.deepEqual(await source.fetch(98, 50), Uint8Array.of(98, 99));
    assert.deepEqual(await source.fetch(200, 50), new Uint8Array());
  }
});

test("fetched bytes may be changed without changing the array or Buffer", async () => {
  for (const bytes of [Uint8Array.of(1, 2, 3), Buffer.from([1, 2, 3])]) {
    const fetched = await bufferSource(bytes).fetch(0, 3);
    fetched[0] = 9;
    assert.equal(bytes[0], 1);
  }
});

test("a file is not read after the signal aborts", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "bytes.bin");
  writeFileSync(path, "abc");
  await using file = await fileSource(path);
  await assert.rejects(file.fetch(0, 1, { signal: AbortSignal.abort(new Error("stopped")) }), /stopped/);
});
