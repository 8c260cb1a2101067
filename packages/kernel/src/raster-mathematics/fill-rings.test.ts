import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fillRings, type PixelRing } from "./fill-rings.ts";

const square = (from: number, to: number): PixelRing => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
];

test("a square fills exactly its pixels and a square inside it is a hole", () => {
  const filled = fillRings([square(1, 7), square(3, 5)], 8, 8);
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const inside = column >= 1 && column < 7 && row >= 1 && row < 7;
      const hole = column >= 3 && column < 5 && row >= 3 && row < 5;
      assert.equal(filled[row * 8 + column], inside && !hole ? 1 : 0, `${column}, ${row}`);
    }
  }
});

test("two triangles that share an edge leave no gap and count no pixel twice", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 9.9, noNaN: true }),
      fc.double({ min: 0.1, max: 9.9, noNaN: true }),
      (x, y) => {
        const corners = [
          [0, 0],
          [10, 0],
          [10, 10],
          [0, 10],
        ] as const;
        const parts = corners.map((corner, i) => fillRings([[corner, corners[(i + 1) % 4], [x, y]]], 10, 10));
        for (let i = 0; i < 100; i++)
          assert.equal(
            parts.reduce((sum, part) => sum + part[i], 0),
            1,
            `pixel ${i}`,
          );
      },
    ),
  );
});

test("outlines that reach beyond the image fill the part inside", () => {
  assert.deepEqual([...fillRings([square(-100, 100)], 3, 2)], [1, 1, 1, 1, 1, 1]);
});
