import assert from "node:assert/strict";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { sampleRows, sampleScene } from "./sample-scene.ts";
import { sceneDocument } from "./scene-document.ts";
import { cloudCoverOf, groundTruth } from "./world/render.ts";
import { WORLD_CLASSES } from "./world/land-cover.ts";

const SMALL = { seed: 17, widthPx: 300, heightPx: 280, resolutionM: 12 };
const idle = new AbortController().signal;

async function draw(options: typeof SMALL): Promise<readonly (readonly number[])[]> {
  const pixels: number[][] = [[], [], [], []];
  for await (const { rows, bands } of sampleRows(sampleScene(options), idle)) {
    assert.ok(bands.every(({ length }) => length === rows * options.widthPx));
    for (const [index, band] of bands.entries()) pixels[index]?.push(...band);
  }
  return pixels;
}

test("equal options give equal scenes, another seed gives another one, and every pixel is valid", async () => {
  const first = await draw(SMALL);
  assert.deepEqual(first, await draw(SMALL));
  assert.notDeepEqual(first, await draw({ ...SMALL, seed: 18 }));
  for (const band of first) {
    assert.equal(band.length, 300 * 280);
    assert.ok(band.every((value) => value > 0));
  }
});

test("the grid lies where the seed says, in whole pixels", () => {
  for (const seed of [0, 5, 17, -4, 2 ** 31 - 1]) {
    const model = sampleScene({ ...SMALL, seed });
    const zone = utmZoneOfEpsg(model.crsEpsg);
    const [band] = model.bands;
    assert.ok(zone !== null && band !== undefined);
    assert.ok(Math.abs(band.originX % 12) < 1e-6 && Math.abs(band.originY % 12) < 1e-6);
    const { inverse } = createProjection(utmProjString(zone));
    const [lon, lat] = inverse(band.originX + 1800, band.originY - 1680);
    const ring = model.footprint.coordinates[0]?.[0] ?? [];
    const lons = ring.map((point) => point[0]);
    const lats = ring.map((point) => point[1]);
    assert.ok(Math.abs((Math.min(...lons) + Math.max(...lons)) / 2 - lon) < 1e-4);
    assert.ok(Math.abs((Math.min(...lats) + Math.max(...lats)) / 2 - lat) < 1e-4);
    assert.ok(model.sunElevationDeg > 30, `${model.sunElevationDeg}`);
    assert.ok(cloudCoverOf(model) < 0.2);
  }
});

test("the scene of the demonstration shows water, a town and fields, and its plants reflect near infrared", async () => {
  const options = { ...SMALL, widthPx: 333, heightPx: 333 };
  const model = sampleScene(options);
  const pixels = await draw(options);
  const { classes } = groundTruth(model, { column: 0, row: 0, columns: 333, rows: 333 });
  const meanNdvi = (name: (typeof WORLD_CLASSES)[number]): number => {
    const kind = WORLD_CLASSES.indexOf(name);
    let [sum, count] = [0, 0];
    for (const [i, value] of classes.entries()) {
      if (value !== kind) continue;
      const [nir, red] = [pixels[3]?.[i] ?? 0, pixels[2]?.[i] ?? 0];
      sum += (nir - red) / (nir + red);
      count += 1;
    }
    assert.ok(count > 0.05 * classes.length, `${name} covers ${count} of ${classes.length} pixels`);
    return sum / count;
  };
  assert.ok(meanNdvi("water") < 0);
  assert.ok(meanNdvi("nonurban") > 0.35);
  assert.ok(meanNdvi("urban") < 0.5);
});

test("the document says what the pixels mean", () => {
  const model = sampleScene(SMALL);
  const document = sceneDocument(model, 0.0312345);
  assert.equal(document.foreignId, "simulated-17-300x280-12m");
  assert.equal(document.cloudCover, 0.0312);
  assert.match(document.datetime, /^2024-1\d-\d\d \d\d:\d\d:\d\d$/);
  for (const { reflectanceMult, reflectanceAdd, gsd } of document.bands) {
    assert.ok(Math.abs((reflectanceMult ?? 0) - 1e-4 * Math.sin((model.sunElevationDeg * Math.PI) / 180)) < 1e-12);
    assert.deepEqual([reflectanceAdd, gsd], [0, 12]);
  }
});

test("options outside their ranges are refused with the value, and an aborted drawing ends", async () => {
  assert.throws(() => sampleScene({ ...SMALL, widthPx: 3 }), /got 3/);
  assert.throws(() => sampleScene({ ...SMALL, resolutionM: 100 }), /got 100/);
  await assert.rejects(async () => {
    for await (const _ of sampleRows(sampleScene(SMALL), AbortSignal.abort(new Error("left")))) assert.fail();
  }, /left/);
});
