import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { PlacedObject } from "../analysis/placed-object.ts";
import type { GridFile } from "./grid-renderer.ts";
import { unzipped } from "@swath/raster/archive/testing";
import { createMapTypes } from "../registry.ts";
import { parsedGeoJson, runOgr } from "./ogr-testing.ts";
import { gdalInstalled, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, jsonOf, tileAt } from "./testing.ts";
import { rgbaOf, triangleClip } from "./optical-scene-testing.ts";
import { landCover, RESULT_SIZE, resultFixture, resultRequest } from "./result-scene-testing.ts";
import type { GridRequest } from "./grid-renderer.ts";

const mapTypes = createMapTypes([]);

const cover = await landCover();
const renderer = renderInProcess(cover.local, 32 * 2 ** 20);
const rain = await resultFixture("precipitation", [
  Float32Array.from({ length: RESULT_SIZE * RESULT_SIZE }, (_, i) => (i % RESULT_SIZE) / 100),
]);
const rainRenderer = renderInProcess(rain.local, 32 * 2 ** 20);
after(async () => {
  renderer[Symbol.dispose]();
  rainRenderer[Symbol.dispose]();
  await cover[Symbol.asyncDispose]();
  await rain[Symbol.asyncDispose]();
});
const tile = tileAt(9.04, 49.63, 13);

async function wrunc(fileName: string, more: Partial<GridRequest> = {}, window: GridRequest["window"] = tile) {
  return await renderer.render(resultRequest(cover, "wrunc", fileName, window, more));
}

