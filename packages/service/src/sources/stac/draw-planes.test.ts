import assert from "node:assert/strict";
import { test } from "node:test";
import { loopShare } from "@swath/base/concurrency/loop-share";
import { drawPlanes } from "./draw-planes.ts";

test("one plane is drawn in grey from its 2nd to its 98th percentile, invalid pixels transparent", async () => {
  const values = Float32Array.from({ length: 101 }, (_, i) => i);
  values[50] = Number.NaN;
  const data = await drawPlanes([{ widthPx: 101, heightPx: 1, values }], loopShare());
  assert.deepEqual([...data.subarray(0, 4)], [0, 0, 0, 255]);
  assert.deepEqual([...data.subarray(50 * 4, 51 * 4)], [0, 0, 0, 0]);
  assert.deepEqual([...data.subarray(400)], [255, 255, 255, 255]);
});

test("a picture of four million pixels is drawn in steps, between which others have their turn", async () => {
  const plane = { widthPx: 2000, heightPx: 2000, values: new Float32Array(4_000_000).fill(1) };
  let turns = 0;
  let isDrawing = true;
  const turn = (): void => {
    turns += 1;
    if (isDrawing) setImmediate(turn);
  };
  setImmediate(turn);
  await drawPlanes([plane, plane, plane], loopShare());
  isDrawing = false;
  // A step of 65,536 pixels takes about a millisecond, a share of the loop 8.
  assert.ok(turns >= 3, String(turns));
});
