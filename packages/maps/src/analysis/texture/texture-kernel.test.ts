import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { BoxWindows } from "./box-sum.ts";
import { coherenceOf, gradientOf } from "./gradient.ts";
import {
  excessOver,
  INVALID,
  lessBy,
  meanOfThree,
  normalisedDifference,
  quantised,
  saturationOf,
} from "./int-plane.ts";

// The kernel computes eight pixels at a time: planes of every width up to three vectors are compared, pixel by pixel, with
// the definitions.

interface Planes {
  readonly columns: number;
  readonly rows: number;
  readonly planes: readonly Int16Array[];
}

const VALUE = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -200, max: 12_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -32_767, max: 32_767 }) },
  { weight: 1, arbitrary: fc.constantFrom(-32_767, 0, 32_767) },
);

/** Planes that are invalid in the same pixels. */
function planesOf(count: number): fc.Arbitrary<Planes> {
  return fc.tuple(fc.integer({ min: 1, max: 27 }), fc.integer({ min: 1, max: 9 })).chain(([columns, rows]) => {
    const size = columns * rows;
    const plane = fc.array(VALUE, { minLength: size, maxLength: size });
    const valid = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size });
    return fc.tuple(valid, ...Array.from({ length: count }, () => plane)).map(([mask, ...planes]) => ({
      columns,
      rows,
      planes: planes.map((values) => Int16Array.from(values, (value, i) => (mask[i] === 0 ? INVALID : value))),
    }));
  });
}

function nth(planes: readonly Int16Array[], index: number): Int16Array {
  const plane = planes[index];
  assert.ok(plane !== undefined);
  return plane;
}

/** Indices of the pixels of the window around a pixel, the part inside the plane. */
function windowOf(at: number, columns: number, rows: number, radius: number): readonly number[] {
  const [x, y] = [at % columns, Math.floor(at / columns)];
  const pixels: number[] = [];
  for (let row = Math.max(0, y - radius); row <= Math.min(rows - 1, y + radius); row++) {
    for (let column = Math.max(0, x - radius); column <= Math.min(columns - 1, x + radius); column++) {
      pixels.push(row * columns + column);
    }
  }
  return pixels;
}

test("ratios, means, saturation and contrast of pixels are as defined", () => {
  fc.assert(
    fc.property(planesOf(3), fc.double({ min: 0.1, max: 3, noNaN: true }), ({ planes }, over) => {
      const [a, b, c] = [nth(planes, 0), nth(planes, 1), nth(planes, 2)];
      const expected = (value: (x: number, y: number, z: number) => number): Int16Array =>
        Int16Array.from(a, (x, i) => (x === INVALID ? INVALID : value(x, b[i] ?? 0, c[i] ?? 0)));
      assert.deepEqual(
        normalisedDifference(a, b),
        expected((x, y) => {
          const ratio = x + y < 10 ? 0 : (10_000 * (x - y)) / (x + y);
          return Math.floor(Math.max(-10_000, Math.min(10_000, ratio)) + 0.5);
        }),
      );
      assert.deepEqual(
        meanOfThree(a, b, c),
        expected((x, y, z) => Math.floor((x + y + z) / 3)),
      );
      assert.deepEqual(
        saturationOf(a, b, c),
        expected((x, y, z) => {
          const greatest = Math.max(x, y, z);
          return greatest <= 0 ? 0 : Math.round((10_000 * (greatest - Math.max(0, Math.min(x, y, z)))) / greatest);
        }),
      );
      assert.deepEqual(
        excessOver(a, over, b, over / 2, 0.5),
        expected((x, y) => Math.round(Math.min(32_000, Math.max(0, x / over - (0.5 * y) / (over / 2))))),
      );
    }),
    { endOnFailure: true },
  );
});

test("values are rounded to ten-thousandths and clipped, and invalid in all bands where one is no number", () => {
  const value = fc.oneof({ weight: 9, arbitrary: fc.float({ min: -8, max: 8 }) }, fc.constant(Number.NaN));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value), { maxLength: 30 }),
      fc.double({ min: 0.0001, max: 2, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      (pixels, scale, offset) => {
        const bands = [0, 1].map((band) => Float32Array.from(pixels, (pixel) => pixel[band] ?? 0));
        const valid = Uint8Array.from(pixels, (pixel) => (pixel.some(Number.isNaN) ? 0 : 1));
        const factor = scale * 10_000;
        const planes = bands.map((band) =>
          Int16Array.from(band, (given, i) => {
            const rounded = Math.floor((given - offset) * factor + 0.5);
            return valid[i] === 0 ? INVALID : Math.max(-32_767, Math.min(32_767, rounded));
          }),
        );
        assert.deepEqual(quantised(bands, scale, offset), { planes, valid });
      },
    ),
    { endOnFailure: true },
  );
});

