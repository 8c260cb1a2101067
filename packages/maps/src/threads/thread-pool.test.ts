import assert from "node:assert/strict";
import { test } from "node:test";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { forShare } from "@swath/base/concurrency/current-share";
import type { GridFile, GridRequest } from "../render/grid-renderer.ts";
import { createBlockCacheMemory } from "@swath/raster/cog/block-cache";
import { StarvedError, ThreadPool } from "./thread-pool.ts";

/**
 * A thread that dies of requests for "die" and never answers "hang". It answers "late" when that is given up, and others
 * with the number of its thread.
 */
const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from "node:worker_threads";
    const late = new Set();
    parentPort.on("message", ({ kind, id, request }) => {
      const mapId = request?.mapId;
      if (mapId === "late") late.add(id);
      if (mapId === "late" || mapId === "hang" || (kind !== "render" && !late.has(id))) return;
      if (mapId === "die") process.exit(3);
      parentPort.postMessage({ kind: "rendered", id, file: { kind: "file", mediaType: String(threadId), body: new Uint8Array() } });
    });
  `)}`,
);

function poolOf(threads: number, maxQueued = 100): ThreadPool {
  const data = { cache: createBlockCacheMemory(2 ** 20), s3: null, isBackground: false };
  const blobs = {} as BlobStore;
  return new ThreadPool({ threads, entry: ENTRY, data, blobs, maxQueued }, true);
}

const request = (mapId: string): GridRequest => ({ mapId }) as GridRequest;
const never = new AbortController().signal;

async function threadOf(pool: ThreadPool, affinity: number): Promise<string> {
  const file = await pool.run(request("ok"), {}, { affinity }, never);
  return file.kind === "file" ? file.mediaType : file.kind;
}

test("a thread that dies takes its own job with it, and the next job gets a new thread", async () => {
  await using pool = poolOf(1);
  const before = await threadOf(pool, 0);
  const lost = pool.run(request("die"), {}, { affinity: 0 }, never);
  const waiting = threadOf(pool, 0);
  await assert.rejects(lost, /ended unexpectedly/);
  assert.notEqual(await waiting, before);
});

test("jobs of one affinity share a thread; when it is busy and others wait for it, another thread helps", async () => {
  await using pool = poolOf(2);
  const [home, other] = await Promise.all([threadOf(pool, 4), threadOf(pool, 5)]);
  assert.notEqual(other, home);
  assert.equal(await threadOf(pool, 6), home);
  assert.equal(await threadOf(pool, 7), other);
  const aborted = new AbortController();
  const busy = pool.run(request("hang"), {}, { affinity: 4 }, aborted.signal);
  // The first in line waits for its thread, the second does not.
  const first = pool.run(request("hang"), {}, { affinity: 4 }, aborted.signal);
  assert.notEqual(await threadOf(pool, 4), home);
  aborted.abort(new Error("enough"));
  await assert.rejects(busy, /enough/);
  await assert.rejects(first, /enough/);
});

test("a thread is started when those that run are busy, and the first one before any job where asked for", async () => {
  await using pool = poolOf(2);
  pool.prepare();
  const home = await threadOf(pool, 4);
  assert.equal(await threadOf(pool, 5), home);
  const aborted = new AbortController();
  const busy = pool.run(request("hang"), {}, { affinity: 4 }, aborted.signal);
  assert.notEqual(await threadOf(pool, 5), home);
  aborted.abort(new Error("enough"));
  await assert.rejects(busy, /enough/);
});

test("shares take turns: a file waits for one of another share, not for all that came before", async () => {
  await using pool = poolOf(1);
  const order: string[] = [];
  const draw = async (share: string): Promise<void> => {
    await forShare(share, () => threadOf(pool, 0));
    order.push(share);
  };
  await Promise.all([...Array<string>(5).fill("crowd"), "quiet", "quiet"].map(draw));
  assert.deepEqual(order, ["crowd", "quiet", "crowd", "quiet", "crowd", "crowd", "crowd"]);
});

test("while several shares are here none has all threads", async () => {
  await using pool = poolOf(2);
  const gone = new AbortController();
  await Promise.all([threadOf(pool, 0), threadOf(pool, 1)]);
  await forShare("quiet", () => threadOf(pool, 0));
  const crowd = [0, 1, 0, 1].map(async (affinity) =>
    forShare("crowd", () => pool.run(request("hang"), {}, { affinity }, gone.signal).catch(String)),
  );
  // Also where the crowd has the thread that its files prefer.
  for (const affinity of [0, 1, 0]) await forShare("quiet", () => threadOf(pool, affinity));
  gone.abort();
  await Promise.all(crowd);
});

test("a full queue makes room for a share that has less: the largest one loses its latest file", async () => {
  await using pool = poolOf(1, 3);
  const gone = new AbortController();
  const ends: string[] = [];
  const hang = async (share: string, name: string): Promise<unknown> =>
    forShare(share, () => pool.run(request("hang"), {}, { affinity: 0 }, gone.signal)).catch((error: Error) =>
      ends.push(`${name}: ${error.message}`),
    );
  const all = ["runs", "first", "second", "third"].map((name) => hang("crowd", name));
  await hang("crowd", "fourth");
  assert.deepEqual(ends, ["fourth: 3 files are waiting to be drawn, try again later"]);
  all.push(hang("quiet", "quiet"));
  await all[3];
  assert.equal(ends.at(-1), "third: 3 files are waiting to be drawn, try again later");
  assert.equal(ends.length, 2);
  gone.abort(new Error("enough"));
  await Promise.all(all);
  assert.equal(ends.length, 6);
});

test("a job whose thread gets no processor is given up where that is asked for", async () => {
  await using pool = poolOf(2);
  const gone = new AbortController();
  const patient = pool.run(request("hang"), {}, { affinity: 0 }, gone.signal).catch(String);
  await assert.rejects(pool.run(request("hang"), {}, { affinity: 1, isImpatient: true }, never), StarvedError);
  assert.equal(await Promise.race([patient, Promise.resolve("runs")]), "runs");
  gone.abort(new Error("enough"));
  assert.equal(await patient, "Error: enough");
});

test("while a thread starves no impatient job waits for it, and others do", async () => {
  await using pool = poolOf(1);
  const gone = new AbortController();
  const run = (isImpatient: boolean): Promise<GridFile> =>
    pool.run(request("hang"), {}, { affinity: 0, isImpatient }, gone.signal);
  const [first, patient, behind] = [run(true), run(false).catch(String), run(true)];
  await Promise.all([first, behind].map((job) => assert.rejects(job, StarvedError)));
  await assert.rejects(run(true), StarvedError);
  assert.equal(await Promise.race([patient, Promise.resolve("waits")]), "waits");
  gone.abort(new Error("enough"));
  assert.equal(await patient, "Error: enough");
});

test("a thread that has ended its starved job takes impatient ones again", async () => {
  await using pool = poolOf(1);
  const impatient = { affinity: 0, isImpatient: true };
  await assert.rejects(pool.run(request("late"), {}, impatient, never), StarvedError);
  await threadOf(pool, 0);
  assert.equal((await pool.run(request("ok"), {}, impatient, never)).kind, "file");
});
