import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { decodeSki } from "@swath/kernel/ski/ski-file";
import { createMapTypes } from "../registry.ts";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, gridRequest, jsonOf, sceneFixture, tileAt } from "./testing.ts";
import { draw, LAT, LON, rgbaOf, sharedScene } from "./optical-scene-testing.ts";
import { landCover, RESULT_SIZE, resultFixture, resultRequest } from "./result-scene-testing.ts";

const tile = tileAt(9.04, 49.63, 13);
const STATISTICS = ["max", "mean", "min", "p05", "p50", "p95", "std"];

type Metadata = Readonly<Record<string, unknown>>;

function record(value: unknown): Metadata {
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value));
  return { ...value };
}

/** Checks the members of every metadata.json, for any map type. */
function assertCommon(metadata: Metadata, mapType: string): void {
  assert.equal(metadata["mapType"], mapType);
  assert.equal(metadata["version"], 400);
  assert.match(String(metadata["algoVersion"]), /^\d+$/);
  assert.ok(typeof metadata["sceneId"] === "string" && typeof metadata["mapId"] === "string");
  const algorithm = record(metadata["algorithm"]);
  assert.ok(typeof algorithm["name"] === "string" && typeof algorithm["params"] === "object");
  const statistics = record(metadata["statistics"]);
  for (const key of STATISTICS) assert.ok(key in statistics, `${mapType} has no ${key}`);
  for (const [name, described] of Object.entries(record(metadata["classes"]))) {
    assert.deepEqual(Object.keys(record(described)).toSorted(), ["areaM2", "color", "pixels", "ratio"], name);
  }
  const { validRatio } = metadata;
  assert.ok(typeof validRatio === "number" && validRatio >= 0 && validRatio <= 1);
  assert.ok("cloudRatio" in metadata);
  const quality = record(metadata["quality"]);
  assert.deepEqual([typeof quality["note"], typeof quality["expected"]], ["string", "string"]);
}

test("pictures have statistics of all drawn values together, and of each band", async () => {
  const fixture = await sharedScene();
  const metadata = jsonOf(
    await draw(fixture, gridRequest(fixture.stored, "imagery", "metadata.json", tileAt(LON, LAT, 12))),
  );
  assertCommon(metadata, "imagery");
  const bands = metadata["bands"];
  assert.ok(Array.isArray(bands) && bands.length === 3);
  const all = record(metadata["statistics"]);
  assert.equal(all["min"], Math.min(...bands.map((band) => Number(record(band)["min"]))));
  assert.equal(all["max"], Math.max(...bands.map((band) => Number(record(band)["max"]))));
});

test("an index has a histogram of 64 bins that counts every valid pixel", async () => {
  const fixture = await sharedScene();
  const request = gridRequest(fixture.stored, "ndvi", "metadata.json", tileAt(LON, LAT, 12));
  const metadata = jsonOf(await draw(fixture, { ...request, userThreshold: 0.1 }));
  assertCommon(metadata, "ndvi");
  const { counts } = record(metadata["histogram"]);
  assert.ok(Array.isArray(counts) && counts.length === 64);
  const { above, below } = record(metadata["classes"]);
  const pixels = Number(record(above)["pixels"]) + Number(record(below)["pixels"]);
  assert.equal(
    counts.reduce((sum: number, count: number) => sum + count, 0),
    pixels,
  );
});

test("a threshold makes pictures and metadata.json binary, and no other file", async () => {
  const fixture = await sharedScene();
  const drawn = async (name: string, userThreshold: number | null) =>
    bodyOf(await draw(fixture, { ...gridRequest(fixture.stored, "ndvi", name, tileAt(LON, LAT, 12)), userThreshold }));
  const colors = new Set<string>();
  const rgba = await rgbaOf(await drawn("ndvi.png", 0.1));
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i + 3] !== 0) colors.add(rgba.subarray(i, i + 4).join());
  assert.equal(colors.size, 1, "what lies above is painted, what lies below is not");
  for (const name of ["visualization.geotiff", "analysis.geotiff", "ndvi.ski", "area.json"]) {
    assert.deepEqual(await drawn(name, 0.1), await drawn(name, null), name);
  }
});

test("of classes the share of clouds is that of the window, and there are no statistics of values", async () => {
  await using cover = await landCover();
  using renderer = renderInProcess(cover.local, 32 * 2 ** 20);
  const metadata = jsonOf(await renderer.render(resultRequest(cover, "wrunc", "metadata.json", tile)));
  assertCommon(metadata, "wrunc");
  const { clouds } = record(metadata["classes"]);
  assert.ok(Number(metadata["cloudRatio"]) > 0);
  assert.equal(metadata["cloudRatio"], record(clouds)["ratio"]);
  assert.deepEqual(new Set(Object.values(record(metadata["statistics"]))), new Set([null]));
});

