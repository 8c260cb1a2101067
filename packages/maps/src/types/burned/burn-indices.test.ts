import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpticalBands } from "../../analysis/optical/optical-block.ts";
import { INVALID } from "../../analysis/texture/int-plane.ts";
import { burnedAreaIndex, relativeBurnRatio } from "./burn-indices.ts";
import { grownRegions } from "./grow-regions.ts";

/** Reflectance of R, RE2, RE3, N2 and S2 with BAIS2 by numpy from the published formula: charcoal, forest, soil, flames, shadow. */
const BAIS2 = [
  [0.05, 0.065, 0.085, 0.085, 0.2, 1.097623],
  [0.03, 0.2, 0.3, 0.35, 0.07, 0.092769],
  [0.14, 0.18, 0.2, 0.215, 0.27, 0.825277],
  [0.16, 0.17, 0.18, 0.2, 1.1, 1.439398],
  [0.02, 0.01, 0.01, 0.01, 0.08, 1.224612],
] as const;

const plane = (at: number): Int16Array => Int16Array.from([...BAIS2.map((row) => Math.round(row[at] * 1e4)), 0]);

test("BAIS2 is that of numpy, unknown where a pixel is, and absent without its bands", () => {
  const bands: OpticalBands = {
    columns: 6,
    rows: 1,
    valid: Uint8Array.of(1, 1, 1, 1, 1, 0),
    planes: { R: plane(0), RE2: plane(1), RE3: plane(2), N2: plane(3), S2: plane(4) },
  };
  const values = burnedAreaIndex(bands)!;
  for (const [i, row] of BAIS2.entries()) assert.ok(Math.abs(values[i] / 1e4 - row[5]) < 1e-4, `${values[i]}`);
  assert.equal(values[5], INVALID);
  assert.equal(burnedAreaIndex({ ...bands, planes: { R: plane(0), S2: plane(4) } }), null);
});

test("the relative burn ratio is that of numpy, with bare ground held off zero", () => {
  for (const [difference, before, expected] of [
    [0.3, 0.25, 0.6],
    [0.5, 0.64, 0.625],
    [0.1, 0.04, 0.5],
    [-0.2, 0.36, -0.333333],
    [0.3, -0.09, 1],
    [0.05, 0, 1.581139],
  ] as const) {
    assert.ok(Math.abs(relativeBurnRatio(difference, before) - expected) < 1e-6);
  }
});

/** `scipy.ndimage.binary_dilation` of two seeds in a mask of 16 columns, by steps, eight neighbours. */
const PASSABLE =
  "001111111001100011011101001001011111011010110111101010101100011010010110100000010011101111000101" +
  "011100111111011111100110010110100111111100111000101010101111111011110111011010001111110101110111";
const GROWN: Readonly<Record<number, string>> = {
  1:
    "000000000000000000011000000000000011000000000000001010000000000000000000000000000000000000000000" +
    "000000000000000000000000000000000000000000011000000000000001110000000000000010000000000000000000",
  3:
    "001111100000000011011100000000001111011000000000101010100000000000010110000000000011101000000000" +
    "000000000011010000000000010110000000000000111000000000000111111000000000011010000000000001110110",
  6:
    "001111111000000011011101000000001111011010000000101010101100000010010110100000010011101111000101" +
    "011100111111011111100110010110100111111100111000000000101111111000000011011010000000000101110111",
};
const bitsOf = (text: string): Uint8Array => Uint8Array.from(text, Number);

test("regions grow as many steps as they may, as those of scipy do", () => {
  const seeds = new Uint8Array(192);
  seeds[35] = 1;
  seeds[156] = 1;
  for (const [steps, expected] of Object.entries(GROWN)) {
    assert.deepEqual(grownRegions(seeds, bitsOf(PASSABLE), 16, Number(steps)), bitsOf(expected), `${steps} steps`);
  }
});
