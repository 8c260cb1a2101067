import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { opticalBands, type OpticalParameters } from "../optical/optical-block.ts";
import {
  cloudMask,
  CLOUD_MARGIN_PX,
  MASK_CLEAR,
  MASK_CLOUD,
  MASK_SHADOW,
  MASK_SNOW,
  MASK_THIN,
  surveyClouds,
} from "./cloud-model.ts";
import { clouds, type CloudsParameters } from "./clouds.ts";
import { CLEAR, POTENTIAL_CLOUD, potentialClouds, SNOW } from "./potential-cloud.ts";

const SIZE = 300;
const size = [SIZE, SIZE] as const;
const whole = { column: 0, row: 0, columns: SIZE, rows: SIZE };

function classOf(values: readonly number[], given: Partial<OpticalParameters> = {}): number {
  const parameters = opticalTestParameters(1, 1, given);
  const core = { column: 0, row: 0, columns: 1, rows: 1 };
  const block = paintedBlock(core, 0, [1, 1], () => values, parameters, 0);
  return potentialClouds(opticalBands(block, 0, parameters, 0))[0];
}

test("single pixels are what the rules say", () => {
  assert.equal(classOf(SPECTRA.cloud), POTENTIAL_CLOUD);
  assert.equal(classOf(SPECTRA.snow), SNOW);
  for (const clear of ["water", "forest", "field", "street", "shadow", "burned"] as const) {
    assert.equal(classOf(SPECTRA[clear]), CLEAR, clear);
  }
  // Bare sand is bright and yellow: B - 0.5 R - 0.08 is negative.
  assert.equal(classOf([0.15, 0.25, 0.35, 0.4, 0.5, 0.45]), CLEAR);
  assert.equal(classOf([Number.NaN, 0.6, 0.6, 0.6, 0.5, 0.4]), 0);
});

test("without shortwave infrared only bright white pixels without vegetation pass, and cirrus passes by itself", () => {
  const visible = { roles: ["B", "G", "R", "N"] as const };
  assert.equal(classOf([0.6, 0.6, 0.6, 0.62], visible), POTENTIAL_CLOUD);
  assert.equal(classOf([0.17, 0.17, 0.17, 0.2], visible), CLEAR, "hazy ground");
  assert.equal(classOf([0.3, 0.3, 0.3, 0.1], visible), CLEAR, "bright water");
  assert.equal(classOf([0.05, 0.06, 0.05, 0.3, 0.02], { roles: ["B", "G", "R", "N", "C"] }), POTENTIAL_CLOUD);
});

/** Two clouds over fields with shadows of 2 km high tops, some white roofs and a lake; the sun is in the south-east. */
const sky: Painter = (x, y) => {
  const veil = Math.hypot(x - 60, y - 220);
  if (veil < 24) return SPECTRA.field.map((value, i) => value + (SPECTRA.cloud[i] - value) * (1 - veil / 24));
  if (Math.hypot(x - 150, y - 170) < 22 || Math.hypot(x - 220, y - 90) < 10) return SPECTRA.cloud;
  if (x % 40 < 2 && y % 40 < 2) return SPECTRA.roof;
  if (y > 260) return SPECTRA.water;
  // 2000 m / tan(45 deg) = 2000 m = 200 px at 10 m; at 40 m pixels 50 px, to the north-west 35 each way.
  if (Math.hypot(x - 115, y - 135) < 22 || Math.hypot(x - 185, y - 55) < 10) return SPECTRA.shadow;
  return SPECTRA.field;
};
/** Parameters of a scene without planes beside those of the roles. */
function alone(...given: Parameters<typeof opticalTestParameters>): CloudsParameters {
  return { ...opticalTestParameters(...given), classification: false, thermal: null };
}

const parameters = alone(SIZE, SIZE, { gsdM: 40, sunAzimuthDeg: 135, sunElevationDeg: 45, sunSource: "scene" });

function surveyed(given = parameters, painted = sky) {
  const block = paintedBlock(whole, 0, size, painted, given);
  return clouds.survey!({ overview: block, windows: [] }, given);
}

function maskOf(core = whole, model = surveyed(), given = parameters, painted = sky): Uint8Array {
  const block = paintedBlock(core, CLOUD_MARGIN_PX, size, painted, given);
  const [plane] = clouds.compute(block, model, given).layers;
  assert.ok(plane instanceof Uint8Array);
  const result = new Uint8Array(core.columns * core.rows);
  for (let row = 0; row < core.rows; row++) {
    const start = (row + CLOUD_MARGIN_PX) * block.rect.columns + CLOUD_MARGIN_PX;
    result.set(plane.subarray(start, start + core.columns), row * core.columns);
  }
  return result;
}