function colorsOf(rgba: Uint8Array): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i < rgba.length; i += 4) {
    const key = rgba.subarray(i, i + 4).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

test("class polygons have the areas of area.json, in GeoJSON and in the shapefile that OGR opens", async (t) => {
  const clip = triangleClip();
  const areas = jsonOf(await wrunc("area.json", { clip: null }));
  const { features } = parsedGeoJson(bodyOf(await wrunc("polygons.geojson")));
  for (const [name, areaM2] of Object.entries(areas)) {
    const sum = features
      .filter(({ properties }) => properties["class"] === name)
      .reduce((total, { properties }) => total + Number(properties["area"]), 0);
    assert.ok(Math.abs(sum - Number(areaM2)) <= 0.1 * features.length, `${name}: ${sum}, ${String(areaM2)}`);
  }
  const clipped = parsedGeoJson(bodyOf(await wrunc("polygons.geojson", { clip })));
  assert.ok(clipped.features.length > 0 && clipped.features.length < features.length);
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const path = join(folder.path, "wrunc.shz");
  writeFileSync(path, bodyOf(await wrunc("wrunc.shz")));
  const read = parsedGeoJson(runOgr("ogr2ogr", ["-f", "GeoJSON", "/vsistdout/", path]));
  assert.deepEqual(
    read.features.map(({ properties }) => properties),
    features.map(({ properties }) => properties),
  );
  const [summary] = runOgr("ogrinfo", ["-so", "-al", path]).match(/GEOGCRS\["[^"]+"/) ?? [];
  assert.equal(summary, 'GEOGCRS["WGS 84"');
});

test("class polygons of an area across the antimeridian lie on both sides of it and have all of its area", async () => {
  const { stored } = cover;
  // The scene begins 2.9 km west of it.
  const proj4 = "+proj=tmerc +lat_0=0 +lon_0=179.96 +k=0.9996 +x_0=500000 +y_0=0 +datum=WGS84 +units=m +no_defs";
  const across = { ...cover, stored: { ...stored, raster: { ...stored.raster, proj4 } } };
  const window = { kind: "bounds", bounds: [179.965, 49.61, 180.035, 49.64], maxSizePx: 300 } as const;
  const draw = async (name: string): Promise<GridFile> =>
    await renderer.render(resultRequest(across, "wrunc", name, window));
  const { features } = parsedGeoJson(bodyOf(await draw("polygons.geojson")));
  const sides = features.map(({ geometry }) => {
    const { coordinates } = geometry as { readonly coordinates: readonly (readonly (readonly number[])[])[] };
    const lons = coordinates.flat().map(([lon]) => lon);
    assert.ok(
      lons.every((lon) => Math.abs(lon) <= 180 && Math.abs(lon) > 179.9),
      lons.join(),
    );
    assert.ok(Math.max(...lons) - Math.min(...lons) < 1);
    return lons.some((lon) => lon > 0 && lon < 180) ? "west" : "east";
  });
  assert.ok(sides.includes("west") && sides.includes("east"));
  for (const [name, areaM2] of Object.entries(jsonOf(await draw("area.json")))) {
    const sum = features
      .filter(({ properties }) => properties["class"] === name)
      .reduce((total, { properties }) => total + Number(properties["area"]), 0);
    assert.ok(Math.abs(sum - Number(areaM2)) <= 0.1 * features.length, `${name}: ${sum}, ${String(areaM2)}`);
  }
});

test("an archive holds every other file of the tile, byte for byte; pictures as PNG only", async () => {
  for (const id of ["wrunc", "precipitation"]) {
    const [fixture, drawer] = id === "wrunc" ? [cover, renderer] : [rain, rainRenderer];
    const zip = bodyOf(await drawer.render(resultRequest(fixture, id, `${id}.zip`, tile)));
    assert.deepEqual(bodyOf(await drawer.render(resultRequest(fixture, id, `${id}.zip`, tile))), zip);
    const files = await unzipped(zip);
    const others = Object.values(mapTypes.find(id)?.gridFiles ?? {})
      .flat()
      .filter((name) => name !== `${id}.zip` && !name.endsWith(".webp"));
    assert.deepEqual([...files.keys()], others.toSorted());
    for (const name of others) {
      const alone = bodyOf(await drawer.render(resultRequest(fixture, id, name, tile)));
      assert.deepEqual(files.get(name), new Uint8Array(alone), `${id} ${name}`);
    }
  }
});

test("classes are united in pictures, areas and polygons, and left alone in class files and GeoTIFFs", async () => {
  const classification = {
    ranges: [],
    unions: [{ name: "sealed", members: ["roads", "urban"], color: [9, 8, 7] }],
  } as const;
  const plain = jsonOf(await wrunc("area.json"));
  const united = jsonOf(await wrunc("area.json", { classification }));
  assert.deepEqual(Object.keys(united), ["sealed"]);
  const expected = Number(plain["roads"]) + Number(plain["urban"]);
  assert.ok(Math.abs(Number(united["sealed"]) - expected) < 0.2);
  const colors = colorsOf(await rgbaOf(bodyOf(await wrunc("segmentation.png", { classification }))));
  assert.deepEqual([...colors.keys()].toSorted(), ["0,0,0,0", "9,8,7,255"]);
  for (const name of ["water.png", "analysis.geotiff", "segmentation.ski"]) {
    assert.deepEqual(await wrunc(name, { classification }), await wrunc(name), name);
  }
});

async function rainFile(fileName: string, more: Partial<GridRequest>) {
  return await rainRenderer.render(resultRequest(rain, "precipitation", fileName, tile, more));
}

test("values are sorted into the caller's classes, or made binary, or stretched to what the result has", async () => {
  const classification = {
    ranges: [
      { name: "light", low: 0, high: 2, color: [1, 2, 3] },
      { name: "strong", low: 2, high: Infinity, color: [4, 5, 6] },
    ],
    unions: [],
  } as const;
  const colors = colorsOf(await rgbaOf(bodyOf(await rainFile("precipitation.png", { classification }))));
  assert.ok((colors.get("1,2,3,255") ?? 0) > 1000 && (colors.get("4,5,6,255") ?? 0) > 1000);
  const areas = jsonOf(await rainFile("area.json", { classification }));
  const { valid } = jsonOf(await rainFile("area.json", {}));
  assert.ok(Math.abs(Number(areas["light"]) + Number(areas["strong"]) - Number(valid)) < 0.3);
  const metadata = jsonOf(await rainFile("metadata.json", { userThreshold: 2 }));
  const classes = metadata["classes"] as Record<string, { areaM2: number; ratio: number }>;
  assert.ok(Math.abs(classes["above"].areaM2 - Number(areas["strong"])) < 0.2);
  assert.ok(Math.abs(classes["above"].ratio + classes["below"].ratio - 1) < 1e-5);
  const binary = colorsOf(await rgbaOf(bodyOf(await rainFile("precipitation.png", { userThreshold: 2 }))));
  assert.equal(binary.size, 2);
  const range = async (percentileStretch: boolean) =>
    colorsOf(await rgbaOf(bodyOf(await rainFile("precipitation.png", { percentileStretch })))).size;
  assert.ok((await range(true)) > 1.5 * (await range(false)), "values up to 6 of 20 mm/h spread over all colours");
});

test("without a valid pixel there is no picture, but JSON, GeoJSON, shapefile and archive", async () => {
  // Class 0 fills the first square.
  const clip = {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [9.0005, 49.6495],
          [9.002, 49.6495],
          [9.002, 49.651],
          [9.0005, 49.651],
          [9.0005, 49.6495],
        ],
      ],
    ],
  } as const;
  const window = tileAt(9.001, 49.65, 16);
  for (const name of ["segmentation.png", "segmentation.webp", "water.png", "segmentation.ski"]) {
    assert.deepEqual(await wrunc(name, { clip }, window), { kind: "empty" }, name);
    assert.equal((await wrunc(name, { clip, forceDownload: true }, window)).kind, "file", name);
  }
  for (const name of ["metadata.json", "area.json", "polygons.geojson", "wrunc.shz", "wrunc.zip"]) {
    assert.equal((await wrunc(name, { clip }, window)).kind, "file", name);
  }
  const names = [...(await unzipped(bodyOf(await wrunc("wrunc.zip", { clip }, window)))).keys()];
  assert.ok(!names.includes("segmentation.png") && names.includes("metadata.json"));
});

