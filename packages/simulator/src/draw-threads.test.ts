import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { forShare } from "@swath/base/concurrency/current-share";
import { drawPool, endPool, runInPool } from "./draw-pool.ts";
import { createDrawThreads } from "./draw-threads.ts";
import { sampleScene } from "./sample-scene.ts";
import { drawRows } from "./world/render.ts";

const model = sampleScene({ seed: 17, widthPx: 1500, heightPx: 400, resolutionM: 10 });
const idle = new AbortController().signal;

test("threads draw the pixels that one drawing gives, band by band", async () => {
  await using threads = createDrawThreads(2);
  const window = { column: 300, row: 100, columns: 1100, rows: 40 };
  const [blue, nir] = await threads.rows(model, [0, 3], window, idle);
  for (const [index, pixels] of [
    [0, blue],
    [3, nir],
  ] as const) {
    const { column, row, columns, rows } = window;
    assert.deepEqual(Uint16Array.from(pixels ?? []), drawRows(model, index, column, row, columns, rows));
  }
  const picture = await threads.picture(model, 128, idle);
  assert.deepEqual([picture.widthPx, picture.heightPx, picture.data.length], [128, 34, 128 * 34 * 4]);
});

test("a window that leaves the scene fails by itself, and the threads go on", async () => {
  await using threads = createDrawThreads(1);
  const outside = { column: 1400, row: 0, columns: 200, rows: 10 };
  await assert.rejects(threads.rows(model, [0], outside, idle), /leaves the band/);
  await assert.rejects(threads.rows(model, [9], { ...outside, column: 0 }, idle), RangeError);
  const [pixels] = await threads.rows(model, [0], { ...outside, column: 1200 }, idle);
  assert.equal(pixels?.length, 2000);
});

test("who leaves is told so at once, others are served, and the end ends what waits", async () => {
  const threads = createDrawThreads(1);
  const leaving = new AbortController();
  const whole = { column: 0, row: 0, columns: 1500, rows: 256 };
  const left = threads.rows(model, [0], whole, leaving.signal);
  const stays = threads.rows(model, [1], { ...whole, rows: 8 }, idle);
  leaving.abort(new Error("left"));
  await assert.rejects(left, /left/);
  assert.equal((await stays)[0]?.length, 12_000);
  const cut = threads.rows(model, [2], whole, idle);
  const refused = assert.rejects(cut, /ended/);
  await threads[Symbol.asyncDispose]();
  await refused;
  await assert.rejects(threads.rows(model, [0], whole, idle), /after the end/);
});

test("a thread that has nothing to draw ends with what it keeps, and the next drawing starts another", async () => {
  const pool = drawPool(1, 5);
  for (const _ of [1, 2]) {
    await runInPool(pool, model, { kind: "picture", longestSidePx: 16 }, idle);
    const [thread] = pool.started;
    assert.ok(thread);
    await once(thread.worker, "exit");
    assert.equal(pool.started.size, 0);
  }
  await endPool(pool);
});

test("shares of callers take turns: a picture waits for one of another caller, not for all before it", async () => {
  const pool = drawPool(1);
  const order: string[] = [];
  const draw = async (share: string): Promise<void> => {
    await forShare(share, () => runInPool(pool, model, { kind: "picture", longestSidePx: 16 }, idle));
    order.push(share);
  };
  await Promise.all(["crowd", "crowd", "crowd", "quiet"].map(draw));
  assert.deepEqual(order, ["crowd", "quiet", "crowd", "crowd"]);
  await endPool(pool);
});
