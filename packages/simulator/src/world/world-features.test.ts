import assert from "node:assert/strict";
import { test } from "node:test";
import type { SceneModel } from "../scene-model.ts";
import { burnsAround } from "./burns.ts";
import { NO_TRUTH, WORLD_CLASSES } from "./land-cover.ts";
import { cloudCoverOf, drawRows, groundTruth } from "./render.ts";
import { modelAt, onDayWith, type ModelOptions } from "./world-model.fixture.ts";

const whole = (model: SceneModel, band: number): ReturnType<typeof drawRows> => {
  const { widthPx, heightPx } = model.bands[band]!;
  return drawRows(model, band, 0, 0, widthPx, heightPx);
};

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test("bands drawn one by one are those drawn together, whichever is asked for first", () => {
  const options: ModelOptions = {
    lonDeg: 153.11,
    latDeg: -27.43,
    pixelM: 4,
    sidePx: 300,
    time: "2018-03-12T00:10:00Z",
  };
  const together = modelAt(options);
  const first = together.bands.map((_, band) => whole(together, band));
  for (const [band, pixels] of first.entries()) {
    // Another scene to whatever remembers what was drawn, with the same noise.
    assert.deepEqual(whole({ ...modelAt(options), satellite: `Test ${band}` }, band), pixels);
  }
});

const landsat7 = (time: string): SceneModel => ({
  ...modelAt({ lonDeg: 21, latDeg: 2, pixelM: 240, sidePx: 762, time, roles: ["R"] }),
  dataset: "LANDSAT/LE07/C02/T1",
});

test("a Landsat 7 scene has lost a fifth to gaps between its scan lines since June 2003, and nothing in its middle", () => {
  const lostIn = (model: SceneModel): number => whole(model, 0).filter((value) => value === 0).length / (762 * 762);
  assert.equal(lostIn(landsat7("2003-05-12T08:00:00Z")), 0);
  const broken = landsat7("2010-05-12T08:00:00Z");
  const pixels = whole(broken, 0);
  // The gaps widen from 0 at 11 km to 420 m of every 990 m at 91.5 km: 18.7 percent of the swath.
  assert.ok(Math.abs(lostIn(broken) - 0.187) < 0.02, `${lostIn(broken)} is lost`);
  const middle = drawRows(broken, 0, 360, 360, 40, 40);
  assert.ok(!middle.includes(0));
  const { classes } = groundTruth(broken, { column: 0, row: 300, columns: 762, rows: 40 });
  classes.forEach((value, i) => assert.equal(value === NO_TRUTH, pixels[300 * 762 + i] === 0));
});

test("a fire glows in the short-wave infrared, and its smoke is seen in blue and seen through there", () => {
  let seen = 0;
  for (let day = 17_000; day < 17_400 && seen < 3; day += 1) {
    for (const burn of burnsAround(24, -12, 500_000, day)) {
      if (day < burn.day || day > burn.day + 3 || burn.radiusM < 1500 || burn.radiusM > 3500) continue;
      const time = new Date((day + 0.4) * 86_400_000).toISOString();
      const place: ModelOptions = { ...burn, pixelM: 20, sidePx: 800, time, roles: ["B", "S2"] };
      const model = modelAt(place);
      if (cloudCoverOf(model) > 0) continue;
      const { fires, classes } = groundTruth(model, { column: 0, row: 0, columns: 800, rows: 800 });
      assert.ok(fires.length > 0);
      const [blue, infrared] = [whole(model, 0), whole(model, 1)];
      const burning = classes.filter((value, i) => WORLD_CLASSES[value] === "burned" && infrared[i]! > 5500).length;
      if (burning < 5) continue;
      seen += 1;
      const beside = (metres: number): readonly [number, number] => {
        const column = 400 + Math.round((Math.sin(burn.windRad) * metres) / 20);
        const row = 400 - Math.round((Math.cos(burn.windRad) * metres) / 20);
        const around = [-30, -15, 0, 15, 30].flatMap((j) =>
          [-30, -15, 0, 15, 30].map((i) => (row + j) * 800 + column + i),
        );
        return [meanOf(around.map((i) => blue[i]!)), meanOf(around.map((i) => infrared[i]!))];
      };
      const [downwind, through] = beside(1.6 * burn.radiusM);
      const [upwind, without] = beside(-1.8 * burn.radiusM);
      assert.ok(downwind > upwind + 250, `blue is ${downwind} in the smoke and ${upwind} out of it`);
      assert.ok(Math.abs(through - without) < 700, `infrared is ${through} in the smoke and ${without} out of it`);
    }
  }
  assert.ok(seen >= 2, `only ${seen} fires in sight`);
});