test("several layers of values are described one by one, the first of them in front", async () => {
  const plane = Float32Array.from({ length: RESULT_SIZE * RESULT_SIZE }, (_, i) => 1800 + (i % 100));
  await using fixture = await resultFixture("methane", [plane, plane.map((value) => value - 1850), plane.map(() => 1)]);
  using renderer = renderInProcess(fixture.local, 32 * 2 ** 20);
  const result = { objects: [], metadata: { algoVersion: "7" } };
  const drawn = async (name: string) =>
    await renderer.render(resultRequest(fixture, "methane", name, tile, { result }));
  const metadata = jsonOf(await drawn("metadata.json"));
  assertCommon(metadata, "methane");
  const { methane, excess } = record(metadata["layers"]);
  assert.deepEqual(record(methane)["statistics"], metadata["statistics"]);
  assert.equal(record(methane)["unit"], "ppb");
  assert.ok(Math.abs(Number(record(record(excess)["statistics"])["min"]) + 50) < 1e-3);
  assert.equal(metadata["sScore"], 1);
  const { meta } = decodeSki(bodyOf(await drawn("segmentation.ski")), (packed, maxOutputLength) =>
    gunzipSync(packed, { maxOutputLength }),
  );
  const written = record(record(meta)["meta"]);
  assert.deepEqual([written["algoVersion"], written["sScore"]], ["7", 1], "as metadata.json has them");
});

test("the sum of lights is radiance times area, on the ellipsoid", async () => {
  const plane = new Float32Array(RESULT_SIZE * RESULT_SIZE).fill(12.5);
  await using fixture = await resultFixture("nightlight", [plane]);
  using renderer = renderInProcess(fixture.local, 32 * 2 ** 20);
  const drawn = async (name: string) => jsonOf(await renderer.render(resultRequest(fixture, "nightlight", name, tile)));
  const metadata = await drawn("metadata.json");
  assertCommon(metadata, "nightlight");
  const { valid } = await drawn("area.json");
  const { value, unit } = record(metadata["sumOfLights"]);
  assert.equal(unit, "nW/cm2/sr km2");
  assert.ok(Math.abs(Number(value) - (12.5 * Number(valid)) / 1e6) < 1e-4, `${String(value)}, ${String(valid)} m2`);
});

test("sixteen-bit radar power becomes linear power before an index that is no ratio", async () => {
  const [vv, vh] = [3277, 655];
  await using fixture = await sceneFixture({
    widthPx: 200,
    heightPx: 200,
    bands: [vv, vh].map((value) => new Uint16Array(200 * 200).fill(value)),
    roles: ["VV", "VH"],
    quantity: "backscatter-linear",
  });
  const request = gridRequest(fixture.stored, "vhvvd", "metadata.json", { kind: "scene", maxSizePx: 128 });
  const { mean } = record(jsonOf(await draw(fixture, request))["statistics"]);
  assert.ok(Math.abs(Number(mean) - (vh - vv) / 32_768) < 1e-6, String(mean));
});

test("the width of a kernel is a parameter of its index", async () => {
  const [red, nir] = [0.1, 0.5];
  await using fixture = await sceneFixture({
    widthPx: 100,
    heightPx: 100,
    bands: [red, nir].map((value) => new Float32Array(100 * 100).fill(value)),
    roles: ["R", "N"],
    quantity: "reflectance",
  });
  for (const [id, sigma, width] of [
    ["index:kndvi:sigma=0.5", 0.5, 0.5],
    ["index:kndvi:sigma=0.2", 0.2, 0.2],
    // By default kNDVI is tanh of NDVI squared (Camps-Valls et al. 2021).
    ["kndvi", 0, (nir + red) / 2],
  ] as const) {
    const rendering = createMapTypes([]).find(id)?.rendering;
    assert.ok(rendering !== undefined);
    const request = gridRequest(fixture.stored, "kndvi", "metadata.json", { kind: "scene", maxSizePx: 64 });
    const metadata = jsonOf(await draw(fixture, { ...request, rendering }));
    // kNDVI is (1 - k) / (1 + k), which is tanh of (N - R)^2 / (2 sigma)^2.
    const expected = Math.tanh(((nir - red) / (2 * width)) ** 2);
    assert.ok(Math.abs(Number(record(metadata["statistics"])["mean"]) - expected) < 1e-6);
    assert.equal(record(record(metadata["algorithm"])["params"])["sigma"], sigma);
  }
});
