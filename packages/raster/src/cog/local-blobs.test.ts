import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LocalBlobs } from "./local-blobs.ts";

function folderOf(files: Readonly<Record<string, string>>): Disposable & { readonly at: (name: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), "local-blobs-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return {
    at: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const countOpen = () => readdirSync("/proc/self/fd").length;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test("a file read after many others were opened gives its own bytes", () => {
  const names = Array.from({ length: 20 }, (_, i) => `f${i}`);
  using folder = folderOf(Object.fromEntries(names.map((name) => [name, `content of ${name}`])));
  using blobs = new LocalBlobs(4);
  const open = names.map((name) => blobs.open(folder.at(name)));
  for (const round of [names.keys(), [...names.keys()].toReversed()]) {
    for (const i of round) assert.equal(text(open[i]?.read(0, 100) ?? new Uint8Array()), `content of f${i}`);
  }
});

test("no more files are open than allowed, and none afterwards", { skip: process.platform !== "linux" }, () => {
  const names = Array.from({ length: 30 }, (_, i) => `f${i}`);
  using folder = folderOf(Object.fromEntries(names.map((name) => [name, name])));
  const before = countOpen();
  {
    using blobs = new LocalBlobs(5);
    const open = names.map((name) => blobs.open(folder.at(name)));
    for (const blob of [...open, ...open]) blob.read(0, 1);
    assert.ok(countOpen() - before <= 5, `${countOpen() - before} files are open`);
  }
  assert.equal(countOpen(), before);
});

test("a file replaced while it was closed is not read as what it was", () => {
  using folder = folderOf({ a: "first", b: "other" });
  using blobs = new LocalBlobs(1);
  const file = blobs.open(folder.at("a"));
  blobs.open(folder.at("b"));
  writeFileSync(folder.at("new"), "second, longer");
  renameSync(folder.at("new"), folder.at("a"));
  assert.throws(() => file.read(0, 5), /not in the store any more/);
  assert.equal(text(blobs.open(folder.at("a")).read(0, 6)), "second");
});
