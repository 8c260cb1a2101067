import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fillClutter, seededUniform } from "../clutter/simulate-clutter.ts";
import { cellAveragingMultiple } from "./cell-averaging.ts";
import { detectBright } from "./detect.ts";
import { inverseTexture, kThresholds, thresholdMultiple, type KThresholds } from "./k-threshold.ts";
import { ringCells, RingSums, type RingWindow } from "./ring-sums.ts";

const RING = { guardPx: 12, outerPx: 24 } as const;
const SIDE = 700;

test("detections in a wide image are those of its parts with a margin", () => {
  const [columns, rows] = [2400, 120];
  const power = new Float32Array(columns * rows);
  fillClutter(power, 4.4, 4, 0.01, seededUniform(12));
  const options = { ring: RING, thresholds: 4, greatestOf: false };
  const whole = detectBright(power, null, null, columns, options);
  // The part has both sides of column 2048, where the image is cut into stripes.
  const [left, width] = [1900, 300];
  const part = new Float32Array(width * rows);
  for (let row = 0; row < rows; row++)
    part.set(power.subarray(row * columns + left, row * columns + left + width), row * width);
  const found = detectBright(part, null, null, width, options);
  let hits = 0;
  for (let row = 0; row < rows; row++) {
    for (let c = RING.outerPx; c < width - RING.outerPx; c++) {
      assert.equal(found[row * width + c], whole[row * columns + left + c]);
      hits += found[row * width + c];
    }
  }
  assert.ok(hits > 50);
});

test("ring sums are those of the pixels counted one by one", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.integer(),
      (columns, rows, guardPx, wider, isMasked, seed) => {
        const ring = { guardPx, outerPx: guardPx + wider };
        const uniform = seededUniform(seed);
        const use = isMasked ? Uint8Array.from({ length: columns * rows }, () => (uniform() < 0.6 ? 1 : 0)) : null;
        const values = Float32Array.from({ length: columns * rows }, (_, i) => (use?.[i] === 0 ? 0 : uniform()));
        const window = new RingSums(values, use, columns, ring, true, 1);
        for (let row = 0; row < rows; row++) {
          window.reach(row + 1);
          for (let column = 0; column < columns; column++) {
            let [sum, squares, count] = [0, 0, 0];
            for (let y = 0; y < rows; y++) {
              for (let x = 0; x < columns; x++) {
                const away = Math.max(Math.abs(x - column), Math.abs(y - row));
                if (away <= guardPx || away > ring.outerPx || use?.[y * columns + x] === 0) continue;
                sum += values[y * columns + x];
                squares += values[y * columns + x] ** 2;
                count++;
              }
            }
            window.measure(row, column);
            assert.ok(Math.abs(window.sum - sum) < 1e-9);
            assert.ok(Math.abs(window.squaresAt(row, column) - squares) < 1e-9);
            assert.equal(window.count, count);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Cell averaging pixel by pixel: each against the mean of its own ring. */
function plainHits(power: Float32Array, use: Uint8Array | null, columns: number, ring: RingWindow, multiple: number) {
  const rows = power.length / columns;
  return Uint8Array.from(power, (value, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    let [sum, count] = [0, 0];
    for (let y = Math.max(0, row - ring.outerPx); y <= Math.min(rows - 1, row + ring.outerPx); y++) {
      for (let x = Math.max(0, column - ring.outerPx); x <= Math.min(columns - 1, column + ring.outerPx); x++) {
        const away = Math.max(Math.abs(x - column), Math.abs(y - row));
        if (away <= ring.guardPx || use?.[y * columns + x] === 0) continue;
        sum += power[y * columns + x];
        count++;
      }
    }
    return count >= 0.1 * ringCells(ring) && sum > 0 && value * count > multiple * sum ? 1 : 0;
  });
}

test("no detection is lost to the bound that pixels are held against together", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 70 }),
      fc.integer({ min: 20, max: 50 }),
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom("all", "masked", "negative"),
      fc.integer(),
      (columns, rows, guardPx, wider, kind, seed) => {
        const uniform = seededUniform(seed);
        const power = new Float32Array(columns * rows);
        fillClutter(power, 1, 2, 0.01, uniform);
        // A bright half, and noise that has been taken away from a dark one.
        for (let i = 0; i < power.length; i++) {
          if (i % columns > columns / 2) power[i] = 50 * power[i];
          else if (kind === "negative") power[i] = power[i] - 0.002;
        }
        const use = kind === "masked" ? Uint8Array.from(power, () => (uniform() < 0.7 ? 1 : 0)) : null;
        const ring = { guardPx, outerPx: guardPx + wider };
        const found = detectBright(power, null, use, columns, { ring, thresholds: 2.5, greatestOf: false });
        assert.deepEqual(found, plainHits(power, use, columns, ring, 2.5));
      },
    ),
    { numRuns: 60 },
  );
});

