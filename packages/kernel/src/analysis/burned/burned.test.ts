import assert from "node:assert/strict";
import { test } from "node:test";
import { asParameters, opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { burnSeverity, SEVERITIES, SEVERITY_MARGIN_PX } from "./burn-severity.ts";
import { BURNED, burnedArea, HIDDEN, NOT_BURNED } from "./burned-area.ts";

const SIZE = 160;
const core = { column: 0, row: 0, columns: SIZE, rows: SIZE };
const parameters = opticalTestParameters(SIZE, SIZE);
const given = asParameters(parameters);

/** A fire in a forest beside a lake and fields, half of its edge burned lightly; a cloud. */
const afterFire: Painter = (x, y) => {
  if (y < 2) return null;
  if (Math.hypot(x - 130, y - 130) < 14) return SPECTRA.cloud;
  if (Math.hypot(x - 60, y - 60) < 25) return SPECTRA.burned;
  if (Math.hypot(x - 60, y - 60) < 28) return [0.03, 0.05, 0.05, 0.17, 0.18, 0.155];
  if (x > 120 && y < 40) return SPECTRA.water;
  return y > 110 ? SPECTRA.field : SPECTRA.forest;
};

void test("one scene shows the scar and its edge, not water, fields, forest or what clouds hide", () => {
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

void test("without shortwave infrared dark bare ground is taken for burned, and the description says how sure that is", () => {
  const visible = opticalTestParameters(SIZE, SIZE, { roles: ["B", "G", "R", "N"] });
  const block = paintedBlock(
    core,
    0,
    [SIZE, SIZE],
    (x, y) => (x < 80 && y < 80 ? [0.03, 0.035, 0.04, 0.06] : SPECTRA.forest),
    visible,
  );
  const model = burnedArea.survey!({ overview: block, windows: [] }, asParameters(visible));
  const labels = burnedArea.compute(block, model, asParameters(visible)).layers[0];
  assert.deepEqual([labels[40 * SIZE + 40], labels[100 * SIZE + 100]], [BURNED, NOT_BURNED]);
  assert.match(String(burnedArea.describe!(model)["method"]), /low confidence/);
});

/** A near-infrared and a shortwave reflectance whose NBR is given. */
function withNbr(nbr: number): readonly number[] {
  return [0.03, 0.05, 0.05, 0.2 * (1 + nbr), 0.15, 0.2 * (1 - nbr)];
}

const before: Painter = (x, y) => (y < 140 && x === 79 ? null : withNbr(0.35));

void test("two scenes show severities by dNBR, after what all of the ground has changed by", () => {
  const steps = [-0.4, -0.2, 0, 0.2, 0.35, 0.5, 0.75];
  // Everything has dried by 0.05 besides; most of the scene is unchanged.
  const after: Painter = (x, y) => withNbr(0.35 - 0.05 - (y < 70 ? steps[Math.min(6, Math.floor(x / 23))] : 0));
  const block = paintedBlock(core, SEVERITY_MARGIN_PX, [SIZE, SIZE], [before, after], parameters);
  const overview = paintedBlock(core, 0, [SIZE, SIZE], [before, after], parameters);
  const model = burnSeverity.survey!({ overview, windows: [] }, given);
  assert.ok(Math.abs(Number(burnSeverity.describe!(model)["shift"]) - 0.05) < 0.01);
  const [labels, values] = burnSeverity.compute(block, model, given).layers;
  const index = (x: number, y: number): number =>
    (y + SEVERITY_MARGIN_PX) * (SIZE + 2 * SEVERITY_MARGIN_PX) + x + SEVERITY_MARGIN_PX;
  for (const [i, step] of steps.entries()) {
    const at = index(23 * i + 11, 30);
    assert.equal(SEVERITIES[labels[at] - 1], SEVERITIES[i], `${step}`);
    assert.ok(Math.abs(values[at] - step) < 0.02, `${values[at]} for ${step}`);
  }
  assert.equal(labels[index(79, 30)], 0);
  assert.ok(Number.isNaN(values[index(79, 30)]));
});
