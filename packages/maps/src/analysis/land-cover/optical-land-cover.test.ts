import assert from "node:assert/strict";
import { test } from "node:test";
import type { PixelRect } from "../block.ts";
import { hash, opticalTestParameters, paintedBlock, SPECTRA, type Painter } from "../optical/testing.ts";
import { CLOUDS, NONURBAN, ROADS, URBAN, WATER } from "./classes.ts";
import { LAND_COVER_MARGIN_PX, opticalLandCover } from "./optical-land-cover.ts";

const SIZE = 384;
/** Uniform, 0.006 of standard deviation: signal over noise of a dark field is 10 in blue. */
const NOISE = 0.02;
const size = [SIZE, SIZE] as const;
const parameters = opticalTestParameters(SIZE, SIZE);
const whole: PixelRect = { column: 0, row: 0, columns: SIZE, rows: SIZE };

/** Where a river of 18 m leaves the lake, winding through the fields. */
function riverRow(x: number): number {
  return 340 + 12 * Math.sin(x / 23);
}

/** A lake, a river, a town of roofs, streets and gardens, forest, fields, a cloud and a corner without data. */
const country: Painter = (x, y) => {
  if (x + y < 40) return null;
  const wet = Math.max(0, Math.min(1, 1.4 - Math.abs(y - riverRow(x))));
  if (x > 120 && x < 280 && wet > 0) return SPECTRA.field.map((value, i) => value + wet * (SPECTRA.water[i] - value));
  if (Math.hypot(x - 300, y - 300) < 20) return SPECTRA.cloud;
  if (Math.hypot(x - 80, y - 290) < 50) return SPECTRA.water;
  if (x > 200 && y < 180) {
    const plot = hash(x >> 1, y >> 1, 9);
    return plot < 0.35 ? SPECTRA.roof : plot < 0.7 ? SPECTRA.street : SPECTRA.forest;
  }
  return x < 180 && y < 220 ? SPECTRA.forest : SPECTRA.field;
};

function surveyOf(paint: Painter, given = parameters) {
  const block = paintedBlock(whole, 0, size, paint, given);
  return opticalLandCover.survey!({ overview: block, windows: [block] }, given);
}

function computed(core: PixelRect, paint: Painter, model = surveyOf(paint), given = parameters): Uint8Array {
  const block = paintedBlock(core, LAND_COVER_MARGIN_PX, size, paint, given);
  const [plane] = opticalLandCover.compute(block, model, given).layers;
  assert.ok(plane instanceof Uint8Array);
  const result = new Uint8Array(core.columns * core.rows);
  for (let row = 0; row < core.rows; row++) {
    const start = (row + LAND_COVER_MARGIN_PX) * block.rect.columns + LAND_COVER_MARGIN_PX;
    result.set(plane.subarray(start, start + core.columns), row * core.columns);
  }
  return result;
}

const model = surveyOf(country);
const labels = computed(whole, country, model);

function share(label: number, [column, row, columns, rows]: readonly [number, number, number, number]): number {
  let count = 0;
  for (let y = row; y < row + rows; y++) {
    for (let x = column; x < column + columns; x++) if (labels[y * SIZE + x] === label) count++;
  }
  return count / (columns * rows);
}

test("lake, town, forest, fields and cloud are what they are", () => {
  assert.equal(share(WATER, [55, 265, 50, 50]), 1);
  assert.ok(share(URBAN, [215, 15, 150, 150]) > 0.97, `${share(URBAN, [215, 15, 150, 150])}`);
  assert.ok(share(NONURBAN, [50, 50, 100, 150]) > 0.99);
  assert.ok(share(NONURBAN, [180, 360, 190, 20]) > 0.99);
  assert.equal(share(CLOUDS, [290, 290, 20, 20]), 1);
  assert.ok(
    labels.every((label) => label !== ROADS),
    "roads are not available at 10 m",
  );
});