/** Alarms on simulated clutter inside the rim, with the cells they were counted over. */
function alarms(
  thresholds: KThresholds | number,
  nu: number,
  images: number,
  { looks, floor } = { looks: 4.4, floor: 0 },
): readonly [alarms: number, cells: number] {
  const uniform = seededUniform(20);
  const power = new Float32Array(SIDE * SIDE);
  let found = 0;
  for (let image = 0; image < images; image++) {
    fillClutter(power, looks, nu, 0.01, uniform);
    for (let i = 0; i < power.length; i++) power[i] += floor;
    const hits = detectBright(power, null, null, SIDE, { ring: RING, thresholds, greatestOf: false });
    for (let row = RING.outerPx; row < SIDE - RING.outerPx; row++) {
      for (let i = row * SIDE + RING.outerPx; i < (row + 1) * SIDE - RING.outerPx; i++) found += hits[i];
    }
  }
  return [found, images * (SIDE - 2 * RING.outerPx) ** 2];
}

/** The realised rate is within 10 % of the design and within 3.9 standard errors of that, 1 in 10,000 by chance. */
function assertHeld([found, cells]: readonly [number, number], pfa: number): void {
  const expected = cells * pfa;
  const slack = 3.9 * Math.sqrt(expected);
  assert.ok(found > 0.9 * expected - slack && found < 1.1 * expected + slack, `${found} alarms, expected ${expected}`);
}

test("the design false-alarm rate is held on sea with and without texture", () => {
  const pfa = 1e-3;
  const table = kThresholds(pfa, 4.4, ringCells(RING));
  for (const nu of [Infinity, 10, 4]) assertHeld(alarms(table, nu, 2), pfa);
  assertHeld(alarms(cellAveragingMultiple(pfa, 4.4, ringCells(RING)), Infinity, 2), pfa);
});

test("clutter steadier than its looks has fewer false alarms, not more", () => {
  const pfa = 1e-3;
  const table = kThresholds(pfa, 4.4, ringCells(RING));
  for (const steady of [
    { looks: 4.9, floor: 0 },
    { looks: 6, floor: 0 },
    { looks: 4.4, floor: 0.001 },
    { looks: 4.4, floor: 0.004 },
  ]) {
    const [found, cells] = alarms(table, Infinity, 1, steady);
    assert.ok(found < pfa * cells, `${JSON.stringify(steady)}: ${found} alarms in ${cells} cells`);
  }
});

test("tabulated thresholds never fall with texture and meet the distribution when the clutter is known", () => {
  const table = kThresholds(1e-5, 4.4, Infinity);
  for (let i = 1; i < table.multiples.length; i++) assert.ok(table.multiples[i] >= table.multiples[i - 1]);
  // scipy 1.17 as for the reference table, nu = 3.
  const between = thresholdMultiple(table, 1 / 3);
  assert.ok(between > thresholdMultiple(table, 1 / 4) && between < thresholdMultiple(table, 1 / 2));
  assert.equal(thresholdMultiple(table, 1e9), table.multiples.at(-1));
  for (const negative of [-0.02, -9]) assert.equal(thresholdMultiple(table, negative), table.multiples[0]);
});

test("texture is told from the first two moments", () => {
  const nu = 4;
  assert.ok(Math.abs(inverseTexture(2, 4 * (1 + 1 / 4.4) * (1 + 1 / nu), 4.4) - 1 / nu) < 1e-12);
});

test("cell averaging tends to the gamma quantile with many cells", () => {
  // scipy.stats.gamma.isf(1e-6, 4.4, scale=1/4.4) and scipy.stats.f.isf(1e-6, 8.8, 8.8 * 100).
  assert.ok(Math.abs(cellAveragingMultiple(1e-6, 4.4, 1e7) - 5.0447586) < 1e-4);
  assert.ok(cellAveragingMultiple(1e-6, 4.4, 100) > 5.1);
});

test("an edge of the clutter gives no alarms on its bright side when the brightest quarter counts", () => {
  const side = 400;
  const power = new Float32Array(side * side);
  fillClutter(power, 4.4, Infinity, 0.01, seededUniform(8));
  for (let row = 0; row < side; row++) for (let c = 200; c < side; c++) power[row * side + c] *= 8;
  const thresholds = cellAveragingMultiple(1e-5, 4.4, ringCells(RING));
  const count = (greatestOf: boolean): number =>
    detectBright(power, null, null, side, { ring: RING, thresholds, greatestOf }).reduce((sum, hit) => sum + hit, 0);
  assert.ok(count(false) > 20, "averaging alone fails at the edge");
  assert.ok(count(true) <= 4, `${count(true)} alarms`);
});

test("pixels that do not count as background do not hide a target, nor are untested ones found", () => {
  const side = 120;
  const power = new Float32Array(side * side);
  fillClutter(power, 4.4, Infinity, 0.01, seededUniform(9));
  const background = new Uint8Array(side * side).fill(1);
  for (let row = 40; row < 44; row++) {
    for (let c = 40; c < 44; c++) {
      power[row * side + c] = 500;
      background[row * side + c] = 0;
    }
  }
  const target = 60 * side + 60;
  power[target] = 0.2;
  const options = { ring: RING, thresholds: kThresholds(1e-5, 4.4, ringCells(RING)), greatestOf: true };
  const all = new Uint8Array(side * side).fill(1);
  assert.equal(detectBright(power, all, all, side, options)[target], 0);
  assert.equal(detectBright(power, all, background, side, options)[target], 1);
  all[target] = 0;
  assert.equal(detectBright(power, all, background, side, options)[target], 0);
});
