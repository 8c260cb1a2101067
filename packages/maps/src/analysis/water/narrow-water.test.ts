import assert from "node:assert/strict";
import { test } from "node:test";
import type { PixelRect } from "../block.ts";
import { MASK_CLEAR, MASK_SHADOW } from "../cloud/cloud-model.ts";
import { opticalBands, type OpticalParameters } from "../optical/optical-block.ts";
import { hash, opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { NARROW_WATER_REACH_PX, narrowWater } from "./narrow-water.ts";
import { pathRadianceOf, waterIndices } from "./path-radiance.ts";

const SIZE = 120;
const whole: PixelRect = { column: 0, row: 0, columns: SIZE, rows: SIZE };
const parameters = opticalTestParameters(SIZE, SIZE);

function mixed(one: readonly number[], other: readonly number[], share: number): readonly number[] {
  return one.map((value, band) => share * value + (1 - share) * other[band]);
}

/** Share of a pixel that a strip around a line of slope a third covers. */
function strip(x: number, y: number, offset: number, widthPx: number): number {
  const across = Math.abs(y - offset - x / 3) / Math.hypot(1, 1 / 3);
  return Math.max(0, Math.min(1, (widthPx + 1) / 2 - across));
}

function ground(x: number, y: number): readonly number[] {
  const land = x < 60 ? SPECTRA.field : SPECTRA.forest;
  return land.map((value) => value * (0.85 + 0.3 * hash(x >> 2, y >> 2, 7)));
}

const WIDTH_PX = 1.6;
const RIVER_AT = 20;
const ROAD_AT = 50;
const SHADOW_AT = 80;

/** A river, a road and a line of shadow, each 16 m wide, through fields and forest. */
const country: Painter = (x, y) => {
  const land = ground(x, y);
  const river = strip(x, y, RIVER_AT, WIDTH_PX);
  const road = strip(x, y, ROAD_AT, WIDTH_PX);
  const shadow = strip(x, y, SHADOW_AT, WIDTH_PX);
  const dark = land.map((value, band) => value * [0.42, 0.38, 0.34, 0.26, 0.22, 0.2][band]);
  return mixed(SPECTRA.water, mixed(SPECTRA.street, mixed(dark, land, shadow), road), river);
};

function waterOf(rect: PixelRect, paint = country, given: OpticalParameters = parameters, masked = MASK_CLEAR) {
  const bands = opticalBands(paintedBlock(rect, 0, [SIZE, SIZE], paint, given), 0, given, 0);
  const mask = bands.valid.map((valid) => (valid === 1 ? masked : 0));
  return narrowWater(bands, waterIndices(bands, pathRadianceOf(bands, given)), mask, given.gsdM);
}

/** No river, and a dark pixel here and there. */
const dry: Painter = (x, y) => (hash(x, y, 11) < 0.004 ? SPECTRA.water : ground(x, y));

/** Shares found of the pixels that are water for the most part, and of those that hold none. */
function found(water: Uint8Array): { readonly river: number; readonly land: number } {
  const counts = { river: 0, ofRiver: 0, land: 0, ofLand: 0 };
  for (let i = 0; i < water.length; i++) {
    const share = strip(i % SIZE, Math.floor(i / SIZE), RIVER_AT, WIDTH_PX);
    if (share > 0.5) {
      counts.ofRiver++;
      counts.river += water[i];
    } else if (share === 0) {
      counts.ofLand++;
      counts.land += water[i];
    }
  }
  return { river: counts.river / counts.ofRiver, land: counts.land / counts.ofLand };
}

test("a river of less than two pixels is found in fields and forest, a road and a line of shadow are not", () => {
  const { river, land } = found(waterOf(whole));
  assert.ok(river > 0.95, `${river}`);
  assert.equal(land, 0);
});

test("without a shortwave infrared band the road and the shadow stay land, and most of the river is found", () => {
  const given = opticalTestParameters(SIZE, SIZE, { roles: ["B", "G", "R", "N"] });
  const { river, land } = found(waterOf(whole, country, given));
  assert.ok(river > 0.6, `${river}`);
  assert.equal(land, 0);
});

test("country without a river has no water, nor have a few dark pixels here and there", () => {
  assert.ok(waterOf(whole, dry).every((value) => value === 0));
});

test("what clouds shade is no water, and pixels of three metres and less are left to other rules", () => {
  assert.ok(waterOf(whole, country, parameters, MASK_SHADOW).every((value) => value === 0));
  const fine = opticalTestParameters(SIZE, SIZE, { gsdM: 3 });
  assert.ok(waterOf(whole, country, fine).every((value) => value === 0));
});

test("parts give what the whole gives", () => {
  const all = waterOf(whole);
  const reach = NARROW_WATER_REACH_PX;
  for (const [column, row] of [
    [40, 25],
    [61, 33],
  ] as const) {
    const side = 20;
    const part = waterOf({
      column: column - reach,
      row: row - reach,
      columns: side + 2 * reach,
      rows: side + 2 * reach,
    });
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        assert.equal(part[(y + reach) * (side + 2 * reach) + x + reach], all[(row + y) * SIZE + column + x]);
      }
    }
  }
});
