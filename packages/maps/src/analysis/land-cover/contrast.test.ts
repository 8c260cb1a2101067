import assert from "node:assert/strict";
import { test } from "node:test";
import { opticalBands } from "../optical/optical-block.ts";
import { opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { contrastOf } from "./contrast.ts";

const SIZE = 20;
const parameters = opticalTestParameters(SIZE, SIZE);
const STRETCHED = { scale: 0.4 / 255 };
const dark: Painter = () => SPECTRA.water;
const empty: Painter = () => null;
const bright: Painter = (x) => (x === 0 ? null : SPECTRA.roof);

function bandsOf(paint: Painter) {
  const rect = { column: 0, row: 0, columns: SIZE, rows: SIZE };
  return opticalBands(paintedBlock(rect, 0, [SIZE, SIZE], paint, parameters), 0, parameters, 0);
}

function under(airInBlue: number): Painter {
  return (x, y) => (x === y ? SPECTRA.forest : SPECTRA.field).map((value, i) => (i === 0 ? value + airInBlue : value));
}

test("stretched pictures have as much more contrast as they are brighter than land", () => {
  // A roof is 0.25, 0.26 and 0.27 bright, land about 0.1.
  const { blue, red } = contrastOf(bandsOf(bright), STRETCHED);
  assert.ok(Math.abs(blue - 2.6) < 0.01, `${blue}`);
  assert.equal(red, blue);
  for (const paint of [dark, empty]) assert.deepEqual(contrastOf(bandsOf(paint), STRETCHED), { blue: 1, red: 1 });
});

test("surface reflectance has its full contrast", () => {
  assert.deepEqual(contrastOf(bandsOf(under(0)), { scale: 1 }), { blue: 1, red: 1 });
});

test("the more the air adds to the darkest ground in blue the less contrast it leaves, blue before red", () => {
  const half = contrastOf(bandsOf(under(0.035)), { scale: 1 });
  assert.ok(Math.abs(half.blue - 0.81) < 0.02 && Math.abs(half.red - 0.88) < 0.02, JSON.stringify(half));
  const full = contrastOf(bandsOf(under(0.2)), { scale: 1 });
  assert.deepEqual(full, { blue: 0.62, red: 0.76 });
});
