import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fromBuffer } from "yauzl";
import { zipStore } from "./zip-store.ts";

const MEMBERS = [
  { name: "image.tif", bytes: new Uint8Array(70_000).map((_, index) => index % 251) },
  { name: "szene-ü.json", bytes: new TextEncoder().encode('{"satellite":"Swath"}') },
  { name: "empty.txt", bytes: new Uint8Array(0) },
];

async function archiveOf(): Promise<Buffer> {
  const archive = await zipStore(MEMBERS.map(({ name, bytes }) => ({ name, content: new Blob([bytes]) })));
  return Buffer.from(await archive.arrayBuffer());
}

test("an independent reader finds every member with its name and bytes", async () => {
  const archive = await archiveOf();
  const found = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error !== null) return reject(error);
      zip.on("end", resolve);
      zip.on("error", reject);
      zip.on("entry", (entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure !== null) return reject(failure);
          const chunks: Buffer[] = [];
          stream.on("data", (chunk: Buffer) => chunks.push(chunk));
          stream.on("end", () => {
            found.set(entry.fileName, Buffer.concat(chunks));
            zip.readEntry();
          });
        });
      });
      zip.readEntry();
    });
  });
  assert.deepEqual([...found.keys()], ["image.tif", "szene-ü.json", "empty.txt"]);
  for (const { name, bytes } of MEMBERS) assert.ok(found.get(name)?.equals(bytes), name);
});

test("Python's zipfile finds checksums right", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "swath-zip-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a.zip");
  writeFileSync(path, await archiveOf());
  let answer: string;
  try {
    answer = execFileSync("python3", ["-m", "zipfile", "-t", path], { encoding: "utf8" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return t.skip("python3 absent");
    throw error;
  }
  assert.match(answer, /Done testing/);
});

test("equal members give equal archives", async () => {
  assert.deepEqual(await archiveOf(), await archiveOf());
});
