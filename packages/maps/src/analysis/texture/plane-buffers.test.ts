import assert from "node:assert/strict";
import { test } from "node:test";
import { lessBy } from "./int-plane.ts";
import { PlaneBuffers } from "./plane-buffers.ts";
import { reusingPlanes } from "./texture-kernel.ts";

const PLANE = Int16Array.of(500, 600, 700);

test("memory of a use serves the next one, and what the next one does not need is given up", () => {
  const buffers = new PlaneBuffers();
  buffers.begin();
  const first = [buffers.take(64), buffers.take(64), buffers.take(128)];
  assert.equal(new Set(first).size, 3);
  buffers.end();
  buffers.begin();
  const second = buffers.take(64);
  assert.ok(first.includes(second));
  assert.notEqual(buffers.take(64), second);
  buffers.end();
  buffers.begin();
  assert.ok(!first.includes(buffers.take(128)));
  buffers.end();
});

test("planes of a block stay as they are until the next block, and those outside of blocks for ever", () => {
  const outside = lessBy(PLANE, 100);
  const sums = reusingPlanes(() => {
    const a = lessBy(PLANE, 1);
    const b = reusingPlanes(() => lessBy(PLANE, 2));
    return [...a, ...b];
  });
  assert.deepEqual(sums, [499, 599, 699, 498, 598, 698]);
  assert.throws(() =>
    reusingPlanes(() => {
      throw new RangeError("a broken block");
    }),
  );
  const after = lessBy(PLANE, 300);
  reusingPlanes(() => void lessBy(PLANE, 400));
  assert.deepEqual([...outside, ...after], [400, 500, 600, 200, 300, 400]);
});
