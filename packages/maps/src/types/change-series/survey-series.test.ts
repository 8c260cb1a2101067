import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../../analysis/block.ts";
import { speckleOf } from "../../analysis/clutter/speckle-testing.ts";
import { hash } from "../../analysis/optical/testing.ts";
import { changeSeries } from "./change-series.ts";
import { CORRELATED_LOOKS_PER_CELL, correlatedSeriesRates } from "./series-calibration.ts";
import { ScenesRefused } from "../../analysis/scenes-refused.ts";
import { describeSeries, surveySeries, testsOf } from "./survey-series.ts";

const PARAMETERS = { looks: 4.4, windowPx: 5, alpha: 1e-4 };

test("looks of correlated pixels are those that neighbours leave, whatever the metadata promise", () => {
  for (const stated of [4.4, null]) {
    const { model } = correlatedSeriesRates(256, 4, 1.1, stated, 0.01, 3);
    const expected = 1.1 * CORRELATED_LOOKS_PER_CELL;
    assert.ok(Math.abs(model.looks - expected) < 0.06 * expected, `${model.looks} looks, expected ${expected}`);
    const [pixel] = model.pixelLooks;
    assert.ok(pixel != null && Math.abs(pixel - 4.4) < 0.2, `${pixel} looks of a pixel, expected 4 of 1.1`);
    const [area] = model.areaLooks;
    assert.ok(area != null && area < pixel, "texture lowers looks over an area");
  }
});

test("with looks that were measured, correlated speckle is called changed at the level of the test", () => {
  const rates = [1, 2, 3, 4].map((seed) => correlatedSeriesRates(256, 5, 1.1, 4.4, 0.01, seed).falseAlarmRate);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  assert.ok(mean > 0.007 && mean < 0.014, `${mean}`);
});

test("looks are never more than independent pixels would have", () => {
  const { model } = correlatedSeriesRates(128, 3, 8, 1, 0.01, 5);
  assert.equal(model.looks, 25);
});

const SIDE = 160;

/** Squares of ground of many brightnesses; each scene shows them displaced by its own shift. */
function shifted(shifts: readonly (readonly [dx: number, dy: number])[], seed = 0): AnalysisBlock {
  const scenes = shifts.map(([dx, dy], date) => [
    Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
      const x = (i % SIDE) - dx + 64;
      const y = Math.floor(i / SIDE) - dy + 64;
      const ground = 0.02 + 0.4 * hash(Math.floor(x / 9), Math.floor(y / 9), 31 + seed) ** 2;
      return ground * speckleOf(date, i % SIDE, Math.floor(i / SIDE), 4.4);
    }),
  ]);
  const rect = { column: 0, row: 0, columns: SIDE, rows: SIDE };
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core: rect, scenes, land: null, ground };
}

test("scenes that are displaced are measured and put back by whole pixels", () => {
  const block = shifted([
    [0, 0],
    [3, -2],
    [0, 0],
    [-5, 4],
  ]);
  const model = surveySeries({ overview: block, windows: [block] }, PARAMETERS);
  assert.deepEqual(
    model.coregistration.map(({ dx, dy, status }) => [dx + 0, dy + 0, status]),
    [
      [0, 0, "measured"],
      [3, -2, "measured"],
      [0, 0, "measured"],
      [-5, 4, "measured"],
    ],
  );
  const changedBy = (learnt: typeof model): number =>
    Array.from(changeSeries.compute(block, learnt, PARAMETERS).layers[1]).filter((value) => value > 1).length;
  const changed = changedBy(model);
  const wrong = changedBy({ ...model, coregistration: [] });
  assert.ok(changed < 0.002 * SIDE * SIDE && wrong > 0.1 * SIDE * SIDE, `${changed} instead of ${wrong}`);
  assert.deepEqual(
    (describeSeries(model)["coregistration"] as readonly { readonly scene: number }[]).map(({ scene }) => scene),
    [2, 3, 4],
  );
});

test("scenes of which four windows and more disagree are refused, with the number of the scene", () => {
  const windows = [0, 1, 2, 3].map((window) =>
    shifted(
      [
        [0, 0],
        [1, 0],
        [
          [7, 0],
          [-7, 3],
          [0, 9],
          [3, -8],
        ][window] as [number, number],
      ],
      window,
    ),
  );
  assert.throws(
    () => surveySeries({ overview: windows[0], windows }, PARAMETERS),
    (error) => error instanceof ScenesRefused && /^scenes 1 and 3 of the series .+ 1 at most/.test(error.message),
  );
});

test("scenes of which fewer windows disagree are left where they are, looks fall, and what is found is trusted half", () => {
  const windows = [
    shifted([
      [0, 0],
      [7, 0],
    ]),
    shifted(
      [
        [0, 0],
        [-7, 3],
      ],
      1,
    ),
  ];
  const model = surveySeries({ overview: windows[0], windows }, PARAMETERS);
  assert.deepEqual(
    model.coregistration.map(({ dx, dy, status }) => [dx, dy, status]),
    [
      [0, 0, "measured"],
      [0, 0, "inconsistent"],
    ],
  );
  assert.ok(model.looks < 10, "edges that do not fit scatter like speckle of few looks");
  const { objects } = changeSeries.compute(
    windows[0],
    { ...model, ...testsOf(2, 1, 88, PARAMETERS.alpha) },
    PARAMETERS,
  );
  assert.ok(objects.length > 0 && objects.every(({ confidence }) => confidence <= 0.5));
});

test("what one window alone says of less than a pixel and a half is not believed", () => {
  const block = shifted([
    [0, 0],
    [1, 0],
  ]);
  const of = (windows: readonly AnalysisBlock[]): number =>
    surveySeries({ overview: block, windows }, PARAMETERS).coregistration.reduce((sum, { dx }) => sum + dx, 0);
  assert.deepEqual([of([block]), of([block, block])], [0, 1]);
});
