import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock, AnalysisSurvey, BlockResult, PixelRect } from "../../analysis/block.ts";
import { speckleOf } from "../../analysis/clutter/speckle-testing.ts";
import { REGION_CELL_PX } from "./attention-regions.ts";
import { NEGATIVE, POSITIVE, UNCHANGED, VEGETATION_REMOVED, WATER_ADDED } from "./change-classes.ts";
import { change, CHANGE_MARGIN_PX, type ChangeModel, type ChangeParameters } from "./change.ts";
import { nth } from "../../analysis/nth-testing.ts";

const SIDE = 640;
const WHOLE: PixelRect = { column: 0, row: 0, columns: SIDE, rows: SIDE };
const GROUND = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 15, latDeg: 50 };

type Value = (scene: number, plane: number, column: number, row: number) => number;

function blockOf(value: Value, planes: number, rect: PixelRect, core: PixelRect): AnalysisBlock {
  const scenes = [0, 1].map((scene) =>
    Array.from({ length: planes }, (_, plane) => {
      const pixels = new Float32Array(rect.columns * rect.rows).fill(Number.NaN);
      for (let row = Math.max(0, rect.row); row < Math.min(SIDE, rect.row + rect.rows); row++) {
        const start = (row - rect.row) * rect.columns - rect.column;
        for (let column = Math.max(0, rect.column); column < Math.min(SIDE, rect.column + rect.columns); column++) {
          pixels[start + column] = value(scene, plane, column, row);
        }
      }
      return pixels;
    }),
  );
  return { rect, core, scenes, land: null, ground: GROUND };
}

function surveyOf(value: Value, planes: number): AnalysisSurvey {
  const windows = [0, 1, 2, 3].map((i) => {
    const rect = { column: 32 + 320 * (i % 2), row: 32 + 320 * (i >> 1), columns: 256, rows: 256 };
    return blockOf(value, planes, rect, rect);
  });
  return { overview: blockOf(value, planes, WHOLE, WHOLE), windows };
}

function computed(
  value: Value,
  planes: number,
  model: ChangeModel,
  core: PixelRect,
  parameters: ChangeParameters,
): BlockResult {
  const rect = {
    column: core.column - CHANGE_MARGIN_PX,
    row: core.row - CHANGE_MARGIN_PX,
    columns: core.columns + 2 * CHANGE_MARGIN_PX,
    rows: core.rows + 2 * CHANGE_MARGIN_PX,
  };
  return change.compute(blockOf(value, planes, rect, core), model, parameters);
}

/** A layer's value at a pixel of the grid. */
function at(result: BlockResult, layer: number, core: PixelRect, column: number, row: number): number {
  const width = core.columns + 2 * CHANGE_MARGIN_PX;
  const position = (row - core.row + CHANGE_MARGIN_PX) * width + column - core.column + CHANGE_MARGIN_PX;
  return nth(nth(result.layers, layer), position);
}

function isIn(column: number, row: number, left: number, top: number, columns: number, rows: number): boolean {
  return column >= left && column < left + columns && row >= top && row < top + rows;
}

/** A mosaic of meadow, forest and soil (green, red, infrared), moved by two pixels at the second date. */
const MEADOW = [0.08, 0.06, 0.4] as const;
const SOIL = [0.14, 0.18, 0.24] as const;
const WATER = [0.06, 0.03, 0.02] as const;
const FIELD_COLORS: readonly (readonly number[])[] = [MEADOW, [0.05, 0.04, 0.28], SOIL];

function optical(scene: number, plane: number, column: number, row: number): number {
  const noise = 0.004 * (speckleOf(scene * 8 + plane, column, row, 50) - 1) * 7;
  // No data in a corner of the second date.
  if (scene === 1 && isIn(column, row, 600, 600, 40, 40)) return Number.NaN;
  const [x, y] = scene === 1 ? [column - 2, row] : [column, row];
  const field = Math.imul(Math.floor(x / 37) * 31 + Math.floor(y / 29) * 17 + 5, 2_654_435_761) >>> 8;
  let color: readonly number[] = nth(FIELD_COLORS, field % 3);
  if (isIn(x, y, 500, 100, 40, 40)) color = scene === 0 ? MEADOW : WATER;
  if (isIn(x, y, 200, 500, 30, 20)) color = scene === 0 ? MEADOW : SOIL;
  return nth(color, plane) * (scene === 1 ? 1.1 : 1) + noise;
}

