import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { LinearRing } from "@swath/kernel/geometry/geojson";
import { packPolygons } from "@swath/kernel/geometry/packed-polygons";
import { forShare } from "@swath/base/concurrency/current-share";
import { endThreads, geometryThreads, runInThread, type GeometryThreads } from "./geometry-threads.ts";
import { spikes } from "./hostile-areas-testing.ts";

function star(vertices: number, lon: number): LinearRing {
  return spikes(vertices, [lon, 50], [1, 0.02]);
}

/** An overlay for a share; a thousand vertices take most of a second. */
async function overlay(pool: GeometryThreads, share: string, vertices: number, signal?: AbortSignal): Promise<string> {
  const input = { a: packPolygons([[star(vertices, 10)]]), b: packPolygons([[star(vertices, 10.01)]]) };
  await forShare(share, () => runInThread(pool, "intersection", input, signal));
  return share;
}

function stoppable(pool: GeometryThreads): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => endThreads(pool) };
}

function refused(expected: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === expected && error.retryAfterS !== null;
}

test("a caller that fills its places is refused, another one comes next", async () => {
  const pool = geometryThreads({ threads: 1, maxWaitingOfShare: 3, timeoutMs: 60_000 });
  await using _ = stoppable(pool);
  const order: string[] = [];
  const ends = (share: string): number => order.push(share);
  const many = Array.from({ length: 4 }, () => overlay(pool, "busy", 200).then(ends));
  await assert.rejects(overlay(pool, "busy", 4), refused("TOO-MANY-REQUESTS"));
  const quiet = overlay(pool, "quiet", 4).then(ends);
  await Promise.all([...many, quiet]);
  assert.deepEqual(order, ["busy", "quiet", "busy", "busy", "busy"]);
});

test("a caller leaves one of several threads to others", async () => {
  const pool = geometryThreads({ threads: 2, timeoutMs: 60_000 });
  await using _ = stoppable(pool);
  const gone = new AbortController();
  const slow = [1, 2, 3].map(() => overlay(pool, "busy", 9000, gone.signal));
  assert.equal(await Promise.race([...slow, overlay(pool, "quiet", 100)]), "quiet");
  const running = [...pool.started].filter(({ job }) => job?.share === "busy");
  assert.deepEqual([running.length, pool.waiting.sizeOf("busy")], [1, 2]);
  gone.abort(new Error("gone"));
  for (const one of slow) await assert.rejects(one, /gone/);
  assert.equal(pool.waiting.size, 0);
  assert.equal(await overlay(pool, "busy", 4), "busy", "its place is free again");
});

test("a caller leaves half of the time of a single thread to others", async () => {
  const pool = geometryThreads({ threads: 1, timeoutMs: 60_000 });
  await using _ = stoppable(pool);
  await overlay(pool, "busy", 600);
  const restEndMs = pool.resting.get("busy")!;
  const order: string[] = [];
  const next = overlay(pool, "busy", 4).then((share) => order.push(share));
  order.push(await overlay(pool, "quiet", 4));
  await next;
  assert.deepEqual(order, ["quiet", "busy"]);
  assert.ok(performance.now() >= restEndMs, "it rests as long as it took");
});

test("a task whose thread gets no processor is computed in the foreground, and the next in the background again", async () => {
  const pool = geometryThreads({ threads: 1, timeoutMs: 60_000 });
  await using _ = stoppable(pool);
  await overlay(pool, "first", 4);
  const [background] = pool.started;
  assert.ok(background !== undefined);
  // Like a thread without a processor, one that works for somebody else begins no task.
  const [a, b] = [10, 10.01].map((lon) => packPolygons([[star(9000, lon)]]));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  background.worker.postMessage({ kind: "intersection", input: { a, b } });
  await once(background.worker, "message");
  assert.equal(await overlay(pool, "quiet", 100), "quiet");
  assert.equal(pool.started.has(background), false);
  await overlay(pool, "quiet", 4);
  assert.deepEqual(
    [...pool.started].map(({ isForeground }) => isForeground),
    [false],
  );
});

test("when all places are taken the caller with the most gives up its latest", async () => {
  const pool = geometryThreads({ threads: 1, maxWaiting: 3, timeoutMs: 60_000 });
  await using _ = stoppable(pool);
  const [first, second, third, latest] = [1, 2, 3, 4].map(() => overlay(pool, "busy", 100));
  const quiet = overlay(pool, "quiet", 4);
  await assert.rejects(latest!, refused("SERVICE-UNAVAILABLE"));
  await assert.rejects(overlay(pool, "busy", 4), refused("SERVICE-UNAVAILABLE"));
  assert.deepEqual(await Promise.all([first, second, third, quiet]), ["busy", "busy", "busy", "quiet"]);
});
