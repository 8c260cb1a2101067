import assert from "node:assert/strict";
import { test } from "node:test";
import type { PixelRect } from "../block.ts";
import { opticalBands, planeOf } from "../optical/optical-block.ts";
import { hash, opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { pathRadianceOf, waterIndices } from "./path-radiance.ts";

const SIZE = 100;
const rect: PixelRect = { column: 0, row: 0, columns: SIZE, rows: SIZE };
const parameters = opticalTestParameters(SIZE, SIZE);
/** What clear air adds to blue, green and red. */
const AIR = [0.07, 0.03, 0.012, 0, 0, 0];

const country: Painter = (x, y) => {
  if (y === 0) return null;
  if (x < 10) return SPECTRA.shadow;
  return x < 50 ? SPECTRA.forest : SPECTRA.field;
};
const hazy: Painter = (x, y) => country(x, y)?.map((value, band) => value + AIR[band]) ?? null;
const desert: Painter = (x, y) => [0.2, 0.3, 0.4, 0.45, 0.5, 0.45].map((value) => value * (0.9 + 0.2 * hash(x, y, 1)));

function bandsOf(paint: Painter) {
  return opticalBands(paintedBlock(rect, 0, [SIZE, SIZE], paint, parameters), 0, parameters, 0);
}

test("the light of the air is found by dark ground, and indices are the same with and without it", () => {
  const clear = bandsOf(country);
  const above = bandsOf(hazy);
  const none = pathRadianceOf(clear, parameters);
  const air = pathRadianceOf(above, parameters);
  assert.ok(none.green < 20 && none.red < 70, JSON.stringify(none));
  assert.ok(Math.abs(air.green - none.green - 300) < 15, JSON.stringify(air));
  const given = planeOf(above, "G").slice();
  const [one, other] = [waterIndices(clear, none), waterIndices(above, air)];
  for (let i = SIZE; i < SIZE * SIZE; i++) assert.ok(Math.abs(one.ndwi[i] - other.ndwi[i]) < 600, `${i}`);
  assert.deepEqual(planeOf(above, "G"), given);
  assert.deepEqual(other.ndwi.subarray(0, SIZE), one.ndwi.subarray(0, SIZE));
});

test("a desert loses no more than clear air adds, and pictures without calibration lose nothing", () => {
  assert.deepEqual(pathRadianceOf(bandsOf(desert), parameters), { green: 350, red: 175 });
  assert.deepEqual(pathRadianceOf(bandsOf(desert), { scale: 2 }), { green: 0, red: 0 });
});
