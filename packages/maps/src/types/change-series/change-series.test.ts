import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock, BlockResult, PixelRect } from "../../analysis/block.ts";
import { INDEFINITE, NEGATIVE, POSITIVE, UNCHANGED } from "../change/change-classes.ts";
import { speckleOf } from "../../analysis/clutter/speckle-testing.ts";
import { changeSeries, SERIES_MARGIN_PX } from "./change-series.ts";
import { surveySeries } from "./survey-series.ts";
import { nth } from "../../analysis/nth-testing.ts";

const SIDE = 256;
const DATES = 6;
const PARAMETERS = { looks: 4.4, windowPx: 5, alpha: 1e-4 };
const [HEAT, CLASSES, FIRST, LAST, FREQUENCY] = [0, 1, 2, 3, 4] as const;

function isIn(column: number, row: number, left: number, top: number): boolean {
  return column >= left && column < left + 30 && row >= top && row < top + 30;
}

/** Six dates: a place that brightens at the third, one that darkens at the fifth, one that flashes at the fourth only. */
function power(date: number, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) return Number.NaN;
  if (date === 2 && isIn(column, row, 200, 200)) return Number.NaN;
  let factor = 1;
  if (isIn(column, row, 20, 20) && date >= 2) factor = 4;
  if (isIn(column, row, 100, 60) && date >= 4) factor = 0.2;
  if (isIn(column, row, 60, 150) && date === 3) factor = 6;
  return 0.08 * factor * speckleOf(date, column, row, 4.4);
}

function computed(core: PixelRect): BlockResult {
  const rect = {
    column: core.column - SERIES_MARGIN_PX,
    row: core.row - SERIES_MARGIN_PX,
    columns: core.columns + 2 * SERIES_MARGIN_PX,
    rows: core.rows + 2 * SERIES_MARGIN_PX,
  };
  const scenes = Array.from({ length: DATES }, (_, date) => [
    Float32Array.from({ length: rect.columns * rect.rows }, (__, i) =>
      power(date, rect.column + (i % rect.columns), rect.row + Math.floor(i / rect.columns)),
    ),
  ]);
  return changeSeries.compute(blockOf(rect, core, scenes), MODEL, PARAMETERS);
}

function blockOf(rect: PixelRect, core: PixelRect, scenes: AnalysisBlock["scenes"]): AnalysisBlock {
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core, scenes, land: null, ground };
}

function at({ layers }: BlockResult, layer: number, core: PixelRect, column: number, row: number): number {
  const width = core.columns + 2 * SERIES_MARGIN_PX;
  const position = (row - core.row + SERIES_MARGIN_PX) * width + column - core.column + SERIES_MARGIN_PX;
  return nth(nth(layers, layer), position);
}

const WHOLE: PixelRect = { column: 0, row: 0, columns: SIDE, rows: SIDE };
const SURVEYED = blockOf(
  WHOLE,
  WHOLE,
  Array.from({ length: DATES }, (_, date) => [
    Float32Array.from({ length: SIDE * SIDE }, (__, i) => power(date, i % SIDE, Math.floor(i / SIDE))),
  ]),
);
const MODEL = surveySeries({ overview: SURVEYED, windows: [SURVEYED] }, PARAMETERS);

test("first and last change, their number and direction are those of the series", () => {
  const result = computed(WHOLE);
  const of = (column: number, row: number): readonly number[] =>
    [CLASSES, FIRST, LAST, FREQUENCY].map((layer) => at(result, layer, WHOLE, column, row));
  assert.deepEqual(of(35, 35), [POSITIVE, 3, 3, 1]);
  assert.deepEqual(of(115, 75), [NEGATIVE, 5, 5, 1]);
  assert.deepEqual(of(75, 165), [INDEFINITE, 4, 5, 2]);
  assert.deepEqual(of(150, 20), [UNCHANGED, Number.NaN, Number.NaN, Number.NaN]);
  assert.ok(at(result, HEAT, WHOLE, 35, 35) > 0.9999);
  assert.deepEqual(of(215, 215), [0, Number.NaN, Number.NaN, Number.NaN], "a date without data");
  assert.deepEqual([...new Set(result.objects.map(({ className }) => className))].toSorted(), [
    "changed",
    "negative",
    "positive",
  ]);
});

test("averaged speckle that did not change is called changed at the level of the test", () => {
  const result = computed(WHOLE);
  let [alarms, unchanged] = [0, 0];
  for (let row = 8; row < 195; row++) {
    for (let column = 140; column < SIDE - 8; column++) {
      unchanged++;
      if (at(result, HEAT, WHOLE, column, row) > 0.99) alarms++;
    }
  }
  // Neighbours share 20 of 25 pixels, so that alarms come in groups: three times the level bounds their scatter.
  assert.ok(alarms < 0.03 * unchanged, `${alarms} of ${unchanged}`);
});

test("results do not depend on the block", () => {
  const whole = computed(WHOLE);
  for (const core of [
    { column: 0, row: 0, columns: 128, rows: 128 },
    { column: 128, row: 64, columns: 64, rows: 128 },
  ]) {
    const part = computed(core);
    for (let layer = HEAT; layer <= FREQUENCY; layer++) {
      for (let row = core.row; row < core.row + core.rows; row++) {
        for (let column = core.column; column < core.column + core.columns; column++) {
          const [own, all] = [at(part, layer, core, column, row), at(whole, layer, WHOLE, column, row)];
          if (!Object.is(own, all)) assert.fail(`layer ${layer} at ${column}, ${row}: ${own}, in the whole ${all}`);
        }
      }
    }
  }
});
