import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBuffer, type ZipFile } from "yauzl";
import { unzipped } from "./testing.ts";
import { zipOf } from "./zip.ts";

const entries = [
  { name: "a/text.json", body: new TextEncoder().encode(JSON.stringify({ text: "aaaa".repeat(500) })) },
  { name: "picture.png", body: Uint8Array.from({ length: 2000 }, (_, i) => i % 7) },
  { name: "empty.txt", body: new Uint8Array() },
];

test("what goes in comes out, in order; text is compressed and pictures are not", async () => {
  const zip = await zipOf(entries);
  const files = await unzipped(zip);
  assert.deepEqual([...files.keys()], ["a/text.json", "picture.png", "empty.txt"]);
  for (const { name, body } of entries) assert.deepEqual(files.get(name), body, name);
  assert.ok(zip.length < 3000, `${zip.length} bytes`);
});

test("the same files give the same bytes, with one date", async () => {
  const zip = await zipOf(entries);
  assert.deepEqual(await zipOf(entries), zip);
  const opened = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(Buffer.from(zip), { lazyEntries: false }, (error, file) =>
      error === null ? resolve(file) : reject(error),
    );
  });
  const dates = await new Promise<Set<string>>((resolve) => {
    const seen = new Set<string>();
    opened.on("entry", (entry: { lastModFileDate: number; lastModFileTime: number }) => {
      seen.add(`${entry.lastModFileDate} ${entry.lastModFileTime}`);
    });
    opened.on("end", () => resolve(seen));
  });
  // 1980-01-01 00:00:00: year 0, month 1, day 1.
  assert.deepEqual([...dates], ["33 0"]);
});