test("clouds throw shadows away from the sun; roofs and water are clear", () => {
  const mask = maskOf();
  const at = (x: number, y: number): number => mask[y * SIZE + x];
  assert.equal(at(150, 170), MASK_CLOUD);
  assert.equal(at(220, 90), MASK_CLOUD);
  assert.equal(at(115, 135), MASK_SHADOW);
  assert.equal(at(185, 55), MASK_SHADOW);
  for (const [x, y] of [
    [40, 40],
    [150, 280],
    [20, 20],
    [270, 200],
  ] as const) {
    assert.equal(at(x, y), MASK_CLEAR, `${x}, ${y}`);
  }
});

test("scenes without blue, with and without shortwave infrared, have the same clouds and shadows", () => {
  for (const roles of [["G", "R", "N", "S1", "S2"] as const, ["G", "R", "N"] as const]) {
    const without = { ...parameters, roles };
    const painted: Painter = (x, y) => sky(x, y)?.slice(1) ?? null;
    const mask = maskOf(whole, surveyed(without, painted), without, painted);
    const at = (x: number, y: number): number => mask[y * SIZE + x];
    assert.deepEqual([at(150, 170), at(220, 90)], [MASK_CLOUD, MASK_CLOUD]);
    assert.deepEqual([at(115, 135), at(185, 55)], [MASK_SHADOW, MASK_SHADOW]);
    assert.deepEqual([at(40, 40), at(150, 280), at(270, 200)], [MASK_CLEAR, MASK_CLEAR, MASK_CLEAR]);
  }
});

const blind = { ...parameters, sunAzimuthDeg: null, sunElevationDeg: null, sunSource: null };

test("without the position of the sun, clouds and dark ground tell where shadows are", () => {
  const model = surveyed(blind);
  assert.equal(clouds.describe!(model)["shadowDirection"], "clouds and dark ground");
  const mask = maskOf(whole, model, blind);
  assert.deepEqual([mask[135 * SIZE + 115], mask[55 * SIZE + 185]], [MASK_SHADOW, MASK_SHADOW]);
  assert.deepEqual([mask[200 * SIZE + 185], mask[280 * SIZE + 150]], [MASK_CLEAR, MASK_CLEAR]);
});

test("a sun computed from a wrong time gives way to shadows that are seen, and stands where none are", () => {
  const wrong = { ...parameters, sunAzimuthDeg: 315, sunSource: "time and place" } as const;
  assert.equal(clouds.describe!(surveyed(wrong))["shadowDirection"], "clouds and dark ground");
  const right = { ...parameters, sunSource: "time and place" } as const;
  assert.equal(clouds.describe!(surveyed(right))["shadowDirection"], "sun of its time and place");
});

const bright: Painter = (x, y) => (Math.hypot(x - 150, y - 170) < 22 ? SPECTRA.cloud : SPECTRA.field);

test("where no ground is dark there are clouds and no shadows", () => {
  const block = paintedBlock(whole, 0, size, bright, blind);
  const model = clouds.survey!({ overview: block, windows: [] }, blind);
  const [mask] = clouds.compute(block, model, blind).layers;
  assert.ok(mask.includes(MASK_CLOUD) && !mask.includes(MASK_SHADOW));
});

test("any window of a scene shows what the whole scene shows", () => {
  const mask = maskOf();
  const model = surveyed();
  assert.deepEqual(new Set(mask), new Set([MASK_CLEAR, MASK_CLOUD, MASK_SHADOW, MASK_THIN]));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: SIZE - 100 }),
      fc.integer({ min: 0, max: SIZE - 100 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      (column, row, columns, rows) => {
        const part = maskOf({ column, row, columns, rows }, model);
        for (let y = 0; y < rows; y++) {
          const start = (row + y) * SIZE + column;
          assert.deepEqual(part.subarray(y * columns, (y + 1) * columns), mask.subarray(start, start + columns));
        }
      },
    ),
    { numRuns: 10 },
  );
});

