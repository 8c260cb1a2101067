import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { SceneModel } from "../scene-model.ts";
import { WORLD_CLASSES, COVER_PROBABILITIES } from "./land-cover.ts";
import { cloudCoverOf, drawRows, forgetSurfaces, groundTruth } from "./render.ts";
import { speckle, speckleQuantiles } from "./speckle.ts";
import { modelAt, onDayWith, worldwideModel, type ModelOptions } from "./world-model.fixture.ts";

const CITY = { lonDeg: 153.11, latDeg: -27.43 };
const SMALL: ModelOptions = { ...CITY, pixelM: 10, sidePx: 300, time: "2018-01-12T00:10:00Z" };

const whole = (model: SceneModel, band: number): ReturnType<typeof drawRows> => {
  const { widthPx, heightPx } = model.bands[band]!;
  return drawRows(model, band, 0, 0, widthPx, heightPx);
};

const meanOf = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i]!;
  return sum / values.length;
};

const clear = (options: ModelOptions): SceneModel => onDayWith(options, cloudCoverOf, 0, 0);

test("equal models give equal pixels, drawn anew or remembered", () => {
  const first = whole(modelAt(SMALL), 2);
  const remembered = whole(modelAt(SMALL), 2);
  forgetSurfaces();
  const anew = whole(modelAt(SMALL), 2);
  assert.deepEqual(first, remembered);
  assert.deepEqual(first, anew);
});

test("any window shows the pixels of the whole scene", () => {
  for (const datasetType of ["optical", "sar-grd"] as const) {
    const model = modelAt({ ...SMALL, datasetType, roles: datasetType === "optical" ? ["R"] : ["VV"] });
    const all = whole(model, 0);
    fc.assert(
      fc.property(
        fc.nat(290),
        fc.nat(290),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (column, row, wide, high) => {
          const columns = Math.min(wide, 300 - column);
          const rows = Math.min(high, 300 - row);
          const part = drawRows(model, 0, column, row, columns, rows);
          for (let line = 0; line < rows; line += 1) {
            const from = (row + line) * 300 + column;
            assert.deepEqual(part.subarray(line * columns, (line + 1) * columns), all.subarray(from, from + columns));
          }
        },
      ),
      { numRuns: 30 },
    );
  }
});

test("pixels outside the footprint are no data, and inside none is", () => {
  const base = modelAt({ ...SMALL, roles: ["R"] });
  const ring = base.footprint.coordinates[0]![0]!;
  const model = {
    ...base,
    footprint: { type: "MultiPolygon", coordinates: [[[ring[0]!, ring[1]!, ring[2]!, ring[0]!]]] },
  } as const;
  const pixels = whole(model, 0);
  assert.equal(pixels[5], 0);
  assert.ok(pixels[299 * 300 + 290]! > 0);
  const filled = meanOf(Float64Array.from(pixels, (value) => (value > 0 ? 1 : 0)));
  assert.ok(Math.abs(filled - 0.5) < 0.01, `${filled} of the pixels are inside half of the square`);
  assert.ok(!whole(base, 0).includes(0));
});

test("windows and bands that do not exist are refused", () => {
  const model = modelAt(SMALL);
  assert.throws(() => drawRows(model, 9, 0, 0, 1, 1), /got index 9/);
  assert.throws(() => drawRows(model, 0, 299, 0, 2, 1), /leaves the band/);
});

test("a coarse picture is about the mean of a fine one", () => {
  for (const place of [CITY, { lonDeg: 12.5, latDeg: 46.3 }, { lonDeg: 30.2, latDeg: 2.1 }]) {
    const time = "2018-06-02T00:10:00Z";
    const fine = clear({ ...place, pixelM: 2, sidePx: 500, time, roles: ["R", "N"] });
    const iso = new Date(fine.acquiredAtMs).toISOString();
    const coarse = modelAt({ ...place, pixelM: 10, sidePx: 100, time: iso, roles: ["R", "N"] });
    for (const band of [0, 1]) {
      const [a, b] = [meanOf(whole(fine, band)), meanOf(whole(coarse, band))];
      assert.ok(Math.abs(a / b - 1) < 0.2, `${JSON.stringify(place)} band ${band}: ${a} at 2 m, ${b} at 10 m`);
    }
  }
});

