import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../block.ts";
import { hash, opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { CLOUD_CLASS, LAND_CLASS, OPTICAL_WATER_MARGIN_PX, opticalWater, WATER_CLASS } from "./optical-water.ts";
import { RADAR_WATER_MARGIN_PX, radarWater } from "./radar-water.ts";
import { waterOf } from "./water.ts";

const SIZE = 160;
const core = { column: 0, row: 0, columns: SIZE, rows: SIZE };
const parameters = opticalTestParameters(SIZE, SIZE);

function mapOf(paint: Painter) {
  const block = paintedBlock(core, 0, [SIZE, SIZE], paint, parameters);
  const model = opticalWater.survey({ overview: block, windows: [] }, parameters);
  return {
    labels: opticalWater.compute(block, model, parameters).layers[0],
    description: opticalWater.describe(model),
  };
}

test("a lake is water, shadows and dark ground are not, a cloud over it hides it", () => {
  const { labels, description } = mapOf((x, y) => {
    if (x === 0) return null;
    if (Math.hypot(x - 60, y - 60) < 14) return SPECTRA.cloud;
    if (x < 80) return SPECTRA.water;
    if (y < 40) return SPECTRA.shadow;
    return y < 80 ? SPECTRA.burned : SPECTRA.field;
  });
  assert.equal(description["thresholdSource"], "Otsu, two groups");
  const at = (x: number, y: number): number => labels[y * SIZE + x];
  assert.deepEqual(
    [at(0, 5), at(20, 100), at(60, 60), at(120, 20), at(120, 60), at(120, 120)],
    [0, WATER_CLASS, CLOUD_CLASS, LAND_CLASS, LAND_CLASS, LAND_CLASS],
  );
});

/** A lake and a stream of 12 m from it, through fields. */
const stream: Painter = (x, y) => {
  if (x < 40) return SPECTRA.water;
  const share = Math.max(0, Math.min(1, 1.1 - Math.abs(y - 80 - 9 * Math.sin(x / 15))));
  return SPECTRA.field.map((value, i) => value * (0.9 + 0.2 * hash(x, y, 1)) * (1 - share) + share * SPECTRA.water[i]);
};

test("optical blocks give what the whole gives, streams included", () => {
  const whole = paintedBlock(core, 0, [SIZE, SIZE], stream, parameters);
  const model = opticalWater.survey({ overview: whole, windows: [] }, parameters);
  const labels = opticalWater.compute(whole, model, parameters).layers[0];
  const margin = OPTICAL_WATER_MARGIN_PX;
  let water = 0;
  for (const [column, row] of [
    [60, 60],
    [83, 71],
    [111, 64],
  ] as const) {
    const part = { column, row, columns: 30, rows: 30 };
    const block = paintedBlock(part, margin, [SIZE, SIZE], stream, parameters);
    const [found] = opticalWater.compute(block, model, parameters).layers;
    for (let y = 0; y < 30; y++) {
      for (let x = 0; x < 30; x++) {
        const inPart = found[(y + margin) * (30 + 2 * margin) + x + margin];
        assert.equal(inPart, labels[(row + y) * SIZE + column + x]);
        if (inPart === WATER_CLASS) water++;
      }
    }
  }
  assert.ok(water > 60, `${water}`);
});

test("without two groups of pixels the threshold is the fixed one, and a scene of fields has no water", () => {
  const { labels, description } = mapOf((x, y) => SPECTRA.field.map((value) => value * (0.9 + 0.2 * hash(x, y, 1))));
  assert.equal(description["thresholdSource"], "fixed");
  assert.equal(description["threshold"], 0);
  assert.ok(labels.every((label) => label === LAND_CLASS));
});

/** Speckle of 4 looks on -22 dB water, left, and -9 dB land; a strip without data on top. */
function radarBlock(column: number, row: number, columns: number, rows: number): AnalysisBlock {
  const planes = [0, 1].map((band) =>
    Float32Array.from({ length: columns * rows }, (_, i) => {
      const x = column + (i % columns);
      const y = row + Math.floor(i / columns);
      if (x < 0 || y < 3 || x >= SIZE || y >= SIZE) return Number.NaN;
      const db = (x < 70 ? -22 : -9) - 7 * band;
      let speckle = 0;
      for (let look = 0; look < 4; look++) speckle -= Math.log(1 - hash(x, y, 10 * band + look)) / 4;
      return 10 ** (db / 10) * speckle;
    }),
  );
  return {
    rect: { column, row, columns, rows },
    core: { column, row, columns, rows },
    scenes: [planes],
    land: null,
    ground: { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 9, latDeg: 49 },
  };
}

const radarGiven = { hasCross: true, powerScales: [1, 1], gsdM: 10, looks: 4, sensor: "radar" } as const;

test("dark smooth water is told from land through speckle, by the scene's own thresholds", () => {
  const block = radarBlock(0, 0, SIZE, SIZE);
  const model = radarWater.survey({ overview: block, windows: [block] }, radarGiven);
  assert.ok(model.copol !== null && Math.abs(model.copol.thresholdDb + 15.5) < 2.5, `${model.copol?.thresholdDb}`);
  const labels = radarWater.compute(block, model, radarGiven).layers[0];
  let right = 0;
  for (let i = 0; i < labels.length; i++) {
    const [x, y] = [i % SIZE, Math.floor(i / SIZE)];
    if (y < 3) assert.equal(labels[i], 0);
    else if (labels[i] === (x < 70 ? WATER_CLASS : LAND_CLASS)) right++;
  }
  assert.ok(right / (SIZE * (SIZE - 3)) > 0.98, `${right}`);
});

test("radar blocks give what the whole gives", () => {
  const block = radarBlock(0, 0, SIZE, SIZE);
  const model = radarWater.survey({ overview: block, windows: [block] }, radarGiven);
  const labels = radarWater.compute(block, model, radarGiven).layers[0];
  const margin = RADAR_WATER_MARGIN_PX;
  const part = radarWater.compute(
    radarBlock(60 - margin, 40 - margin, 30 + 2 * margin, 30 + 2 * margin),
    model,
    radarGiven,
  );
  for (let y = 0; y < 30; y++) {
    for (let x = 0; x < 30; x++) {
      const inPart = part.layers[0][(y + margin) * (30 + 2 * margin) + x + margin];
      assert.equal(inPart, labels[(40 + y) * SIZE + 60 + x]);
    }
  }
});

test("one map type takes either sensor", () => {
  const either = waterOf(opticalWater, radarWater);
  const radar = radarBlock(0, 0, SIZE, SIZE);
  const learnt = either.survey!({ overview: radar, windows: [radar] }, radarGiven);
  assert.equal(either.describe!(learnt)["sensor"], "radar");
  assert.equal(either.compute(radar, learnt, radarGiven).layers[0][80 * SIZE + 20], WATER_CLASS);
  const optical = paintedBlock(core, 0, [SIZE, SIZE], () => SPECTRA.water, parameters);
  const opticalGiven = { ...parameters, sensor: "optical" } as const;
  const other = either.survey!({ overview: optical, windows: [] }, opticalGiven);
  assert.equal(either.describe!(other)["sensor"], "optical");
  assert.equal(either.compute(optical, other, opticalGiven).layers[0][0], WATER_CLASS);
});

test("a scene of green and near infrared has the water of one of more bands, and no clouds", () => {
  const few = opticalTestParameters(SIZE, SIZE, { roles: ["G", "N"] });
  const all = paintedBlock(core, 0, [SIZE, SIZE], stream, parameters);
  const [planes] = all.scenes;
  const block: AnalysisBlock = { ...all, scenes: [[planes[1], planes[3]]] };
  const model = opticalWater.survey({ overview: block, windows: [] }, few);
  const labels = opticalWater.compute(block, model, few).layers[0];
  const { index, cloudShare } = opticalWater.describe(model);
  assert.deepEqual([index, cloudShare], ["NDWI", null]);
  let [both, either] = [0, 0];
  for (let i = 0; i < labels.length; i++) {
    const truth = i % SIZE < 40;
    const found = labels[i] === WATER_CLASS;
    // The stream is narrower than what two bands show.
    if (!truth && i % SIZE > 44 && found) continue;
    if (truth && found) both++;
    if (truth || found) either++;
  }
  assert.ok(both / either > 0.97, `${both / either}`);
});
