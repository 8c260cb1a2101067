import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { choleskyInverse } from "../optical/cholesky-inverse.ts";
import { clusters } from "./cluster.ts";
import { measureShip } from "./measure.ts";
import { seaMask } from "../sea/sea-mask.ts";
import { nthSmallest } from "../sea/nth-smallest.ts";
import { countAround, dilated, eroded } from "../../../analysis/texture/mask-morphology.ts";

const GROUND = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };

function drawn(rows: readonly string[]): { readonly set: Uint8Array; readonly columns: number } {
  return { set: Uint8Array.from(rows.join(""), (mark) => (mark === "#" ? 1 : 0)), columns: rows[0].length };
}

test("counts around pixels are those of pixels counted one by one, and growing undoes shrinking of what is thick", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 5 }),
      fc.integer(),
      (columns, rows, reach, seed) => {
        const uniform = seededUniform(seed);
        const set = Uint8Array.from({ length: columns * rows }, () => (uniform() < 0.3 ? 1 : 0));
        const counts = countAround(set, columns, rows, reach);
        const grown = dilated(set, columns, rows, reach);
        const shrunk = eroded(grown, columns, rows, reach);
        for (let i = 0; i < set.length; i++) {
          let count = 0;
          for (let j = 0; j < set.length; j++) {
            const isNear =
              Math.abs((i % columns) - (j % columns)) <= reach &&
              Math.abs(Math.floor(i / columns) - Math.floor(j / columns)) <= reach;
            if (isNear) count += set[j];
          }
          assert.equal(counts[i], count);
          assert.equal(grown[i], count > 0 ? 1 : 0);
          assert.ok(shrunk[i] >= set[i]);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("clusters join over gaps, grow over doubtful pixels and drop what is far weaker than the peak", () => {
  const { set: certain, columns } = drawn([
    "............",
    ".##..#......",
    "............",
    "..........#.",
    "............",
  ]);
  const strength = Float32Array.from(certain, (value) => value * 10);
  const doubtful = new Uint8Array(certain.length);
  const options = { gapPx: 2, reachPx: 2, leastOfPeak: 0.01 };
  assert.deepEqual(
    clusters(certain, doubtful, strength, columns, options).map(({ members }) => [...members]),
    [[13, 14, 17], [46]],
  );
  for (const i of [18, 19, 20]) {
    doubtful[i] = 1;
    strength[i] = 3;
  }
  assert.deepEqual([...clusters(certain, doubtful, strength, columns, { ...options, gapPx: 1 })[1].members], [17, 18]);
  strength[13] = 5000;
  const [first] = clusters(certain, doubtful, strength, columns, options);
  assert.deepEqual([...first.members], [13]);
  assert.equal(first.peak, 13);
});

test("a bar is as long, wide and turned as it was drawn", () => {
  const columns = 80;
  const members: number[] = [];
  const angle = (35 * Math.PI) / 180;
  for (let row = 0; row < 80; row++) {
    for (let column = 0; column < columns; column++) {
      const [right, down] = [column + 0.5 - 40, row + 0.5 - 38];
      const along = Math.abs(right * Math.sin(angle) - down * Math.cos(angle));
      const across = Math.abs(right * Math.cos(angle) + down * Math.sin(angle));
      if (along <= 15 && across <= 3) members.push(row * columns + column);
    }
  }
  const weights = new Float32Array(columns * 80).fill(1);
  const shape = measureShip(Int32Array.from(members), weights, columns, { ...GROUND, northDeg: 7 }, 20);
  assert.ok(Math.abs(shape.lengthM - Math.sqrt(300 ** 2 - 20 ** 2)) < 4, `${shape.lengthM}`);
  assert.ok(Math.abs(shape.widthM - Math.sqrt(60 ** 2 - 20 ** 2)) < 4, `${shape.widthM}`);
  assert.ok(Math.abs(shape.headingDeg - 42) < 1, `${shape.headingDeg}`);
  assert.ok(Math.hypot(shape.centre[0] - 40, shape.centre[1] - 38) < 0.2);
  assert.ok(shape.fill > 0.9);
});

test("a single pixel has half the size of a point's image at least", () => {
  const shape = measureShip(Int32Array.of(5), new Float32Array(9).fill(1), 3, GROUND, 30);
  assert.equal(shape.lengthM, 15);
  assert.equal(shape.widthM, 15);
});

function full(triangle: Float64Array, row: number, column: number): number {
  return column > row ? 0 : triangle[(row * (row + 1)) / 2 + column];
}

test("the inverse factor whitens: it times the covariance times its transpose is one", () => {
  const covariance = Float64Array.of(4, 2, 5, -1, 0.5, 3);
  const inverse = choleskyInverse(covariance, 3)!;
  const symmetric = (row: number, column: number): number =>
    full(covariance, Math.max(row, column), Math.min(row, column));
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) sum += full(inverse, row, a) * symmetric(a, b) * full(inverse, column, b);
      }
      assert.ok(Math.abs(sum - (row === column ? 1 : 0)) < 1e-12);
    }
  }
  assert.equal(choleskyInverse(Float64Array.of(1, 2, 1), 2), null);
});

test("large bright areas are land, bars as large as ships are not", () => {
  const [columns, rows] = [300, 200];
  const unlike = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) unlike.fill(1, row * columns, row * columns + 120);
  for (let row = 90; row < 96; row++) unlike.fill(1, row * columns + 200, row * columns + 240);
  const valid = new Uint8Array(columns * rows).fill(1);
  const { sea, nearShore } = seaMask(valid, unlike, null, columns, rows, { pixelM: 10, shoreM: 100, landShows: true });
  const at = (column: number, row: number): number => row * columns + column;
  assert.equal(sea[at(60, 100)], 0);
  assert.equal(sea[at(125, 100)], 0, "water within 100 m of land");
  assert.equal(sea[at(135, 100)], 1);
  assert.equal(sea[at(220, 93)], 1);
  assert.equal(nearShore[at(150, 100)], 1);
  assert.equal(nearShore[at(290, 100)], 0);
});

test("selection gives what sorting gives", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 40 }), fc.nat(), (values, nth) => {
      const position = nth % values.length;
      const sorted = values.toSorted((a, b) => a - b);
      assert.equal(nthSmallest(Float64Array.from(values), position), sorted[position]);
    }),
  );
});