const OPTICAL: ChangeParameters = {
  method: "irmad",
  roles: ["G", "R", "N"],
  calibrated: false,
  alpha: 1e-3,
  green: 0,
  red: 1,
  nir: 2,
};
const opticalModel = change.survey!(surveyOf(optical, 3), OPTICAL);
const opticalWhole = computed(optical, 3, opticalModel, WHOLE, OPTICAL);

test("what came and went between optical scenes is found although the second is brighter and lies two pixels aside", () => {
  const model = opticalModel;
  assert.ok(model.method === "irmad");
  assert.equal(model.coregistration.status, "measured");
  assert.ok(Math.hypot(model.coregistration.dx - 2, model.coregistration.dy) < 0.1);
  const core = { column: 0, row: 0, columns: SIDE, rows: SIDE };
  const result = opticalWhole;
  assert.equal(at(result, 2, core, 520, 120), WATER_ADDED);
  assert.equal(at(result, 2, core, 215, 510), VEGETATION_REMOVED);
  assert.ok(at(result, 0, core, 520, 120) > 0.999);
  assert.ok(Number.isNaN(at(result, 0, core, 620, 620)), "no data at one date is no data");
  assert.equal(at(result, 1, core, 620, 620), 0);
  let [alarms, unchanged, hits] = [0, 0, 0];
  for (let row = 20; row < SIDE - 20; row++) {
    for (let column = 20; column < SIDE - 20; column++) {
      const changed = at(result, 1, core, column, row) > UNCHANGED;
      const real = isIn(column, row, 500, 100, 40, 40) || isIn(column, row, 200, 500, 30, 20);
      if (real) hits += changed ? 1 : 0;
      else {
        unchanged++;
        alarms += changed ? 1 : 0;
      }
    }
  }
  assert.ok(hits > 0.98 * (1600 + 600), `${hits} of 2200`);
  assert.ok(alarms < 1e-3 * unchanged, `${alarms} of ${unchanged}`);
  const water = result.objects.filter(({ centre: [x, y] }) => isIn(x, y, 500, 100, 40, 40));
  assert.equal(
    Math.round(water.reduce((sum, { areaM2 }) => sum + areaM2, 0) / 1000),
    160,
    "40 x 40 pixels of 100 m², in the cells they lie in",
  );
  for (const { confidence, properties } of water) {
    assert.ok(confidence > 0.9);
    assert.ok(Number(properties["meanZ"]) > 16);
  }
});

const place = ({ centre }: { readonly centre: readonly [number, number] }): string => centre.join(" ");

test("a region ends at its cell and is the same whichever block it is found in", () => {
  const whole = opticalWhole;
  const cores = [
    { column: 0, row: 0, columns: 512, rows: 512 },
    { column: 512, row: 0, columns: 128, rows: 512 },
    { column: 0, row: 512, columns: 512, rows: 128 },
    { column: 512, row: 512, columns: 128, rows: 128 },
  ];
  const parts = cores.map((core) => ({ core, result: computed(optical, 3, opticalModel, core, OPTICAL) }));
  const total = { column: 0, row: 0, columns: SIDE, rows: SIDE };
  for (const { core, result } of parts) {
    for (let layer = 0; layer < 3; layer++) {
      for (let row = core.row; row < core.row + core.rows; row++) {
        for (let column = core.column; column < core.column + core.columns; column++) {
          const [own, all] = [at(result, layer, core, column, row), at(whole, layer, total, column, row)];
          if (!Object.is(own, all)) assert.fail(`layer ${layer} at ${column}, ${row}: ${own}, in the whole ${all}`);
        }
      }
    }
  }
  assert.deepEqual(
    parts.flatMap(({ result }) => result.objects).toSorted((a, b) => place(a).localeCompare(place(b))),
    whole.objects.toSorted((a, b) => place(a).localeCompare(place(b))),
  );
  for (const { corners } of whole.objects) {
    for (const axis of [0, 1] as const) {
      const values = corners.map((corner) => corner[axis]);
      assert.ok(Math.max(...values) - Math.min(...values) <= REGION_CELL_PX * Math.SQRT2);
    }
  }
});

