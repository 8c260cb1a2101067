import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { BlockAlgorithm } from "../../analysis/block.ts";
import { hash, opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../../analysis/optical/testing.ts";
import { burnSeverity, SEVERITIES, SEVERITY_MARGIN_PX, UNBURNED, UNRATED } from "../burned-pair/burn-severity.ts";
import { BURNED, BURNED_MARGIN_PX, burnedArea, HIDDEN, NOT_BURNED } from "./burned-area.ts";

const SIZE = 160;
const core = { column: 0, row: 0, columns: SIZE, rows: SIZE };
const parameters = opticalTestParameters(SIZE, SIZE);
const given = parameters;

/** A fire in a forest beside a lake and fields, half of its edge burned lightly; a cloud. */
const afterFire: Painter = (x, y) => {
  if (y < 2) return null;
  if (Math.hypot(x - 130, y - 130) < 14) return SPECTRA.cloud;
  if (Math.hypot(x - 60, y - 60) < 25) return SPECTRA.burned;
  if (Math.hypot(x - 60, y - 60) < 28) return [0.03, 0.05, 0.05, 0.17, 0.18, 0.155];
  if (x > 120 && y < 40) return SPECTRA.water;
  return y > 110 ? SPECTRA.field : SPECTRA.forest;
};

test("one scene shows the scar and its edge, not water, fields, forest or what clouds hide", () => {
  const block = paintedBlock(core, 0, [SIZE, SIZE], afterFire, parameters);
  const model = burnedArea.survey!({ overview: block, windows: [] }, given);
  const labels = burnedArea.compute(block, model, given).layers[0];
  const at = (x: number, y: number): number => labels[y * SIZE + x];
  assert.deepEqual(
    [at(5, 0), at(60, 60), at(60 + 26, 60), at(140, 20), at(20, 140), at(20, 100), at(130, 130)],
    [0, BURNED, BURNED, NOT_BURNED, NOT_BURNED, NOT_BURNED, HIDDEN],
  );
  const burned = labels.filter((label) => label === BURNED).length;
  assert.ok(Math.abs(burned / (Math.PI * 28 ** 2) - 1) < 0.1, `${burned}`);
  assert.equal(burnedArea.describe!(model)["method"], "NBR and NBR2");
});

test("without shortwave infrared dark bare ground is taken for burned, and the description says how sure that is", () => {
  const visible = opticalTestParameters(SIZE, SIZE, { roles: ["B", "G", "R", "N"] });
  const block = paintedBlock(
    core,
    0,
    [SIZE, SIZE],
    (x, y) => (x < 80 && y < 80 ? [0.03, 0.035, 0.04, 0.06] : SPECTRA.forest),
    visible,
  );
  const model = burnedArea.survey!({ overview: block, windows: [] }, visible);
  const labels = burnedArea.compute(block, model, visible).layers[0];
  assert.deepEqual([labels[40 * SIZE + 40], labels[100 * SIZE + 100]], [BURNED, NOT_BURNED]);
  assert.match(String(burnedArea.describe!(model)["method"]), /low confidence/);
});

/** A near-infrared and a shortwave reflectance whose NBR is given. */
function withNbr(nbr: number): readonly number[] {
  return [0.03, 0.05, 0.05, 0.2 * (1 + nbr), 0.15, 0.2 * (1 - nbr)];
}

const before: Painter = (x, y) => (y < 140 && x === 79 ? null : withNbr(0.35));

test("two scenes show severities by dNBR, after what all of the ground has changed by", () => {
  const steps = [-0.4, -0.2, 0, 0.2, 0.35, 0.5, 0.75];
  // Everything has dried by 0.05 besides; most of the scene is unchanged.
  const after: Painter = (x, y) => withNbr(0.35 - 0.05 - (y < 70 ? steps[Math.min(6, Math.floor(x / 23))] : 0));
  const block = paintedBlock(core, SEVERITY_MARGIN_PX, [SIZE, SIZE], [before, after], parameters);
  const overview = paintedBlock(core, 0, [SIZE, SIZE], [before, after], parameters);
  const model = burnSeverity.survey!({ overview, windows: [] }, given);
  assert.ok(Math.abs(Number(burnSeverity.describe!(model)["shift"]) - 0.05) < 0.01);
  const [labels, values, relative] = burnSeverity.compute(block, model, given).layers;
  const index = (x: number, y: number): number =>
    (y + SEVERITY_MARGIN_PX) * (SIZE + 2 * SEVERITY_MARGIN_PX) + x + SEVERITY_MARGIN_PX;
  for (const [i, step] of steps.entries()) {
    const at = index(23 * i + 11, 30);
    assert.equal(SEVERITIES[labels[at] - 1], SEVERITIES[i], `${step}`);
    assert.ok(Math.abs(values[at] - step) < 0.02, `${values[at]} for ${step}`);
    assert.ok(Math.abs(relative[at] - step / Math.sqrt(0.35)) < 0.05, `${relative[at]} for ${step}`);
  }
  assert.equal(labels[index(79, 30)], 0);
  assert.ok(Number.isNaN(values[index(79, 30)]));
});

const forest: Painter = () => SPECTRA.forest;
const charred: Painter = (x, y) => {
  if (y > 130) return SPECTRA.field;
  return x < 80 && y < 80 ? [0.03, 0.04, 0.05, 0.1] : SPECTRA.forest;
};

test("without a band at 2.2 µm what has turned to dark grey ground is burned, of no severity", () => {
  const visible = opticalTestParameters(SIZE, SIZE, { roles: ["B", "G", "R", "N"] });
  const block = paintedBlock(core, 0, [SIZE, SIZE], [forest, charred], visible);
  const model = burnSeverity.survey!({ overview: block, windows: [] }, visible);
  const [labels, values, relative] = burnSeverity.compute(block, model, visible).layers;
  assert.match(String(burnSeverity.describe!(model)["method"]), /low confidence/);
  assert.deepEqual(
    [labels[40 * SIZE + 40], labels[100 * SIZE + 100], labels[150 * SIZE + 20]],
    [UNRATED, UNBURNED, UNBURNED],
  );
  assert.ok(Number.isNaN(values[40 * SIZE + 40]) && Number.isNaN(relative[40 * SIZE + 40]));
});

/** What shines at 2.2 µm, and what charcoal, forest and a cloud look like through or over smoke. */
const FLAME = [0.3, 0.3, 0.3, 0.32, 0.7, 1.1];
const SMOKY_CHARCOAL = [0.25, 0.24, 0.23, 0.21, 0.15, 0.18];
const SMOKY_FOREST = [0.25, 0.24, 0.23, 0.33, 0.13, 0.06];

/** A front of flames around charcoal, half of it under smoke that reaches far over the forest; a flare of one pixel; a cloud. */
const burning: Painter = (x, y) => {
  const distance = Math.hypot(x - 60, y - 60);
  if (x === 140 && y === 20) return FLAME;
  if (distance > 28 && distance <= 31) return FLAME;
  if (Math.hypot(x - 130, y - 130) < 14) return SPECTRA.cloud;
  if (y > 60) return distance <= 28 ? SMOKY_CHARCOAL : SMOKY_FOREST;
  return distance <= 28 ? SPECTRA.burned : SPECTRA.forest;
};

test("a fire that burns shows through its smoke by its flames; single hot pixels, smoke and clouds are no fire", () => {
  const block = paintedBlock(core, 0, [SIZE, SIZE], burning, parameters);
  const model = burnedArea.survey!({ overview: block, windows: [] }, given);
  const labels = burnedArea.compute(block, model, given).layers[0];
  const at = (x: number, y: number): number => labels[y * SIZE + x];
  assert.deepEqual([at(60, 40), at(60, 80), at(60, 90), at(60, 31)], [BURNED, BURNED, BURNED, BURNED]);
  assert.ok(![at(140, 20), at(60, 120), at(120, 30), at(130, 130)].includes(BURNED));
  assert.equal(burnedArea.describe!(model)["flames"], true);
});

/** Fires of all sizes in a forest with fields, thinned out by green islands, some joined by narrow bridges. */
const fires: Painter = (x, y) => {
  const cell = hash(Math.floor(x / 37), Math.floor(y / 37), 3);
  const inside = Math.hypot((x % 37) - 18, (y % 37) - 18) < 4 + 16 * cell || y % 37 === 18;
  if (cell > 0.85 && inside) return hash(x, y, 8) > 0.7 ? FLAME : SMOKY_CHARCOAL;
  if (inside && hash(x, y, 9) > 0.1) return cell > 0.3 ? SPECTRA.burned : [0.03, 0.05, 0.05, 0.17, 0.18, 0.155];
  return cell > 0.5 ? SPECTRA.forest : SPECTRA.field;
};

test("any window of a scene shows what the whole scene shows", () => {
  const side = 260;
  const size = [side, side] as const;
  const scene = opticalTestParameters(side, side);
  const all = { column: 0, row: 0, columns: side, rows: side };
  for (const [algorithm, margin, painters] of [
    [burnedArea, BURNED_MARGIN_PX, [fires]],
    [burnSeverity, SEVERITY_MARGIN_PX, [forest, fires]],
  ] as const) {
    const overview = paintedBlock(all, 0, size, painters, scene);
    const learnt = algorithm.survey!({ overview, windows: [] }, scene);
    // A model that knows nothing of the scene beyond what blocks know: regions must agree without the overview's help.
    const model: unknown =
      "grown" in learnt ? { ...learnt, grown: new Uint8Array(learnt.grown.length), burning: null } : learnt;
    const planesOf = (window: typeof all): readonly (readonly number[])[] => {
      const block = paintedBlock(window, margin, size, painters, scene);
      const layers = (algorithm as BlockAlgorithm).compute(block, model, scene).layers;
      return layers.map((layer) => {
        const values: number[] = [];
        for (let row = 0; row < window.rows; row++) {
          const start = (row + margin) * block.rect.columns + margin;
          for (let column = 0; column < window.columns; column++) values.push(layer[start + column]);
        }
        return values;
      });
    };
    const whole = planesOf(all);
    if (algorithm === burnedArea) assert.ok(whole[0].includes(BURNED) && whole[0].includes(NOT_BURNED));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: side - 20 }),
        fc.integer({ min: 0, max: side - 20 }),
        fc.integer({ min: 8, max: 20 }),
        fc.integer({ min: 8, max: 20 }),
        (column, row, columns, rows) => {
          const window = { column, row, columns, rows };
          const expected = whole.map((plane) =>
            Array.from({ length: rows }, (_, y) =>
              plane.slice((row + y) * side + column, (row + y) * side + column + columns),
            ).flat(),
          );
          assert.deepEqual(planesOf(window), expected);
        },
      ),
      { numRuns: 12 },
    );
  }
});