test("noise of the whole scene makes no field urban, and its town stays one", () => {
  const surveyed = paintedBlock(whole, 0, size, country, parameters, NOISE);
  const noisyModel = opticalLandCover.survey!({ overview: surveyed, windows: [surveyed] }, parameters);
  const block = paintedBlock(whole, LAND_COVER_MARGIN_PX, size, country, parameters, NOISE);
  const [plane] = opticalLandCover.compute(block, noisyModel, parameters).layers;
  assert.ok(plane instanceof Uint8Array);
  const urban = (column: number, row: number): number =>
    Number(plane[(row + LAND_COVER_MARGIN_PX) * block.rect.columns + column + LAND_COVER_MARGIN_PX] === URBAN);
  let [town, fields] = [0, 0];
  for (let y = 0; y < 150; y++) for (let x = 0; x < 150; x++) town += urban(215 + x, 15 + y);
  for (let y = 0; y < 100; y++) for (let x = 0; x < 150; x++) fields += urban(20 + x, 120 + y);
  assert.ok(town > 0.9 * 150 * 150, `${town} urban pixels of the town`);
  assert.ok(fields < 0.02 * 150 * 100, `${fields} urban pixels of the fields`);
});

test("a river of less than two pixels is followed", () => {
  let followed = 0;
  for (let x = 130; x < 270; x++) if (labels[Math.round(riverRow(x)) * SIZE + x] === WATER) followed++;
  assert.ok(followed > 135, `${followed} of 140`);
  assert.equal(share(WATER, [180, 360, 190, 20]), 0);
});

test("no data stays no data, exactly where it was", () => {
  for (let y = 0; y < SIZE; y++) for (let x = 0; x < SIZE; x++) assert.equal(labels[y * SIZE + x] === 0, x + y < 40);
});

test("blocks give what the whole gives", () => {
  for (const core of [
    { column: 0, row: 0, columns: 128, rows: 192 },
    { column: 128, row: 64, columns: 128, rows: 128 },
    { column: 201, row: 137, columns: 77, rows: 90 },
    { column: 256, row: 256, columns: 128, rows: 128 },
    { column: 150, row: 338, columns: 60, rows: 20 },
  ]) {
    const part = computed(core, country, model);
    for (let row = 0; row < core.rows; row++) {
      const start = (core.row + row) * SIZE + core.column;
      assert.deepEqual(
        part.subarray(row * core.columns, (row + 1) * core.columns),
        labels.subarray(start, start + core.columns),
      );
    }
  }
});

test("the same scene teaches the same model, which travels between threads and says how sure it is", () => {
  assert.deepEqual(surveyOf(country), model);
  assert.deepEqual(structuredClone(model), model);
  const description = opticalLandCover.describe!(model);
  assert.equal(description["roads"], "not available");
  assert.equal(description["trees"], 60);
  assert.ok(Number(description["outOfBagError"]) < 0.1);
});

test("a scene of one kind of ground, or of none, has no forest and still a map", () => {
  const sea = computed(whole, () => SPECTRA.water);
  assert.ok(sea.every((label) => label === WATER));
  const fields = computed(whole, () => SPECTRA.field);
  assert.ok(fields.every((label) => label === NONURBAN));
  const nothing = computed(whole, () => null);
  assert.ok(nothing.every((label) => label === 0));
});

/** The same with 1000 digital numbers added. */
const lifted: Painter = (x, y) => country(x, y)?.map((value) => value + 0.1) ?? null;

test("the offset of Sentinel-2 products since 2022 is recognised and taken off", () => {
  const shifted = surveyOf(lifted);
  assert.equal(opticalLandCover.describe!(shifted)["processingOffset"], 0.1);
  const same = computed(whole, lifted, shifted).filter((label, i) => label === labels[i]).length;
  assert.ok(same > 0.99 * labels.length, `${same}`);
  assert.equal(opticalLandCover.describe!(model)["processingOffset"], 0);
});

/** A road of 10 m every 120 m through fields, and a town. */
const roads: Painter = (x, y) => {
  if (x % 60 < 5 || y % 60 < 5) return SPECTRA.street;
  if (x > 250 && y > 250) return hash(x >> 2, y >> 2, 3) < 0.5 ? SPECTRA.roof : SPECTRA.forest;
  return SPECTRA.field;
};

test("grey lines are roads where pixels are fine enough to show them", () => {
  const fine = opticalTestParameters(SIZE, SIZE, { gsdM: 2 });
  const found = computed(whole, roads, surveyOf(roads, fine), fine);
  let hits = 0;
  let all = 0;
  let wrong = 0;
  for (let y = 20; y < 230; y++) {
    for (let x = 20; x < 230; x++) {
      const is = x % 60 < 5 || y % 60 < 5;
      const label = found[y * SIZE + x];
      if (is) all++;
      if (is && label === ROADS) hits++;
      if (!is && label === ROADS) wrong++;
    }
  }
  assert.ok(hits > 0.7 * all, `${hits} of ${all}`);
  assert.ok(wrong < 0.3 * hits, `${wrong} beside`);
});
