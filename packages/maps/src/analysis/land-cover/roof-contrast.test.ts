import assert from "node:assert/strict";
import { test } from "node:test";
import { INVALID } from "../texture/int-plane.ts";
import { roofContrast, SOIL_IN_BLUE, SOIL_IN_GREEN } from "./roof-contrast.ts";

const SIZE = 9;
const CLEAR = { blue: 1, red: 1 };

/** A plane of ground with one small thing in its middle. */
function planeOf(ground: number, thing: number): Int16Array {
  const plane = new Int16Array(SIZE * SIZE).fill(ground);
  plane[4 * SIZE + 4] = thing;
  return plane;
}

function inTheMiddle(blue: Int16Array, red: Int16Array, contrast = CLEAR, slope = SOIL_IN_BLUE): number {
  return roofContrast(blue, red, SIZE, SIZE, contrast, slope)[4 * SIZE + 4] ?? INVALID;
}

test("a grey roof stands out by half of what it is brighter than its yard", () => {
  assert.equal(inTheMiddle(planeOf(600, 1600), planeOf(1000, 2000)), 500);
});

test("a plot of bare soil between fields does not stand out, for soil is red", () => {
  assert.equal(inTheMiddle(planeOf(400, 800), planeOf(500, 1500)), 0);
});

test("without blue, green tells grey roofs from plots of soil", () => {
  assert.equal(inTheMiddle(planeOf(600, 1600), planeOf(1000, 2000), CLEAR, SOIL_IN_GREEN), 300);
  assert.equal(inTheMiddle(planeOf(450, 1150), planeOf(500, 1500), CLEAR, SOIL_IN_GREEN), 0);
});

test("the contrast that the air took is given back to each band", () => {
  const clear = inTheMiddle(planeOf(600, 1600), planeOf(1000, 2000));
  const throughAir = inTheMiddle(planeOf(1200, 1820), planeOf(1200, 1960), { blue: 0.62, red: 0.76 });
  assert.equal(throughAir, clear);
});

test("invalid pixels stay invalid, and the greatest contrast stays in the range of the plane", () => {
  const blue = planeOf(0, 30_000);
  blue[0] = INVALID;
  const result = roofContrast(blue, planeOf(0, 0), SIZE, SIZE, { blue: 0.62, red: 0.76 }, SOIL_IN_BLUE);
  assert.equal(result[0], INVALID);
  assert.equal(result[4 * SIZE + 4], 32_000);
});
