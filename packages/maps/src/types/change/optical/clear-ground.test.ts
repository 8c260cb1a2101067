import assert from "node:assert/strict";
import { test } from "node:test";
import type { PixelRect } from "../../../analysis/block.ts";
import {
  hash,
  opticalTestParameters,
  paintedBlock,
  ROLES,
  SPECTRA,
  type Painter,
} from "../../../analysis/optical/testing.ts";
import { UNCHANGED } from "../change-classes.ts";
import { change, CHANGE_MARGIN_PX, type ChangeParameters } from "../change.ts";

const SIZE = 300;
const size = [SIZE, SIZE] as const;
const whole: PixelRect = { column: 0, row: 0, columns: SIZE, rows: SIZE };
const sunny = opticalTestParameters(SIZE, SIZE, {
  gsdM: 40,
  sunAzimuthDeg: 135,
  sunElevationDeg: 45,
  sunSource: "scene",
});

/** Fields and forests in squares, a field that was cut at the second date. */
const ground =
  (date: 0 | 1): Painter =>
  (x, y) => {
    if (date === 1 && x >= 240 && x < 270 && y >= 240 && y < 270) return SPECTRA.street;
    return hash(Math.floor(x / 17), Math.floor(y / 13), 0) < 0.5 ? SPECTRA.forest : SPECTRA.field;
  };
/** Clouds of the second date, and their shadows 50 pixels to the north-west: tops of 2 km, the sun in the south-east. */
const isCloud = (x: number, y: number): boolean => Math.hypot(x - 150, y - 170) < 22;
const isShadow = (x: number, y: number): boolean => Math.hypot(x - 115, y - 135) < 22 && !isCloud(x, y);
const cloudy: Painter = (x, y) => {
  if (isCloud(x, y)) return SPECTRA.cloud;
  return isShadow(x, y) ? SPECTRA.shadow : ground(1)(x, y);
};
const parameters: ChangeParameters = {
  method: "irmad",
  roles: ["B", "G", "R", "N"],
  calibrated: true,
  alpha: 1e-3,
  green: 1,
  red: 2,
  nir: 3,
  clouds: [
    { ...sunny, roles: ROLES },
    { ...sunny, roles: ROLES },
  ],
};
const scenes = [ground(0), cloudy];
const model = change.survey!(
  { overview: paintedBlock(whole, 0, size, scenes, sunny), windows: [paintedBlock(whole, 0, size, scenes, sunny)] },
  parameters,
);

function classesOf(core: PixelRect): Uint8Array {
  const block = paintedBlock(core, CHANGE_MARGIN_PX, size, scenes, sunny);
  const plane = change.compute(block, model, parameters).layers[1];
  assert.ok(plane instanceof Uint8Array);
  const result = new Uint8Array(core.columns * core.rows);
  for (let row = 0; row < core.rows; row++) {
    const start = (row + CHANGE_MARGIN_PX) * block.rect.columns + CHANGE_MARGIN_PX;
    result.set(plane.subarray(start, start + core.columns), row * core.columns);
  }
  return result;
}

const classes = classesOf(whole);

test("clouds and their shadows are no data, and what changed beside them is found", () => {
  let [covered, changedUnder, changed, alarms] = [0, 0, 0, 0];
  for (const [i, value] of classes.entries()) {
    const [x, y] = [i % SIZE, Math.floor(i / SIZE)];
    if (isCloud(x, y) || isShadow(x, y)) {
      covered++;
      changedUnder += value > UNCHANGED ? 1 : 0;
    } else if (value > UNCHANGED) {
      if (x >= 240 && x < 270 && y >= 240 && y < 270) changed++;
      else alarms++;
    }
  }
  assert.equal(classes[170 * SIZE + 150], 0);
  assert.equal(classes[135 * SIZE + 115], 0);
  assert.ok(changedUnder < 0.02 * covered, `${changedUnder} of ${covered} pixels under clouds and shadows are changes`);
  assert.ok(changed > 850, `${changed} of 900`);
  assert.ok(alarms < 1e-3 * classes.length, `${alarms}`);
});

test("without masks the same clouds and shadows are changes", () => {
  const { clouds: _, ...unmasked } = parameters as ChangeParameters & { readonly clouds?: unknown };
  const block = paintedBlock(
    whole,
    0,
    size,
    scenes.map((paint) => paint),
    { ...sunny, roles: ["B", "G", "R", "N"] },
  );
  const learnt = change.survey!({ overview: block, windows: [block] }, unmasked);
  const plane = change.compute(block, learnt, unmasked).layers[1];
  assert.ok(plane[170 * SIZE + 150] > UNCHANGED);
});

test("masks are the same whichever block they are computed in", () => {
  for (const core of [
    { column: 100, row: 100, columns: 60, rows: 60 },
    { column: 140, row: 120, columns: 40, rows: 80 },
  ]) {
    const part = classesOf(core);
    for (let row = 0; row < core.rows; row++) {
      const start = (core.row + row) * SIZE + core.column;
      assert.deepEqual(
        part.slice(row * core.columns, (row + 1) * core.columns),
        classes.slice(start, start + core.columns),
        `row ${core.row + row}`,
      );
    }
  }
});

test("the share of clouds of each date is described", () => {
  const [first, second] = change.describe!(model)["cloudShares"] as readonly number[];
  assert.equal(first, 0);
  // The disc of 22 pixels is 1.7 % of the scene.
  assert.ok(second > 0.014 && second < 0.022, `${second}`);
});