test("streets and buildings stay where they are from date to date, cars do not", () => {
  const options: ModelOptions = { ...CITY, pixelM: 0.5, sidePx: 600, time: "2018-01-12T00:10:00Z", roles: ["R"] };
  const window = { column: 0, row: 0, columns: 600, rows: 600 };
  const first = groundTruth(modelAt(options), window);
  const later = groundTruth(modelAt({ ...options, time: "2018-04-20T00:10:00Z" }), window);
  const places = (objects: typeof first.buildings): Set<string> =>
    new Set(objects.map(({ centre }) => centre.map((v) => v.toFixed(7)).join()));
  assert.ok(first.buildings.length > 50, `${first.buildings.length} buildings`);
  const stayed = [...places(first.buildings)].filter((place) => places(later.buildings).has(place)).length;
  assert.ok(stayed > 0.95 * first.buildings.length);
  const [before, after] = [places(first.cars), places(later.cars)];
  const parked = [...before].filter((place) => after.has(place)).length;
  assert.ok(parked < 0.2 * before.size, `${parked} of ${before.size} cars have not moved`);
});

test("water is darker in near infrared than in red, and woods the other way round", () => {
  const sea = clear({ lonDeg: 153.42, latDeg: -27.4, pixelM: 10, sidePx: 128, time: SMALL.time, roles: ["R", "N"] });
  assert.ok(meanOf(whole(sea, 1)) < meanOf(whole(sea, 0)));
  const woods = clear({ lonDeg: 30.2, latDeg: 2.1, pixelM: 30, sidePx: 256, time: SMALL.time, roles: ["R", "N"] });
  assert.ok(meanOf(whole(woods, 1)) > 2 * meanOf(whole(woods, 0)));
});

test("fields are greener in their summer than in their winter on both hemispheres", () => {
  for (const [lonDeg, latDeg] of [
    [14.2, 46.2],
    [5.1, 50.2],
    [142.9, -36.4],
  ] as const) {
    const vigour = (time: string): number => {
      const model = clear({ lonDeg, latDeg, pixelM: 30, sidePx: 256, time, roles: ["R", "N"] });
      const [red, near] = [meanOf(whole(model, 0)), meanOf(whole(model, 1))];
      return (near - red) / (near + red);
    };
    const july = vigour("2019-07-01T10:00:00Z");
    const january = vigour("2019-01-05T10:00:00Z");
    const [summer, winter] = latDeg > 0 ? [july, january] : [january, july];
    assert.ok(summer > winter + 0.15, `${latDeg}: ${summer} in summer, ${winter} in winter`);
  }
});

test("the cloud cover of a scene is the ratio of cloud in its ground truth", () => {
  for (const [from, to] of [
    [0.05, 0.3],
    [0.3, 0.7],
    [0.75, 1],
  ] as const) {
    const model = onDayWith({ ...SMALL, pixelM: 60, sidePx: 384, roles: ["R"] }, cloudCoverOf, from, to);
    const { classes } = groundTruth(model, { column: 0, row: 0, columns: 384, rows: 384 });
    const cloudy = classes.filter((value) => WORLD_CLASSES[value] === "clouds").length / classes.length;
    assert.ok(Math.abs(cloudy - cloudCoverOf(model)) < 0.08, `${cloudy} is drawn, ${cloudCoverOf(model)} is said`);
  }
});

test("cloud cover over the years follows the climatology", () => {
  let sum = 0;
  const days = 500;
  for (let day = 0; day < days; day += 1) {
    sum += cloudCoverOf(
      modelAt({
        lonDeg: 12,
        latDeg: 52,
        pixelM: 60,
        sidePx: 400,
        time: new Date(Date.UTC(2018, 0, 1 + day)).toISOString(),
        roles: ["R"],
      }),
    );
  }
  assert.ok(Math.abs(sum / days - 0.6) < 0.15, `mean cloud cover ${sum / days}`);
});

test("speckle has mean 1 and the stated number of looks", () => {
  for (const looks of [1, 1.6, 4.4, 12]) {
    const quantiles = speckleQuantiles(looks);
    const values = Float64Array.from({ length: 4096 }, (_, i) => speckle(quantiles, (i + 0.5) / 4096));
    const mean = meanOf(values);
    const variance = meanOf(values.map((value) => (value - mean) ** 2));
    assert.ok(Math.abs(mean - 1) < 1e-3);
    assert.ok(
      Math.abs((mean * mean) / variance / looks - 1) < 0.05,
      `${(mean * mean) / variance} looks instead of ${looks}`,
    );
  }
});