test("snow is snow and no cloud", () => {
  const given = alone(60, 60);
  const core = { column: 0, row: 0, columns: 60, rows: 60 };
  const block = paintedBlock(core, 0, [60, 60], (x) => (x < 30 ? SPECTRA.snow : SPECTRA.forest), given);
  const [mask] = clouds.compute(block, clouds.survey!({ overview: block, windows: [] }, given), given).layers;
  assert.deepEqual([mask[10], mask[50]], [MASK_SNOW, MASK_CLEAR]);
});

/** Ground seen through a cloud of an opacity. */
const through = (ground: readonly number[], opacity: number): readonly number[] =>
  ground.map((value, i) => value + (SPECTRA.cloud[i] - value) * opacity);

/** Half of the scene under a cloud whose opacity rises from left to right, over fields and a lake. */
const veiled: Painter = (x, y) => {
  const ground = y % 120 < 60 ? SPECTRA.field : SPECTRA.water;
  return x < 120 ? ground : through(ground, (x - 120) / 120);
};

test("a veil is thin cloud beside what hides half of the ground, and masked as cloud for other map types", () => {
  const side = 240;
  const given = alone(side, side);
  const core = { column: 0, row: 0, columns: side, rows: side };
  const block = paintedBlock(core, 0, [side, side], veiled, given);
  const model = clouds.survey!({ overview: block, windows: [] }, given);
  const [mask] = clouds.compute(block, model, given).layers;
  for (const y of [30, 90]) {
    const row = Array.from({ length: side }, (_, x) => mask[y * side + x]);
    assert.equal(row[60], MASK_CLEAR);
    const first = row.indexOf(MASK_CLOUD);
    const opacity = (first - 120) / 120;
    assert.ok(opacity > 0.12 && opacity < 0.5, `cloud from an opacity of ${opacity}`);
    assert.ok(row.slice(first).every((value) => value === MASK_CLOUD));
    assert.equal(row[first - 2], MASK_THIN);
    assert.ok(row.indexOf(MASK_THIN) > 125, `thin cloud from column ${row.indexOf(MASK_THIN)}`);
  }
  const bands = opticalBands(block, 0, given, 0);
  const plain = cloudMask(bands, surveyClouds({ overview: block, windows: [] }, 0, given, 0), given, core);
  assert.ok(!plain.includes(MASK_THIN));
  assert.deepEqual(
    plain,
    (mask as Uint8Array).map((value) => (value === MASK_THIN ? MASK_CLOUD : value)),
  );
});

test("the scene classification of a product is taken at its word", () => {
  const classes = Float32Array.from([Number.NaN, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const given = { ...opticalTestParameters(13, 1), classification: true, thermal: null };
  const rect = { column: 0, row: 0, columns: 13, rows: 1 };
  const painted = paintedBlock(rect, 0, [13, 1], () => SPECTRA.field, opticalTestParameters(13, 1));
  const block = { ...painted, scenes: [[...painted.scenes[0], classes]] };
  const model = clouds.survey!({ overview: block, windows: [] }, given);
  const [mask] = clouds.compute(block, model, given).layers;
  const [none, clear] = [0, MASK_CLEAR];
  assert.deepEqual(mask, Uint8Array.of(none, none, none, clear, MASK_SHADOW, clear, clear, clear, clear, 2, 2, 5, 4));
  assert.deepEqual(clouds.describe!(model), { source: "scene classification of the product", cloudShare: 0.3 });
});

test("what is warmer than 27 degrees is no cloud, however white", () => {
  const side = 60;
  const roles = opticalTestParameters(side, side);
  // Landsat 8, band 10: 11 W/(m² sr µm) is 309.5 K, 4 is 250.6 K, by the formula of its handbook.
  const thermal = { mult: 3.342e-4, add: 0.1, k1: 774.8853, k2: 1321.0789 };
  const given = { ...roles, classification: false, thermal };
  const rect = { column: 0, row: 0, columns: side, rows: side };
  const painted = paintedBlock(rect, 0, [side, side], () => SPECTRA.cloud, roles);
  const warmth = Float32Array.from({ length: side * side }, (_, i) => ((i % side < 30 ? 11 : 4) - 0.1) / 3.342e-4);
  const block = { ...painted, scenes: [[...painted.scenes[0], warmth]] };
  const model = clouds.survey!({ overview: block, windows: [] }, given);
  const [mask] = clouds.compute(block, model, given).layers;
  assert.deepEqual([mask[30 * side + 10], mask[30 * side + 50]], [MASK_CLEAR, MASK_CLOUD]);
});