/** Speckle of 4.4 looks, two polarisations, with a place twice as bright and one a quarter as bright at the second date. */
function radar(scene: number, plane: number, column: number, row: number): number {
  const level = plane === 0 ? 0.1 : 0.02;
  const factor =
    scene === 0 ? 1 : isIn(column, row, 100, 100, 40, 40) ? 4 : isIn(column, row, 400, 300, 40, 40) ? 0.25 : 1;
  return level * factor * speckleOf(scene * 2 + plane, column, row, 4.4);
}

const RADAR: ChangeParameters = { method: "log-ratio", alpha: 1e-4, windowPx: 5, looks: 4.4 };

test("radar change holds its level and tells brighter from darker", () => {
  const model = change.survey!(surveyOf(radar, 2), RADAR);
  assert.ok(model.method === "log-ratio");
  // 4.4 looks times 25 pixels, less what averaging is expected to lose; real pixels of this field are independent.
  for (const { looks } of model.channels) assert.ok(Math.abs(looks - 88) < 1e-9, `${looks}`);
  const core = { column: 0, row: 0, columns: SIDE, rows: SIDE };
  const result = computed(radar, 2, model, core, RADAR);
  assert.equal(at(result, 1, core, 120, 120), POSITIVE);
  assert.equal(at(result, 1, core, 420, 320), NEGATIVE);
  let [alarms, unchanged] = [0, 0];
  for (let row = 10; row < SIDE - 10; row++) {
    for (let column = 10; column < SIDE - 10; column++) {
      if (isIn(column, row, 96, 96, 48, 48) || isIn(column, row, 396, 296, 48, 48)) continue;
      unchanged++;
      if (at(result, 0, core, column, row) > 1 - 1e-4) alarms++;
    }
  }
  assert.ok(alarms <= 1.5e-4 * unchanged, `${alarms} of ${unchanged}`);
  const classes = new Set(result.objects.map(({ className }) => className));
  assert.deepEqual([...classes].toSorted(), ["negative", "positive"]);
  assert.ok(Number.isNaN(at(result, 0, core, 1, 1)), "a pixel without all of its window says nothing");
});

/** Every pixel twice: half the looks that 25 independent ones bring. */
const correlated: Value = (scene, plane, column, row) => radar(scene, plane, column >> 1, row);

test("fewer looks than expected are noticed: speckle that neighbours share raises no more alarms", () => {
  const model = change.survey!(surveyOf(correlated, 1), RADAR);
  assert.ok(model.method === "log-ratio");
  const [{ looks } = { looks: 0 }] = model.channels;
  assert.ok(looks > 45 && looks < 70, `${looks}`);
});

const apart: Value = (scene, _plane, column) => ((scene === 0) === column < 320 ? 0.1 : Number.NaN);

test("scenes without anything in common say nothing anywhere", () => {
  const model = change.survey!(surveyOf(apart, 3), OPTICAL);
  assert.equal(model.method, "none");
  const core = { column: 0, row: 0, columns: 128, rows: 128 };
  const { layers, objects } = computed(apart, 3, model, core, OPTICAL);
  assert.ok(nth(layers, 0).every(Number.isNaN));
  assert.ok(nth(layers, 1).every((value) => value === 0) && nth(layers, 2).every((value) => value === 0));
  assert.deepEqual(objects, []);
});

/** Two thirds of both dates are 0, and nothing says that this is no data. */
function bordered(scene: number, plane: number, column: number, row: number): number {
  return column < 420 ? 0 : optical(scene, plane, column, row);
}

test("black borders that no file declares do not pass for what did not change", () => {
  const plain = opticalModel;
  const model = change.survey!(surveyOf(bordered, 3), OPTICAL);
  assert.ok(model.method === "irmad" && plain.method === "irmad");
  assert.ok(model.samples < 0.4 * plain.samples);
  const factor = model.irmad.calibration / plain.irmad.calibration;
  assert.ok(factor > 0.5 && factor < 2, `${factor}`);
});
