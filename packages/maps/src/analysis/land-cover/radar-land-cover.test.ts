import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../block.ts";
import { hash } from "../optical/testing.ts";
import { NONURBAN, URBAN, WATER } from "./classes.ts";
import { RADAR_LAND_COVER_MARGIN_PX, radarLandCover } from "./radar-land-cover.ts";

const SIZE = 200;
const parameters = { hasCross: true, powerScales: [1, 1], gsdM: 10, looks: 4.4 };

/** Decibels of the co-polarised band: a lake with a ship, a town of very bright and dark spots, fields; null at the upper edge. */
function decibelsAt(x: number, y: number): number | null {
  if (x < 0 || y < 4 || x >= SIZE || y >= SIZE) return null;
  if (x > 20 && x < 40 && y > 150 && y < 154) return 5;
  if (x < 60) return -22;
  if (x > 130 && y > 110) return hash(x >> 1, y >> 1, 5) < 0.4 ? 3 : -6;
  return -11;
}

function blockAt(column: number, row: number, columns: number, rows: number): AnalysisBlock {
  const planes = [0, 1].map((band) =>
    Float32Array.from({ length: columns * rows }, (_, i) => {
      const x = column + (i % columns);
      const y = row + Math.floor(i / columns);
      const db = decibelsAt(x, y);
      if (db === null) return Number.NaN;
      let speckle = 0;
      for (let look = 0; look < 4; look++) speckle -= Math.log(1 - hash(x, y, 10 * band + look)) / 4;
      return 10 ** ((db - 6 * band) / 10) * speckle;
    }),
  );
  const rect = { column, row, columns, rows };
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 9, latDeg: 49 };
  return { rect, core: rect, scenes: [planes], land: null, ground };
}

const whole = blockAt(0, 0, SIZE, SIZE);
const model = radarLandCover.survey!({ overview: whole, windows: [whole] }, parameters);
const labels = radarLandCover.compute(whole, model, parameters).layers[0];

function share(label: number, column: number, row: number, side: number): number {
  let count = 0;
  for (let y = row; y < row + side; y++) {
    for (let x = column; x < column + side; x++) if (labels[y * SIZE + x] === label) count++;
  }
  return count / side ** 2;
}

test("lake, town and fields are told by backscatter and texture; nothing is a road", () => {
  assert.ok(share(WATER, 5, 60, 50) > 0.99);
  assert.ok(share(URBAN, 138, 118, 55) > 0.95, `${share(URBAN, 138, 118, 55)}`);
  assert.ok(share(NONURBAN, 70, 10, 55) > 0.99, `${share(NONURBAN, 70, 10, 55)}`);
  assert.ok(labels.subarray(0, 4 * SIZE).every((label) => label === 0));
  assert.deepEqual(new Set(labels), new Set([0, WATER, URBAN, NONURBAN]));
  const { roads, trees } = radarLandCover.describe!(model);
  assert.deepEqual([roads, trees], ["not available", 60]);
});

test("a ship on a lake is no settlement", () => {
  assert.ok(labels.subarray(150 * SIZE, 154 * SIZE).every((label, i) => i % SIZE > 50 || label !== URBAN));
});

test("blocks give what the whole gives", () => {
  const margin = RADAR_LAND_COVER_MARGIN_PX;
  const side = 40 + 2 * margin;
  for (const [column, row] of [
    [110, 90],
    [40, 100],
  ] as const) {
    const part = radarLandCover.compute(blockAt(column - margin, row - margin, side, side), model, parameters)
      .layers[0];
    for (let y = 0; y < 40; y++) {
      for (let x = 0; x < 40; x++) {
        assert.equal(part[(y + margin) * side + x + margin], labels[(row + y) * SIZE + column + x]);
      }
    }
  }
});

test("one polarisation is enough", () => {
  const single = { ...whole, scenes: [[whole.scenes[0][0]]] };
  const given = { ...parameters, hasCross: false };
  const learnt = radarLandCover.survey!({ overview: single, windows: [single] }, given);
  const found = radarLandCover.compute(single, learnt, given).layers[0];
  assert.deepEqual([found[100 * SIZE + 20], found[60 * SIZE + 100]], [WATER, NONURBAN]);
});