async function classPixels(name: string): Promise<Uint8Array> {
  return await rgbaOf(bodyOf(await wrunc(`${name}.png`, {}, tileAt(9.04, 49.63, 18))));
}

test("a class without a pixel is a transparent picture of the tile's size", async () => {
  const all = await Promise.all(["water", "roads", "urban", "nonurban", "clouds"].map(classPixels));
  assert.deepEqual(new Set(all.map(({ length }) => length)), new Set([512 * 512 * 4]));
  assert.ok(all.some((rgba) => colorsOf(rgba).size === 1));
});

const SHIP: PlacedObject = {
  centre: [9.04, 49.63],
  ring: [
    [9.04, 49.63],
    [9.041, 49.63],
    [9.041, 49.631],
    [9.04, 49.631],
    [9.04, 49.63],
  ],
  properties: { class: "ship", area: 8000, count: 2, confidence: 0.5, latLonCenter: [49.6305, 9.0405] },
};

test("objects are counted in metadata.json and are rows of the shapefile", async (t) => {
  const rendering = mapTypes.find("methane")?.rendering;
  assert.ok(rendering?.kind === "result");
  const plane = new Float32Array(RESULT_SIZE * RESULT_SIZE).fill(1900);
  await using fixture = await resultFixture("methane", [plane, plane, plane.map(() => 1)]);
  using drawer = renderInProcess(fixture.local, 2 ** 24);
  const draw = async (name: string) =>
    await drawer.render(resultRequest(fixture, "methane", name, tile, { objects: [SHIP] }));
  const metadata = jsonOf(await draw("metadata.json"));
  assert.deepEqual(metadata["features"], { features: 1, count: 2, byClass: { ship: 2 } });
  assert.equal(metadata["sScore"], 1);
  assert.equal(metadata["algoVersion"], String(mapTypes.find("methane")?.version));
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const path = join(folder.path, "methane.shz");
  writeFileSync(path, bodyOf(await draw("methane.shz")));
  const { features } = parsedGeoJson(runOgr("ogr2ogr", ["-f", "GeoJSON", "-lco", "RFC7946=YES", "/vsistdout/", path]));
  const [geojson] = parsedGeoJson(bodyOf(await draw("detections.geojson"))).features;
  const { latLonCenter: _center, ...properties } = geojson?.properties ?? {};
  assert.deepEqual(features[0]?.properties, { ...properties, centerLat: 49.6305, centerLon: 9.0405 });
  assert.deepEqual(features[0]?.geometry, geojson?.geometry);
});
