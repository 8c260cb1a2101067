import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { BlobNotFoundError, type BlobStore } from "./blob-store.ts";

/** A store under test that is empty, and is emptied when disposed. */
export interface StoreFixture extends AsyncDisposable {
  readonly store: BlobStore;
  /** False where the test server is known to list the right keys in another order than S3 itself. */
  readonly listsInOrder: boolean;
}

/** Declares a test on an empty store. */
type It = (sentence: string, body: (store: BlobStore, fixture: StoreFixture) => Promise<void>) => void;

/** Tests of every blob store, called by the test file of each implementation. */
export function blobStoreConformance(name: string, open: () => Promise<StoreFixture>): void {
  const it: It = (sentence, body) => {
    test(`${name}: ${sentence}`, async () => {
      await using fixture = await open();
      await body(fixture.store, fixture);
    });
  };
  testBytes(it);
  testKeys(it);
  testConcurrency(it);

  it("a list tells when the bytes were written", async (store) => {
    const beforeMs = Date.now();
    await store.put("dated", pattern(1));
    for await (const { modifiedAtMs } of store.list("dated")) {
      assert.ok(Math.abs(modifiedAtMs - beforeMs) < 60_000, `${modifiedAtMs} is far from ${beforeMs}`);
    }
  });

  it("a probe writes no blob of the store's folders", async (store) => {
    await store.probe();
    for await (const { key } of store.list("")) assert.equal(key, "probe");
  });

  it("two stores do not share keys", async (store) => {
    const key = randomUUID();
    await store.put(key, pattern(1));
    await using other = await open();
    assert.equal(await other.store.head(key), null);
  });
}

