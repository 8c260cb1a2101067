import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { INVALID } from "./int-plane.ts";
import { topHat } from "./top-hat.ts";

/** By the definition: of the 3 x 3 windows that hold the pixel, the one whose least pixel is greatest. */
function defined(plane: Int16Array, columns: number, rows: number, x: number, y: number): number {
  const around = (column: number, row: number): number[] => {
    const values: number[] = [];
    for (let v = Math.max(0, row - 1); v <= Math.min(rows - 1, row + 1); v++) {
      for (let u = Math.max(0, column - 1); u <= Math.min(columns - 1, column + 1); u++) values.push(v * columns + u);
    }
    return values;
  };
  const least = (at: number): number => {
    const valid = around(at % columns, Math.floor(at / columns)).filter((i) => plane[i] !== INVALID);
    return Math.min(...valid.map((i) => plane[i]));
  };
  const openings = around(x, y).map(least).filter(Number.isFinite);
  return plane[y * columns + x] - Math.max(...openings);
}

test("a top-hat is what is left of a pixel above the least of the best window that holds it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.infiniteStream(fc.oneof(fc.integer({ min: -100, max: 4000 }), fc.constant(INVALID))),
      (columns, rows, stream) => {
        const plane = Int16Array.from(stream.take(columns * rows));
        const hat = topHat(plane, columns, rows);
        for (let i = 0; i < plane.length; i++) {
          const expected =
            plane[i] === INVALID ? INVALID : defined(plane, columns, rows, i % columns, Math.floor(i / columns));
          assert.equal(hat[i], expected);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("small bright things stand out, the edge of a field does not", () => {
  const columns = 12;
  const plane = Int16Array.from({ length: columns * columns }, (_, i) => (i % columns < 6 ? 500 : 900));
  plane[3 * columns + 2] = 1500;
  const hat = topHat(plane, columns, columns);
  assert.equal(hat[3 * columns + 2], 1000);
  assert.equal(
    hat.reduce((sum, value) => sum + value, 0),
    1000,
  );
});
