import assert from "node:assert/strict";
import { test } from "node:test";
import { ringBounds } from "./ring-bounds.ts";

test("the box of rings holds the positions of all of them", () => {
  const rings = [
    [
      [1, 2],
      [3, -4],
    ],
    [[-5, 0.5]],
  ] as const;
  assert.deepEqual(ringBounds(rings), [-5, -4, 3, 2]);
  assert.deepEqual(ringBounds([]), [Infinity, Infinity, -Infinity, -Infinity]);
});