test("gradients are those of Sobel, and 0 beside what is invalid or outside", () => {
  fc.assert(
    fc.property(planesOf(1), ({ columns, rows, planes }) => {
      const plane = nth(planes, 0);
      const { across, down, magnitude } = gradientOf(plane, columns, rows);
      for (let i = 0; i < plane.length; i++) {
        const around = windowOf(i, columns, rows, 1);
        const isFlat = around.length < 9 || around.some((at) => plane[at] === INVALID);
        const p = (dx: number, dy: number): number => plane[i + dy * columns + dx] ?? 0;
        const x = isFlat ? 0 : (p(1, -1) + 2 * p(1, 0) + p(1, 1) - p(-1, -1) - 2 * p(-1, 0) - p(-1, 1)) / 8;
        const y = isFlat ? 0 : (p(-1, 1) + 2 * p(0, 1) + p(1, 1) - p(-1, -1) - 2 * p(0, -1) - p(1, -1)) / 8;
        const isOff = plane[i] === INVALID;
        // Math.round gives -0 where Int16Array has 0.
        assert.equal(across[i], isOff ? INVALID : Math.round(x) + 0);
        assert.equal(down[i], isOff ? INVALID : Math.round(y) + 0);
        assert.equal(magnitude[i], isOff ? INVALID : Math.min(32_767, Math.floor(Math.hypot(x, y) + 1e-9)));
      }
    }),
    { endOnFailure: true },
  );
});

test("windows have the counts, means, deviations and coherence of their valid pixels", () => {
  fc.assert(
    fc.property(planesOf(2), fc.integer({ min: 0, max: 6 }), ({ columns, rows, planes }, radius) => {
      const [plane, other] = [nth(planes, 0), nth(planes, 1)];
      const valid = Uint8Array.from(plane, (value) => (value === INVALID ? 0 : 1));
      const windows = new BoxWindows(valid, columns, rows);
      const counts = windows.counts(radius);
      const means = windows.mean(plane, radius);
      const deviations = windows.deviation(plane, radius);
      const magnitude = new Int16Array(plane.length);
      const coherence = coherenceOf({ across: plane, down: other, magnitude }, columns, rows, radius);
      for (let i = 0; i < plane.length; i++) {
        const pixels = windowOf(i, columns, rows, radius).filter((at) => valid[at] === 1);
        assert.equal(counts[i], pixels.length);
        const sumOf = (value: (at: number) => number): number => pixels.reduce((sum, at) => sum + value(at), 0);
        const x = (at: number): number => plane[at] ?? 0;
        const y = (at: number): number => other[at] ?? 0;
        const mean = sumOf(x) / pixels.length;
        const variance = sumOf((at) => x(at) ** 2) / pixels.length - mean * mean;
        const [xx, yy, xy] = [sumOf((at) => x(at) ** 2), sumOf((at) => y(at) ** 2), sumOf((at) => x(at) * y(at))];
        const whole = (xx + yy) * (xx + yy);
        const share = whole === 0 ? 0 : (10_000 * ((xx - yy) * (xx - yy) + 2 * xy * (2 * xy))) / whole;
        const expected = [Math.floor(mean), Math.floor(Math.sqrt(Math.max(0, variance))), Math.round(share)];
        assert.deepEqual(
          [means[i], deviations[i], coherence[i]],
          valid[i] === 1 ? expected : [INVALID, INVALID, INVALID],
        );
      }
    }),
    { endOnFailure: true },
  );
});

test("a call after a larger one reads nothing of it", () => {
  const large = new Int16Array(400 * 400).fill(9000);
  gradientOf(large, 400, 400);
  const plane = Int16Array.of(100, INVALID, 300);
  const windows = new BoxWindows(Uint8Array.of(1, 0, 1), 3, 1);
  assert.deepEqual([...windows.mean(plane, 2)], [200, INVALID, 200]);
});

test("planes less a value are as defined", () => {
  fc.assert(
    fc.property(planesOf(1), ({ planes }) => {
      const plane = nth(planes, 0);
      const less = Int16Array.from(plane, (value) => (value === INVALID ? INVALID : value - 35));
      assert.deepEqual(lessBy(plane, 35), less);
    }),
  );
});
