import assert from "node:assert/strict";
import { test } from "node:test";
import { mirroredPlane } from "./mirrored-plane.ts";

test("a block beyond the borders of a scene sees its mirror image", () => {
  const rect = { column: -2, row: -1, columns: 6, rows: 4 };
  const plane = Float32Array.from({ length: 24 }, (_, i) => {
    const [column, row] = [rect.column + (i % 6), rect.row + Math.floor(i / 6)];
    return column >= 0 && column < 3 && row >= 0 && row < 2 ? 10 * row + column : Number.NaN;
  });
  assert.deepEqual(
    [...mirroredPlane(plane, rect, 3, 2)],
    [1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 11, 10, 10, 11, 12, 12, 11, 10, 10, 11, 12, 12],
  );
});

test("a block within the scene is returned as it is, and pixels without data stay so", () => {
  const plane = Float32Array.of(1, Number.NaN);
  assert.equal(mirroredPlane(plane, { column: 1, row: 1, columns: 2, rows: 1 }, 9, 9), plane);
  const [, missing] = mirroredPlane(plane, { column: 8, row: 1, columns: 2, rows: 1 }, 9, 9);
  assert.equal(missing, 1);
});