test("a quay goes on where a block holds nothing but sea", () => {
  const model = clear({ lonDeg: 153.205, latDeg: -27.385, pixelM: 2, sidePx: 768, time: SMALL.time, roles: ["R"] });
  const { classes } = groundTruth(model, { column: 0, row: 0, columns: 768, rows: 768 });
  // Both sides of the edge between two blocks look alike; a quay that stops there would change most of them.
  for (const edge of [256, 512]) {
    let changes = 0;
    for (let row = 0; row < 768; row += 1) {
      const [before, after] = [classes[row * 768 + edge - 1]!, classes[row * 768 + edge]!];
      if (before !== after) changes += 1;
    }
    assert.ok(changes < 60, `${changes} of 768 rows change class at column ${edge}`);
  }
});

test("radar sees ships brighter than the sea around them", () => {
  let ships = 0;
  for (let hour = 0; hour < 60 && ships < 12; hour += 6) {
    const time = new Date(Date.parse("2018-01-12T00:10:00Z") + hour * 3_600_000).toISOString();
    const model = modelAt({
      lonDeg: 153.5,
      latDeg: -27.4,
      pixelM: 20,
      sidePx: 1024,
      time,
      datasetType: "sar-grd",
      roles: ["VV"],
    });
    const truth = groundTruth(model, { column: 0, row: 0, columns: 1024, rows: 1024 });
    const pixels = whole(model, 0);
    const level = pixels.toSorted()[pixels.length >> 1]!;
    for (const ship of truth.ships) {
      ships += 1;
      const at = Math.floor(ship.centrePx[1]) * 1024 + Math.floor(ship.centrePx[0]);
      const times = ship.lengthM < 80 ? 10 : 100;
      assert.ok(pixels[at]! > times * level, `${ship.lengthM} m: ${pixels[at]} over a sea of ${level}`);
    }
  }
  assert.ok(ships >= 12, `only ${ships} ships`);
});

test("probabilities of the nine classes sum to 1 and follow the truth", () => {
  const meanings = COVER_PROBABILITIES.map((name) => `probability:${name}`);
  const model = onDayWith({ ...SMALL, sidePx: 128, meanings, datasetType: "probabilities" }, cloudCoverOf, 0, 0);
  const bands = meanings.map((_, band) => whole(model, band));
  const { classes } = groundTruth(model, { column: 0, row: 0, columns: 128, rows: 128 });
  for (let i = 0; i < 128 * 128; i += 1) {
    const sum = bands.reduce((total, band) => total + band[i]!, 0);
    assert.ok(Math.abs(sum - 1) < 1e-5);
    if (WORLD_CLASSES[classes[i]!] === "urban") assert.ok(bands[6]![i]! > 0.3);
  }
});

test("rain moves on without jumps and falls in few places", () => {
  const noon = Date.UTC(2018, 0, 12, 12);
  const at = (hours: number): ReturnType<typeof drawRows> =>
    drawRows(worldwideModel("precipitation-mm-per-h", 0.5, noon + hours * 3_600_000), 0, 100, 60, 400, 120);
  const now = at(0);
  const wet = now.filter((value) => value > 0.1).length / now.length;
  assert.ok(wet > 0.03 && wet < 0.3, `${wet} of the cells are wet`);
  const difference = (other: ReturnType<typeof drawRows>): number =>
    meanOf(Float64Array.from(now, (value, i) => Math.abs(value - other[i]!)));
  assert.ok(
    difference(at(1)) < 0.5 * difference(at(24)),
    `${difference(at(1))} in an hour, ${difference(at(24))} in a day`,
  );
  assert.ok(now.every((value) => value >= 0 && value <= 60));
});

test("towns shine at night", () => {
  const model = worldwideModel("night-lights-nw-per-cm2-sr", 0.01, Date.UTC(2018, 0, 1));
  const column = Math.floor((CITY.lonDeg + 180) / 0.01);
  const row = Math.floor((60 - CITY.latDeg) / 0.01);
  assert.ok(meanOf(drawRows(model, 0, column - 5, row - 5, 10, 10)) > 15);
  assert.ok(meanOf(drawRows(model, 0, column + 150, row - 5, 10, 10)) < 1);
});