function testBytes(it: It): void {
  it("bytes put are read whole, in ranges and as a stream", async (store) => {
    const bytes = pattern(1000);
    assert.deepEqual(await store.put("scenes/a=1/B02.tif", bytes), { key: "scenes/a=1/B02.tif", sizeBytes: 1000 });
    assert.deepEqual(await store.head("scenes/a=1/B02.tif"), { key: "scenes/a=1/B02.tif", sizeBytes: 1000 });
    equalBytes(await store.read("scenes/a=1/B02.tif", 0, 1000), bytes);
    equalBytes(await store.read("scenes/a=1/B02.tif", 10, 20), bytes.subarray(10, 30));
    equalBytes(await text(await store.stream("scenes/a=1/B02.tif")), bytes);
  });

  it("a range is shorter at the end of the blob and empty beyond it", async (store) => {
    const bytes = pattern(100);
    await store.put("k", bytes);
    equalBytes(await store.read("k", 90, 50), bytes.subarray(90));
    assert.equal((await store.read("k", 100, 10)).byteLength, 0);
    assert.equal((await store.read("k", 5000, 10)).byteLength, 0);
    assert.equal((await store.read("k", 3, 0)).byteLength, 0);
  });

  it("an empty blob is a blob", async (store) => {
    await store.put("empty", new Uint8Array());
    await store.put("empty-stream", Readable.from([]));
    for (const key of ["empty", "empty-stream"]) {
      assert.deepEqual(await store.head(key), { key, sizeBytes: 0 });
      equalBytes(await text(await store.stream(key)), new Uint8Array());
    }
  });

  it("a second put replaces the first", async (store) => {
    await store.put("k", pattern(500));
    await store.put("k", new Uint8Array([7]));
    equalBytes(await store.read("k", 0, 500), new Uint8Array([7]));
  });

  it("a stream larger than one upload part arrives whole", async (store) => {
    const chunk = pattern(1_000_003);
    const chunks = Array.from({ length: 26 }, () => chunk);
    const info = await store.put("large", Readable.from(chunks));
    assert.equal(info.sizeBytes, 26 * chunk.byteLength);
    const hash = createHash("sha256");
    for await (const piece of await store.stream("large")) hash.update(piece as Uint8Array);
    assert.equal(hash.digest("hex"), createHash("sha256").update(Buffer.concat(chunks)).digest("hex"));
    // Across the border of two parts of 8 MiB.
    const at = 8 * 1024 * 1024 - 5;
    equalBytes(await store.read("large", at, 10), Buffer.concat(chunks).subarray(at, at + 10));
  });

  it("a file is moved into the store", async (store) => {
    const folder = await mkdtemp(join(tmpdir(), "swath-blobs-"));
    try {
      const path = join(folder, "scene.tif");
      await writeFile(path, pattern(9_000_000));
      assert.deepEqual(await store.putFile("moved", path), { key: "moved", sizeBytes: 9_000_000 });
      await assert.rejects(access(path));
      equalBytes(await store.read("moved", 8_999_990, 10), pattern(9_000_000).subarray(8_999_990));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("a stream that fails leaves the old bytes and no blob where there was none", async (store) => {
    await store.put("kept", new Uint8Array([1, 2, 3]));
    await assert.rejects(store.put("kept", failing()), /went away/u);
    await assert.rejects(store.put("new", failing()), /went away/u);
    equalBytes(await store.read("kept", 0, 10), new Uint8Array([1, 2, 3]));
    assert.equal(await store.head("new"), null);
    assert.deepEqual(await keys(store, ""), ["kept"]);
  });

  it("an aborted put stores nothing", async (store) => {
    const control = new AbortController();
    const body = Readable.from(
      (async function* () {
        for (let i = 0; i < 1000; i += 1) {
          if (i === 3) control.abort(new Error("stopped"));
          yield pattern(100_000);
        }
      })(),
    );
    await assert.rejects(store.put("aborted", body, { signal: control.signal }));
    assert.equal(await store.head("aborted"), null);
  });
}

function testKeys(it: It): void {
  it("an absent blob is null for head, an error for reads, nothing for delete", async (store) => {
    assert.equal(await store.head("no/such"), null);
    await assert.rejects(store.read("no/such", 0, 1), BlobNotFoundError);
    await assert.rejects(store.read("no/such", 0, 0), BlobNotFoundError);
    await assert.rejects(store.stream("no/such"), BlobNotFoundError);
    await store.delete("no/such");
  });

  it("a leading part of keys is not itself a blob", async (store) => {
    await store.put("a/b/c", pattern(3));
    assert.equal(await store.head("a/b"), null);
    await assert.rejects(store.read("a/b", 0, 1), BlobNotFoundError);
    await store.delete("a/b");
    assert.deepEqual(await keys(store, ""), ["a/b/c"]);
  });

  it("a deleted blob is gone and its neighbours stay", async (store) => {
    await store.put("s/one", pattern(1));
    await store.put("s/two", pattern(2));
    await store.delete("s/one");
    assert.equal(await store.head("s/one"), null);
    assert.deepEqual(await keys(store, "s/"), ["s/two"]);
  });

  it("a list holds every key with the prefix, in key order, whether or not it ends at a segment", async (store, fixture) => {
    const all = ["a", "b-1", "b.x/1", "b/1", "b/10", "b/2/z", "b0", "c/d"];
    for (const key of all.toReversed()) await store.put(key, pattern(key.length));
    const listed = async (prefix: string): Promise<string[]> => {
      const found = await keys(store, prefix);
      return fixture.listsInOrder ? found : found.toSorted();
    };
    assert.deepEqual(await listed(""), all);
    assert.deepEqual(await listed("b"), ["b-1", "b.x/1", "b/1", "b/10", "b/2/z", "b0"]);
    assert.deepEqual(await listed("b/"), ["b/1", "b/10", "b/2/z"]);
    assert.deepEqual(await listed("b/1"), ["b/1", "b/10"]);
    assert.deepEqual(await listed("zzz"), []);
  });

  it("other keys are refused before anything is touched", async (store) => {
    const bad = ["", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a b", "ä", "a\\b", "a\0b", "x".repeat(513)];
    for (const key of bad) {
      await assert.rejects(async () => store.put(key, pattern(1)), RangeError, JSON.stringify(key));
      await assert.rejects(async () => store.head(key), RangeError, JSON.stringify(key));
      await assert.rejects(async () => store.read(key, 0, 1), RangeError, JSON.stringify(key));
      await assert.rejects(async () => store.delete(key), RangeError, JSON.stringify(key));
      assert.throws(() => store.localPath(key), RangeError, JSON.stringify(key));
    }
    await assert.rejects(keys(store, "../"), RangeError);
    const long = `${"x".repeat(200)}/${"y".repeat(200)}/${"z".repeat(110)}`;
    await store.put(long, pattern(1));
    assert.deepEqual(await keys(store, ""), [long]);
  });
}

function testConcurrency(it: It): void {
  it("concurrent puts of one key leave one of them, whole", async (store) => {
    const bodies = Array.from({ length: 8 }, (_, i) => new Uint8Array(50_000).fill(i));
    await Promise.all(bodies.map((body) => store.put("race", body)));
    const found = await store.read("race", 0, 50_000);
    assert.equal(found.byteLength, 50_000);
    assert.equal(new Set(found).size, 1);
  });

  it("puts and deletes under one folder do not disturb each other", async (store) => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        await store.put(`busy/${i}/x`, pattern(10));
        await store.delete(`busy/${i}/x`);
        await store.put(`busy/deep/${i}`, pattern(10));
      }),
    );
    assert.equal((await keys(store, "busy/")).length, 20);
  });
}

function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) bytes[i] = (i * 31 + (i >> 8)) & 255;
  return bytes;
}

function failing(): Readable {
  return Readable.from(
    (async function* () {
      yield pattern(100_000);
      throw new Error("the client went away");
    })(),
  );
}

function equalBytes(got: Uint8Array, expected: Uint8Array): void {
  assert.equal(got.byteLength, expected.byteLength);
  assert.equal(Buffer.compare(got, expected), 0);
}

async function text(stream: Readable): Promise<Uint8Array> {
  return Buffer.concat(await stream.toArray());
}

async function keys(store: BlobStore, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) found.push(key);
  return found;
}
