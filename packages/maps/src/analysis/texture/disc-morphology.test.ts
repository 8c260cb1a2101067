import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { dilatedByDisc, erodedByDisc } from "./disc-morphology.ts";

const PLANE = fc
  .record({ columns: fc.integer({ min: 1, max: 12 }), rows: fc.integer({ min: 1, max: 12 }) })
  .chain(({ columns, rows }) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.constant(rows),
      radius: fc.double({ min: 0, max: 5, noNaN: true }),
      mask: fc
        .array(fc.integer({ min: 0, max: 1 }), { minLength: columns * rows, maxLength: columns * rows })
        .map((values) => Uint8Array.from(values)),
    }),
  );

/** Pixels of the plane within `radius` of one of them. */
function near(at: number, columns: number, rows: number, radius: number): readonly number[] {
  const [x, y] = [at % columns, Math.floor(at / columns)];
  return Array.from({ length: columns * rows }, (_, i) => i).filter((i) => {
    const away = Math.hypot((i % columns) - x, Math.floor(i / columns) - y);
    return away <= radius;
  });
}

test("dilation and erosion by a disc agree with the distances of all pixels", () => {
  fc.assert(
    fc.property(PLANE, ({ columns, rows, mask, radius }) => {
      const around = Array.from(mask, (_, i) => near(i, columns, rows, radius));
      assert.deepEqual(
        dilatedByDisc(mask, columns, rows, radius),
        Uint8Array.from(around, (pixels) => (pixels.some((i) => mask[i] === 1) ? 1 : 0)),
      );
      assert.deepEqual(
        erodedByDisc(mask, columns, rows, radius),
        Uint8Array.from(around, (pixels) => (pixels.every((i) => mask[i] === 1) ? 1 : 0)),
      );
    }),
    { endOnFailure: true },
  );
});

test("objects smaller than a disc are gone after an opening", () => {
  const rows = ["#......", ".....#.", "....###", ".....#.", "......."];
  const mask = Uint8Array.from(rows.join(""), (one) => (one === "#" ? 1 : 0));
  assert.deepEqual(
    dilatedByDisc(erodedByDisc(mask, 7, 5, 1), 7, 5, 1),
    mask.map((value, i) => (i === 0 ? 0 : value)),
  );
});
