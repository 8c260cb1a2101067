import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock, AnalysisSurvey, PixelRect } from "../../analysis/block.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import { NONURBAN, WATER } from "../../analysis/land-cover/classes.ts";
import {
  LAND_COVER_CHANGE_MARGIN_PX,
  landCoverChange,
  SAME_CLASS,
  type LandCoverChangeParameters,
} from "./land-cover-change.ts";
import { speckleOf } from "../../analysis/clutter/speckle-testing.ts";
import { nth } from "../../analysis/nth-testing.ts";

const SIDE = 300;
const WHOLE: PixelRect = { column: 0, row: 0, columns: SIDE, rows: SIDE };
const GROUND = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 15, latDeg: 50 };
const [ADDED, REMOVED, RISE, FALL] = [0, 1, 2, 3] as const;

/** Blue, green, red, infrared. */
const MEADOW = [0.03, 0.07, 0.05, 0.42] as const;
const LAKE = [0.05, 0.04, 0.02, 0.01] as const;
const STRAW = [0.08, 0.12, 0.16, 0.26] as const;

function isIn(column: number, row: number, left: number, top: number, side: number): boolean {
  return column >= left && column < left + side && row >= top && row < top + side;
}

/** Meadows with a lake; at the second date another lake, a mown field, and no data in a corner. */
function valueAt(scene: number, plane: number, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) return Number.NaN;
  if (scene === 1 && isIn(column, row, 280, 280, 20)) return Number.NaN;
  let color: readonly number[] = MEADOW;
  if (isIn(column, row, 20, 20, 60)) color = LAKE;
  if (scene === 1 && isIn(column, row, 200, 40, 40)) color = LAKE;
  if (scene === 1 && isIn(column, row, 60, 200, 50)) color = STRAW;
  return Math.max(0.002, nth(color, plane) + 0.005 * (speckleOf(scene * 8 + plane, column, row, 50) - 1) * 7);
}

function blockOf(rect: PixelRect, core: PixelRect): AnalysisBlock {
  const scenes = [0, 1].map((scene) =>
    [0, 1, 2, 3].map((plane) =>
      Float32Array.from({ length: rect.columns * rect.rows }, (_, i) =>
        valueAt(scene, plane, rect.column + (i % rect.columns), rect.row + Math.floor(i / rect.columns)),
      ),
    ),
  );
  return { rect, core, scenes, land: null, ground: GROUND };
}

const OWN: OpticalParameters = {
  roles: ["B", "G", "R", "N"],
  scale: 1,
  gsdM: 10,
  gridColumns: SIDE,
  gridRows: SIDE,
  sunAzimuthDeg: null,
  sunElevationDeg: null,
  sunSource: null,
};
const PARAMETERS: LandCoverChangeParameters = {
  roles: OWN.roles,
  method: "irmad",
  alpha: 0.01,
  calibrated: true,
  red: 2,
  nir: 3,
  scenes: [OWN, OWN],
};

test("a lake that came, and meadows that were mown", () => {
  const window = { column: 22, row: 22, columns: 256, rows: 256 };
  const survey: AnalysisSurvey = { overview: blockOf(WHOLE, WHOLE), windows: [blockOf(window, window)] };
  const model = landCoverChange.survey!(survey, PARAMETERS);
  const margin = LAND_COVER_CHANGE_MARGIN_PX;
  const columns = SIDE + 2 * margin;
  const rect = { column: -margin, row: -margin, columns, rows: columns };
  const { layers } = landCoverChange.compute(blockOf(rect, WHOLE), model, PARAMETERS);
  const at = (layer: number, column: number, row: number): number =>
    nth(nth(layers, layer), (row + margin) * columns + column + margin);
  assert.deepEqual([at(ADDED, 220, 60), at(REMOVED, 220, 60)], [WATER, NONURBAN]);
  assert.deepEqual([at(ADDED, 50, 50), at(REMOVED, 50, 50)], [SAME_CLASS, SAME_CLASS], "a lake that stayed");
  assert.deepEqual([at(ADDED, 150, 150), at(REMOVED, 150, 150)], [SAME_CLASS, SAME_CLASS], "a meadow that stayed");
  assert.deepEqual([at(ADDED, 290, 290), at(REMOVED, 290, 290)], [0, 0], "no data at one date");
  assert.ok(Number.isNaN(at(RISE, 290, 290)) && Number.isNaN(at(FALL, 290, 290)));
  // NDVI goes from 0.37 / 0.47 to 0.1 / 0.42.
  assert.ok(Math.abs(at(FALL, 85, 225) - 0.55) < 0.12, `${at(FALL, 85, 225)}`);
  assert.equal(at(RISE, 85, 225), 0);
  let water = 0;
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      if (at(ADDED, column, row) !== WATER) continue;
      water++;
      assert.ok(isIn(column, row, 197, 37, 46), `water at ${column}, ${row}`);
    }
  }
  assert.ok(Math.abs(water - 1600) < 160, `${water} pixels of 1600`);
  assert.equal(landCoverChange.describe!(model)["method"], "irmad");
});
