import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { ErrorWithHeaders } from "../../error-with-headers.ts";
import type { Caller } from "../../platform/context.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { parseContentRange } from "./content-range.ts";
import { ALICE, contextOf, ingestionBench, MALLORY } from "./testing.ts";
import type { IngestionBench } from "./testing.ts";

let bench: IngestionBench;
let now = Date.UTC(2026, 0, 1);

before(async () => {
  bench = await ingestionBench({
    clock: { now: () => new Date(now) },
    withoutWorker: true,
    maxUploadBytes: 10_000,
    quotas: { totalBytes: 500_000, groupBytes: 300_000 },
  });
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

const BYTES = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

const refusal =
  (code: string, headers: Readonly<Record<string, string>> = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, code, error.message);
    assert.deepEqual(error instanceof ErrorWithHeaders ? error.headers : {}, headers);
    return true;
  };

async function announce(size = BYTES.length): Promise<{ readonly filepath: string; readonly url: string }> {
  return bench.ingestion.requestUpload({ uploadSuffix: ".geotiff", size, filename: "scene_1" }, contextOf(ALICE));
}

async function blobOf(filepath: string): Promise<Uint8Array> {
  return bench.blobs.read(`uploads/${filepath.split("/")[0]}.geotiff`, 0, 100_000);
}

test("a file sent whole is complete and stays as it is", async () => {
  const { filepath, url } = await announce();
  assert.match(filepath, /^[0-9A-Za-z]{22}\/scene_1\.geotiff$/);
  assert.equal((await bench.put(url, BYTES, { "content-length": "1000" })).status, 200);
  assert.deepEqual(new Uint8Array(await blobOf(filepath)), BYTES);
  assert.equal((await bench.put(url, new Uint8Array(1000))).status, 200);
  assert.deepEqual(new Uint8Array(await blobOf(filepath)), BYTES);
});

test("bodies that are too long or too short are refused and leave nothing", async () => {
  for (const body of [BYTES.subarray(1), new Uint8Array(1001)]) {
    const { url } = await announce();
    const present = await bench.leftovers();
    await assert.rejects(bench.put(url, body), refusal("BAD-REQUEST"));
    await assert.rejects(bench.put(url, body, { "content-length": String(body.length) }), refusal("BAD-REQUEST"));
    assert.deepEqual(await bench.leftovers(), present);
    // The address is still good.
    assert.equal((await bench.put(url, BYTES)).status, 200);
  }
});

test("a file arrives in parts, repeated ones included, and tells what it has", async () => {
  const { filepath, url } = await announce();
  const part = (from: number, to: number) =>
    bench.put(url, BYTES.subarray(from, to), { "content-range": `bytes ${from}-${to - 1}/1000` });
  const ask = () => bench.put(url, new Uint8Array(0), { "content-range": "bytes */1000" });
  assert.deepEqual(await ask(), { status: 308, body: null, headers: {} });
  assert.deepEqual(await part(0, 400), { status: 308, body: null, headers: { Range: "bytes=0-399" } });
  await assert.rejects(part(600, 1000), refusal("CONFLICT", { Range: "bytes=0-399" }));
  assert.deepEqual(await part(0, 400), { status: 308, body: null, headers: { Range: "bytes=0-399" } });
  assert.deepEqual(await part(400, 700), { status: 308, body: null, headers: { Range: "bytes=0-699" } });
  assert.deepEqual(await ask(), { status: 308, body: null, headers: { Range: "bytes=0-699" } });
  // A part of the wrong length is taken back.
  await assert.rejects(
    bench.put(url, BYTES.subarray(700, 800), { "content-range": "bytes 700-899/1000" }),
    refusal("BAD-REQUEST"),
  );
  assert.deepEqual((await ask()).headers, { Range: "bytes=0-699" });
  assert.equal((await part(700, 1000)).status, 200);
  assert.equal((await part(700, 1000)).status, 200);
  assert.equal((await ask()).status, 200);
  assert.deepEqual(new Uint8Array(await blobOf(filepath)), BYTES);
});

test("what arrived before a connection broke is kept and the rest can follow", async () => {
  const { filepath, url } = await announce();
  const broken = Readable.from(
    (function* () {
      yield Buffer.from(BYTES.subarray(0, 300));
      throw new Error("connection reset");
    })(),
  );
  await assert.rejects(bench.put(url, broken), /connection reset/);
  const state = await bench.put(url, new Uint8Array(0), { "content-range": "bytes */1000" });
  assert.deepEqual(state.headers, { Range: "bytes=0-299" });
  assert.equal((await bench.put(url, BYTES.subarray(300), { "content-range": "bytes 300-999/1000" })).status, 200);
  assert.deepEqual(new Uint8Array(await blobOf(filepath)), BYTES);
});

test("two requests cannot write the same file at once", async () => {
  const { url } = await announce();
  const gate = Promise.withResolvers<void>();
  const slow = Readable.from(
    (async function* () {
      yield Buffer.from(BYTES.subarray(0, 10));
      await gate.promise;
      yield Buffer.from(BYTES.subarray(10));
    })(),
  );
  const first = bench.put(url, slow);
  let second: unknown = null;
  // The first request has to reach the file before the second one counts.
  for (let i = 0; i < 100_000 && second === null; i++) {
    second = await bench.put(url, new Uint8Array(0), { "content-range": "bytes */1000" }).then(
      () => null,
      (error: unknown) => error,
    );
  }
  assert.ok(refusal("CONFLICT")(second));
  gate.resolve();
  assert.equal((await first).status, 200);
});

test("only the signed address of an announced file is taken, and only for an hour", async () => {
  const { url } = await announce();
  const forged = new URL(url);
  forged.searchParams.set("expires", String(Number(forged.searchParams.get("expires")) + 3600));
  await assert.rejects(bench.put(forged.href, BYTES), refusal("NOT-AUTHORIZED"));
  const other = new URL((await announce()).url);
  forged.search = other.search;
  await assert.rejects(bench.put(forged.href, BYTES), refusal("NOT-AUTHORIZED"));
  now += 3_600_000;
  await assert.rejects(bench.put(url, BYTES), refusal("NOT-AUTHORIZED"));
});

test("uploads over the quota are refused when they are announced", async () => {
  await assert.rejects(announce(10_001), refusal("PAYLOAD-TOO-LARGE"));
});

test("unfinished and unused uploads are swept after their time", async () => {
  const open = await announce();
  await bench.put(open.url, BYTES.subarray(0, 10), { "content-range": "bytes 0-9/1000" });
  const complete = await announce();
  await bench.put(complete.url, BYTES);
  now += 2 * 3_600_000;
  await bench.ingestion.sweep();
  assert.ok((await blobOf(complete.filepath)).length === 1000);
  now += 24 * 3_600_000;
  await bench.ingestion.sweep();
  assert.deepEqual(await bench.leftovers(), []);
});

test("an upload is ingested by its owner or his group, once it is complete", async () => {
  const { filepath, url } = await announce();
  const ingest = (caller = ALICE, path = filepath, provider = "local") =>
    bench.db.transaction().execute((trx) => bench.ingestion.admit({ provider, filepath: path }, caller, trx));
  await assert.rejects(ingest(), refusal("CONFLICT"));
  await bench.put(url, BYTES);
  await ingest();
  await assert.rejects(ingest(MALLORY), refusal("NON-EXISTENT-UPLOAD"));
  await assert.rejects(ingest({ ...MALLORY, accountingGroupId: ALICE.groupId }), refusal("NON-EXISTENT-UPLOAD"));
  await ingest({ ...MALLORY, groupId: ALICE.groupId });
  await assert.rejects(ingest(ALICE, filepath.replace("scene_1", "scene_2")), refusal("NON-EXISTENT-UPLOAD"));
  await assert.rejects(ingest(ALICE, "../../etc/passwd"), refusal("NON-EXISTENT-UPLOAD"));
  await assert.rejects(ingest(ALICE, filepath, "ee"), refusal("BAD-REQUEST"));
  await assert.rejects(ingest(ALICE, filepath, "nobody"), refusal("BAD-REQUEST"));
});

test("Content-Range is read as RFC 9110 writes it", () => {
  assert.deepEqual(parseContentRange(undefined), { kind: "whole" });
  assert.deepEqual(parseContentRange("bytes 0-9/10"), { kind: "part", start: 0, end: 10, total: 10 });
  assert.deepEqual(parseContentRange("bytes */10"), { kind: "query", total: 10 });
  for (const wrong of ["bytes 5-4/10", "bytes 0-10/10", "bytes 0-9/*", "items 0-9/10", "bytes -5/10", ""]) {
    assert.equal(parseContentRange(wrong), null, wrong);
  }
});

async function hold(caller: Caller): Promise<void> {
  await bench.ingestion.requestUpload({ uploadSuffix: ".zip", size: 10_000, filename: "a" }, contextOf(caller));
}

async function forgetAll(): Promise<void> {
  now += 30 * 24 * 3_600_000;
  while ((await bench.ingestion.sweep()) > 0);
}

test("uploads of a group have a quota, those of all groups another, and room comes back with the bytes", async () => {
  const full = refusal("INSUFFICIENT-STORAGE");
  const holdAll = async (caller: Caller): Promise<number> => {
    for (let held = 0; ; held += 1) {
      try {
        await hold(caller);
      } catch (error) {
        full(error);
        return held;
      }
    }
  };
  await forgetAll();
  assert.equal(await holdAll(ALICE), 30);
  assert.equal(await holdAll(MALLORY), 20);
  await forgetAll();
  assert.equal(await holdAll(MALLORY), 30);
});
