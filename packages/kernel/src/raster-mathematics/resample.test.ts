import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { affineLattice } from "./control-lattice.ts";
import { resample, smoothResampling, type PixelWindow, type Resampling } from "./resample.ts";

function windowOf(widthPx: number, heightPx: number, value: (column: number, row: number) => number): PixelWindow {
  const data = Float32Array.from({ length: widthPx * heightPx }, (_, i) => value(i % widthPx, Math.floor(i / widthPx)));
  return { widthPx, heightPx, data };
}

const filters: readonly Resampling[] = [
  { kind: "bilinear" },
  { kind: "triangle", scaleX: 1.6, scaleY: 1.3 },
  { kind: "triangle", scaleX: 3.5, scaleY: 2.2 },
];

test("a plane is reproduced: values are those of pixel centres", () => {
  const source = windowOf(40, 40, (column, row) => 3 * (column + 0.5) - 2 * (row + 0.5));
  fc.assert(
    fc.property(fc.double({ min: 8, max: 14, noNaN: true }), fc.double({ min: 8, max: 14, noNaN: true }), (x, y) => {
      const lattice = affineLattice(9, 7, (column, row) => [x + column * 1.1 + row * 0.2, y + row * 1.3]);
      const output = resample(source, lattice, { kind: "bilinear" });
      for (const [i, value] of output.entries()) {
        const [column, row] = [(i % 9) + 0.5, Math.floor(i / 9) + 0.5];
        const expected = 3 * (x + column * 1.1 + row * 0.2) - 2 * (y + row * 1.3);
        assert.ok(Math.abs(value - expected) < 1e-3);
      }
    }),
    { numRuns: 30 },
  );
});

test("nearest takes the pixel under the point", () => {
  const source = windowOf(12, 12, (column, row) => 100 * row + column);
  const lattice = affineLattice(3, 1, (column, row) => [4 + column, 5 + row]);
  assert.deepEqual([...resample(source, lattice, { kind: "nearest" })], [504, 505, 506]);
});

test("the nearest pixel decides validity and the valid pixels share the weight", () => {
  for (const filter of filters) {
    const source = windowOf(20, 20, (column) => (column < 10 ? Number.NaN : 7));
    const lattice = affineLattice(6, 1, (column, row) => [7 + column, 10 + row]);
    const output = resample(source, lattice, filter);
    assert.deepEqual(
      Array.from(output, (value) => Number(value.toFixed(5))),
      [Number.NaN, Number.NaN, Number.NaN, 7, 7, 7],
    );
    // Half a pixel to the left, the same pixel is still under the point.
    const shifted = resample(
      source,
      affineLattice(1, 1, (column, row) => [9.6 + column, 10 + row]),
      filter,
    );
    assert.ok(Math.abs((shifted[0] ?? 0) - 7) < 1e-6);
  }
});

test("positions outside the window and places without source are NaN", () => {
  const source = windowOf(20, 20, (column, row) => (Math.min(column, row, 19 - column, 19 - row) < 3 ? Number.NaN : 1));
  for (const filter of [...filters, { kind: "nearest" } as const]) {
    const far = affineLattice(4, 1, (column) => [-1e9 + 2e9 * column, 10]);
    assert.ok(resample(source, far, filter).every(Number.isNaN));
    assert.ok(
      resample(
        source,
        affineLattice(4, 4, () => null),
        filter,
      ).every(Number.isNaN),
    );
  }
});

test("a scale of one needs no wider filter, whole scales are taken as such", () => {
  assert.deepEqual(smoothResampling(0.4, 1.04), { kind: "bilinear" });
  assert.deepEqual(smoothResampling(1.3, 1.01), { kind: "triangle", scaleX: 1.3, scaleY: 1 });
  assert.deepEqual(smoothResampling(1.97, 7.3), { kind: "triangle", scaleX: 2, scaleY: 7.3 });
});
