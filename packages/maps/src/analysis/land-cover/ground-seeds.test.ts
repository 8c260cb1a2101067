import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { OpticalBands } from "../optical/optical-block.ts";
import { BoxWindows } from "../texture/box-sum.ts";
import { normalisedDifference } from "../texture/int-plane.ts";
import { GROUND_BARE, GROUND_CROPS_OR_GRASS, GROUND_TREES } from "./ground-classes.ts";
import { groundSeeds } from "./ground-seeds.ts";

const SIDE = 9;
const MIDDLE = 4 * SIDE + 4;

/** The seed in the middle of even ground, or of crowns whose near infrared alternates by a tenth. */
function seedOf(reflectance: Readonly<Partial<Record<BandRole, number>>>, isRough: boolean): number {
  const valid = new Uint8Array(SIDE * SIDE).fill(1);
  const planes: Partial<Record<BandRole, Int16Array>> = {};
  for (const [role, value] of Object.entries(reflectance)) {
    planes[role as BandRole] = Int16Array.from({ length: SIDE * SIDE }, (_, i) => {
      const crown = isRough && role === "N" ? 1 + 0.1 * ((i % 4) - 1.5) : 1;
      return Math.round(value * 10_000 * crown);
    });
  }
  const bands: OpticalBands = { columns: SIDE, rows: SIDE, valid, planes };
  const ndvi = normalisedDifference(planes.N!, planes.R!);
  return groundSeeds(bands, { ndvi, windows: new BoxWindows(valid, SIDE, SIDE) }, valid)[MIDDLE];
}

/** Usual reflectance of covers in green, red, near infrared and shortwave infrared. */
const SPECTRA = [
  ["broadleaved forest", { G: 0.04, R: 0.02, N: 0.36, S1: 0.16 }, true, GROUND_TREES],
  ["conifers", { G: 0.03, R: 0.02, N: 0.22, S1: 0.09 }, true, GROUND_TREES],
  ["pasture", { G: 0.08, R: 0.06, N: 0.36, S1: 0.24 }, false, GROUND_CROPS_OR_GRASS],
  ["rough pasture", { G: 0.08, R: 0.06, N: 0.36, S1: 0.24 }, true, GROUND_CROPS_OR_GRASS],
  ["cereals at their peak", { G: 0.06, R: 0.03, N: 0.5, S1: 0.17 }, false, GROUND_CROPS_OR_GRASS],
  ["an even field as dark as forest", { G: 0.04, R: 0.02, N: 0.36, S1: 0.16 }, false, GROUND_CROPS_OR_GRASS],
  ["open grass", { G: 0.09, R: 0.1, N: 0.22, S1: 0.28 }, false, GROUND_CROPS_OR_GRASS],
  ["loam", { G: 0.1, R: 0.15, N: 0.2, S1: 0.3 }, false, GROUND_BARE],
  ["sand", { G: 0.25, R: 0.32, N: 0.4, S1: 0.5 }, false, GROUND_BARE],
  ["sparse grass on loam", { G: 0.1, R: 0.14, N: 0.21, S1: 0.3 }, false, 0],
] as const;

for (const [name, reflectance, isRough, expected] of SPECTRA) {
  test(`${name} teaches ${["nothing", "", "trees", "crops or grass", "bare ground"][expected]}`, () => {
    assert.equal(seedOf(reflectance, isRough), expected);
  });
}

test("without shortwave infrared the green of canopies is darker than the green of fields", () => {
  assert.equal(seedOf({ G: 0.04, R: 0.02, N: 0.36 }, true), GROUND_TREES);
  assert.equal(seedOf({ G: 0.08, R: 0.05, N: 0.36 }, true), GROUND_CROPS_OR_GRASS);
});

test("land that is not asked for teaches nothing", () => {
  const plane = new Int16Array(SIDE * SIDE).fill(3_000);
  const bands = {
    columns: SIDE,
    rows: SIDE,
    valid: new Uint8Array(SIDE * SIDE).fill(1),
    planes: { G: plane, N: plane },
  };
  const features = { ndvi: new Int16Array(SIDE * SIDE), windows: new BoxWindows(bands.valid, SIDE, SIDE) };
  assert.deepEqual(groundSeeds(bands, features, new Uint8Array(SIDE * SIDE)), new Uint8Array(SIDE * SIDE));
});