test("seen from the side, roofs lean away from the satellite by their height, and footprints stay", () => {
  const options: ModelOptions = {
    lonDeg: 153.11,
    latDeg: -27.43,
    pixelM: 0.5,
    sidePx: 700,
    time: "2018-01-12T00:10:00Z",
    roles: ["R"],
  };
  const base = onDayWith(options, cloudCoverOf, 0, 0);
  const nadir = { ...base, offNadirDeg: 0, sceneId: "nadir" };
  const tilted = { ...base, offNadirDeg: 27, satelliteAzimuthDeg: 100, sceneId: "tilted" };
  const window = { column: 0, row: 0, columns: 700, rows: 700 };
  const truth = groundTruth(nadir, window).buildings;
  assert.deepEqual(
    groundTruth(tilted, window).buildings.map(({ centre }) => centre),
    truth.map(({ centre }) => centre),
  );
  const [from, to] = [whole(nadir, 0), whole(tilted, 0)];
  const lean = Math.tan((27 * 1.1 * Math.PI) / 180);
  const [sin, cos] = [Math.sin((100 * Math.PI) / 180), Math.cos((100 * Math.PI) / 180)];
  let followed = 0;
  let stayed = 0;
  let roofs = 0;
  for (const { centrePx, heightM, lengthM, widthM } of truth) {
    if (heightM === null || heightM < 8 || lengthM < 12 || widthM < 12) continue;
    // A step towards the satellite from the middle, on the roof; grid north is true north within a degree here.
    const run = (heightM * lean) / 0.5;
    const x = centrePx[0];
    const y = centrePx[1];
    if (x < 60 || y < 60 || x > 640 || y > 640) continue;
    for (let step = -8; step <= 8; step += 4) {
      const at = (dx: number, dy: number): number => Math.round(y + dy) * 700 + Math.round(x + dx);
      const roof = from[at(step * cos, step * sin)]!;
      followed += Math.abs(to[at(step * cos - sin * run, step * sin + cos * run)]! - roof);
      stayed += Math.abs(to[at(step * cos + sin * 0.8 * run, step * sin - cos * 0.8 * run)]! - roof);
      roofs += 1;
    }
  }
  assert.ok(roofs > 100, `${roofs} places on roofs`);
  assert.ok(followed < 0.6 * stayed, `${followed} where the roofs lean to, ${stayed} where they lean from`);
});

test("wetlands lie beside rivers and shores, wetter in the infrared than grass", () => {
  let wetlands = 0;
  for (const [lonDeg, latDeg] of [
    [12.5, 46.3],
    [19, -2.5],
    [104, 0.5],
    [4.6, 51.4],
  ] as const) {
    const place: ModelOptions = { lonDeg, latDeg, pixelM: 30, sidePx: 400, time: "2019-06-20T10:00:00Z" };
    const sky = onDayWith({ ...place, roles: ["N", "S1"] }, cloudCoverOf, 0, 0.3);
    const time = new Date(sky.acquiredAtMs).toISOString();
    const labels = whole(modelAt({ ...place, time, datasetType: "probabilities", meanings: ["label:cover"] }), 0);
    const [near, short] = [whole(sky, 0), whole(sky, 1)];
    const wetness = (label: number): readonly number[] =>
      [...labels.keys()].flatMap((i) => (labels[i] === label ? [(near[i]! - short[i]!) / (near[i]! + short[i]!)] : []));
    const marsh = wetness(4);
    if (marsh.length < 50) continue;
    wetlands += 1;
    const grass = wetness(3);
    assert.ok(meanOf(marsh) > meanOf(grass) + 0.1, `${meanOf(marsh)} in marshes, ${meanOf(grass)} on grass`);
    assert.ok(marsh.length < 0.2 * labels.length, `${marsh.length} pixels of marsh`);
  }
  assert.ok(wetlands >= 2, `wetlands at ${wetlands} places`);
});

test("crowns, pools and lorries of a town are listed where they are drawn", () => {
  const sidePx = 1200;
  const options: ModelOptions = {
    lonDeg: 139.77,
    latDeg: 35.62,
    pixelM: 0.5,
    sidePx,
    time: "2018-06-12T03:10:00Z",
    roles: ["B", "R", "N"],
  };
  const model = onDayWith(options, cloudCoverOf, 0, 0.001);
  const truth = groundTruth(model, { column: 0, row: 0, columns: sidePx, rows: sidePx });
  const [blue, red, near] = [0, 1, 2].map((band) => whole(model, band));
  const at = ({ centrePx: [column, row] }: (typeof truth.trees)[number]): number =>
    Math.floor(row) * sidePx + Math.floor(column);
  const { trees, pools, trucks } = truth;
  assert.ok(
    trees.length > 100 && pools.length > 2 && trucks.length > 2,
    `${trees.length} ${pools.length} ${trucks.length}`,
  );
  // Some stand in the shade of a house, or beneath what leans over them.
  const share = (list: typeof trees, holds: (pixel: number) => boolean): number =>
    list.filter((object) => holds(at(object))).length / list.length;
  assert.ok(share(trees, (pixel) => near![pixel]! > 1.8 * red![pixel]!) > 0.8);
  assert.ok(share(pools, (pixel) => blue![pixel]! > 1.4 * near![pixel]!) > 0.7);
  for (const { lengthM, widthM } of trucks) assert.ok(lengthM >= 7 && lengthM <= 13 && widthM === 2.5);
});
