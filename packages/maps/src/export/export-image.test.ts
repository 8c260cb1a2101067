import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredRaster, DataType } from "@swath/kernel/scenes/stored-raster";
import sharp from "sharp";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { sceneFixture, type FixtureOptions, type SceneFixture } from "../render/testing.ts";
import { landscape } from "@swath/raster/testing/landscape";
import { commonType } from "./export-geotiff.ts";
import type { ExportBand, ExportedImage, ExportJob } from "./export-job.ts";
import { exportInWorker } from "./run-export-worker.ts";
import { readSki } from "./ski-testing.ts";

const NO_GDAL = { skip: gdalInstalled ? false : "GDAL is not installed" };
const UTM = createProjection("+proj=utm +zone=32 +datum=WGS84 +x_0=500000 +y_0=0");

/** A box of scene pixels of 10 m as an area in longitude and latitude. */
function boxOf(left: number, top: number, right: number, bottom: number): MultiPolygon {
  const corners = [
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ] as const;
  const ring = corners.map(([column, row]) => UTM.inverse(500_000 + 10 * column, 5_500_000 - 10 * row));
  return { type: "MultiPolygon", coordinates: [[ring]] };
}

function fixtureOf(options: Partial<FixtureOptions> & Pick<FixtureOptions, "bands">): Promise<SceneFixture> {
  return sceneFixture({
    widthPx: 300,
    heightPx: 280,
    roles: ["R", "G", "B"].slice(0, options.bands.length) as ("R" | "G" | "B")[],
    ...options,
  });
}

function window(position: number, x: number, y: number, widthPx: number, heightPx: number): ExportBand {
  return { position, window: { x, y, widthPx, heightPx }, widthPx, heightPx };
}

async function make(
  { stored, local }: { readonly stored: SceneFixture["stored"]; readonly local: BlobStore },
  job: Partial<ExportJob> & Pick<ExportJob, "bands">,
): Promise<ExportedImage> {
  const full = { meta: stored.scene, raster: stored.raster, area: null, onlyArea: false, version: "1", ...job };
  return await exportInWorker(local, full, new AbortController().signal);
}

function cut(pixels: ArrayLike<number>, widthPx: number, x: number, y: number, w: number, h: number): number[] {
  return Array.from({ length: w * h }, (_, i) => pixels[(y + Math.floor(i / w)) * widthPx + x + (i % w)] ?? Number.NaN);
}

/** Of a picture of 12 pixels a row. */
function isLeft(i: number): boolean {
  return i % 12 < 6;
}

function keyed(prefix: string, { bands }: StoredRaster): StoredRaster["bands"] {
  return bands.map((band) => ({ ...band, key: `${prefix}${band.key}` }));
}

/** Members of GDAL's description of a file that the tests read. */
interface GdalInfo {
  readonly geoTransform: readonly number[];
  readonly stac: { readonly "proj:epsg": number };
  readonly bands: readonly { readonly description: string }[];
}

test("all three files have exactly the stored values of the window", async (t) => {
  const bands = [1, 2, 3].map((seed) => landscape(new Uint16Array(300 * 280), 300, seed, 30_000));
  await using fixture = await fixtureOf({ bands });
  const parts = [0, 1, 2].map((position) => window(position, 37, 251, 200, 29));
  const image = await make(fixture, { bands: parts });

  const ski = readSki(image.ski);
  assert.deepEqual(ski.files, ["info.json", "00000.skb", "00001.skb", "00002.skb", "00003.skb", "meta.json"]);
  assert.deepEqual(ski.names.slice(0, 3), [
    ["r", "R"],
    ["g", "G"],
    ["b", "B"],
  ]);
  assert.deepEqual(ski.names[3], ["__MASK__r__", "__MASK__g__", "__MASK__b__"]);
  assert.equal(typeof ski.version, "string");
  assert.equal(ski.meta["sceneId"], fixture.stored.scene.sceneId);
  for (const [i, band] of bands.entries()) {
    const got = ski.bands[i];
    assert.deepEqual([got.type, got.widthPx, got.heightPx], [16, 200, 29]);
    assert.deepEqual(got.pixels, cut(band, 300, 37, 251, 200, 29));
  }
  assert.ok(ski.bands[3]?.pixels.every((bits) => bits === 0b111));
  assert.deepEqual(await make(fixture, { bands: parts }), image);

  const picture = await sharp(image.png).metadata();
  assert.deepEqual([picture.width, picture.height, picture.hasAlpha], [200, 29, true]);
  await t.test("GDAL reads the same values and the place", NO_GDAL, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "image.tif");
    writeFileSync(path, image.geotiff);
    const read = readWithGdal(path, folder.path);
    assert.deepEqual([read.widthPx, read.heightPx, read.dataType], [200, 29, "uint16"]);
    for (const [i, band] of bands.entries()) assert.deepEqual([...read.bands[i]], cut(band, 300, 37, 251, 200, 29));
    const info = JSON.parse(runGdal("gdalinfo", ["-json", path])) as GdalInfo;
    assert.deepEqual(info.geoTransform, [500_370, 10, 0, 5_497_490, 0, -10]);
    assert.equal(info.stac["proj:epsg"], 32_632);
    assert.equal(info.bands[1]?.description, "G");
  });
});

test("a scene that is not on this machine gives the same files, its bytes fetched in few rounds", async () => {
  const bands = [1, 2, 3].map((seed) => landscape(new Uint16Array(300 * 280), 300, seed, 30_000));
  await using fixture = await fixtureOf({ bands });
  const parts = [0, 1, 2].map((position) => window(position, 100, 100, 64, 64));
  const near = await make(fixture, { bands: parts });
  assert.deepEqual(await make({ stored: fixture.stored, local: fixture.remote }, { bands: parts }), near);
});

test("masks tell what is valid and inside the area; the rectangle around it stays unless only the area is wanted", async () => {
  const pixels = landscape(new Uint16Array(300 * 280), 300, 4, 30_000);
  pixels[10 * 300 + 10] = 0;
  await using fixture = await fixtureOf({ bands: [pixels], nodata: 0 });
  const part = { bands: [window(0, 8, 8, 12, 12)], area: boxOf(8, 8, 14, 20) };
  for (const onlyArea of [false, true]) {
    const image = await make(fixture, { ...part, onlyArea });
    const ski = readSki(image.ski);
    const expected = cut(pixels, 300, 8, 8, 12, 12);
    assert.deepEqual(
      ski.bands[1]?.pixels,
      expected.map((value, i) => (isLeft(i) && value !== 0 ? 1 : 0)),
    );
    assert.deepEqual(
      ski.bands[0]?.pixels,
      expected.map((value, i) => (onlyArea && !isLeft(i) ? 0 : value)),
    );
    const { data } = await sharp(image.png).raw().toBuffer({ resolveWithObject: true });
    const alpha = [...data].filter((_, i) => i % 4 === 3);
    assert.equal(alpha[5], 255);
    assert.equal(alpha[7], onlyArea ? 0 : 255);
    assert.equal(alpha[2 * 12 + 2], 0);
  }
});

test("bands of different size and type keep both in the SKI file and share the finest grid in the GeoTIFF", async (t) => {
  const fine = landscape(new Uint8Array(200 * 200), 200, 1, 200);
  const coarse = landscape(new Int16Array(50 * 50), 50, 2, 20_000);
  await using first = await sceneFixture({ widthPx: 200, heightPx: 200, bands: [fine], roles: ["R"] });
  await using second = await sceneFixture({
    widthPx: 50,
    heightPx: 50,
    bands: [coarse],
    roles: ["N"],
    transform: [40, 0, 500_000, 0, -40, 5_500_000],
  });
  const raster: StoredRaster = {
    ...first.stored.raster,
    bands: [...keyed("a/", first.stored.raster), ...keyed("b/", second.stored.raster)],
  };
  const scene = { ...first.stored.scene, bands: [...first.stored.scene.bands, ...second.stored.scene.bands] };
  const local: BlobStore = {
    ...first.local,
    localPath: (key) => (key.startsWith("a/") ? first : second).local.localPath(key.slice(2)),
  };
  const bands = [window(0, 6, 6, 21, 20), window(1, 1, 1, 6, 6)];
  const image = await make({ stored: { ...first.stored, scene, raster }, local }, { bands });
  const ski = readSki(image.ski);
  assert.deepEqual(
    ski.bands.map(({ type, widthPx, heightPx }) => [type, widthPx, heightPx]),
    [
      [8, 21, 20],
      [17, 6, 6],
      [8, 21, 20],
      [8, 6, 6],
    ],
  );
  assert.deepEqual(ski.names.slice(2), [["__MASK__r__"], ["__MASK__n__"]]);
  assert.deepEqual(ski.bands[1]?.pixels, cut(coarse, 50, 1, 1, 6, 6));
  await t.test("GDAL reads both bands on one grid", NO_GDAL, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "image.tif");
    writeFileSync(path, image.geotiff);
    const read = readWithGdal(path, folder.path);
    assert.deepEqual([read.widthPx, read.heightPx, read.dataType], [21, 20, "int16"]);
    assert.deepEqual([...read.bands[0]], cut(fine, 200, 6, 6, 21, 20));
    const repeated = Array.from({ length: 21 * 20 }, (_, i) => {
      const [column, row] = [6 + (i % 21), 6 + Math.floor(i / 21)];
      return coarse[Math.floor(row / 4) * 50 + Math.floor(column / 4)];
    });
    assert.deepEqual([...read.bands[1]], repeated);
  });
});

test("rescaled bands are means of the valid pixels, and no value becomes nodata by it", async () => {
  const pixels = new Int16Array(300 * 280).fill(2);
  // Two by two pixels: 1 and 3 valid, then all but one nodata, then a mean of 0, which is nodata here.
  pixels.set([1, 3, 0, 0, -5, 5], 0);
  pixels.set([1, 3, 0, 9, -5, 5], 300);
  await using fixture = await fixtureOf({ bands: [pixels], nodata: 0 });
  const bands: ExportBand[] = [
    { position: 0, window: { x: 0, y: 0, widthPx: 8, heightPx: 2 }, widthPx: 4, heightPx: 1 },
  ];
  const ski = readSki((await make(fixture, { bands })).ski);
  assert.deepEqual(ski.bands[0]?.pixels, [2, 0, 1, 2]);
  assert.deepEqual(ski.bands[1]?.pixels, [1, 0, 1, 1]);
});

test("floating-point bands are exact in the GeoTIFF and in 65 536 steps in the SKI file", async (t) => {
  const pixels = Float32Array.from({ length: 300 * 280 }, (_, i) => Math.sin(i) * 7);
  pixels[1] = Number.NaN;
  await using fixture = await fixtureOf({ bands: [pixels], roles: [null], nodata: Number.NaN });
  const image = await make(fixture, { bands: [window(0, 0, 0, 16, 4)] });
  const ski = readSki(image.ski);
  const [band] = ski.meta["bands"] as { readonly scale: number; readonly offset: number }[];
  const expected = cut(pixels, 300, 0, 0, 16, 4);
  for (const [i, value] of expected.entries()) {
    assert.equal(ski.bands[1]?.pixels[i], Number.isNaN(value) ? 0 : 1);
    if (Number.isNaN(value)) continue;
    const got = band.offset + band.scale * ski.bands[0].pixels[i];
    assert.ok(Math.abs(got - value) <= 14 / 65_535, `pixel ${i}: ${got}, expected ${value}`);
  }
  await t.test("GDAL reads the very values", NO_GDAL, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "image.tif");
    writeFileSync(path, image.geotiff);
    const read = readWithGdal(path, folder.path);
    assert.deepEqual([...read.bands[0]], expected);
    assert.match(runGdal("gdalinfo", [path]), /NoData Value=nan/);
  });
});

test("the common type of bands holds every value of each", () => {
  const cases: readonly (readonly [readonly DataType[], DataType])[] = [
    [["uint8", "uint8"], "uint8"],
    [["uint8", "uint16"], "uint16"],
    [["uint8", "int8"], "int16"],
    [["uint16", "int16"], "int32"],
    [["uint32", "int8"], "float64"],
    [["uint16", "float32"], "float32"],
    [["int32", "float32"], "float64"],
    [["uint8", "float64"], "float64"],
  ];
  for (const [types, expected] of cases) assert.equal(commonType(types), expected, types.join(" "));
});

test("an export that is no longer wanted ends its thread", async () => {
  await using fixture = await fixtureOf({ bands: [new Uint8Array(300 * 280).fill(1)] });
  const control = new AbortController();
  const { stored, local } = fixture;
  const job = {
    meta: stored.scene,
    raster: stored.raster,
    bands: [window(0, 0, 0, 9, 9)],
    area: null,
    onlyArea: false,
    version: "1",
  };
  const made = exportInWorker(local, job, control.signal);
  control.abort(new Error("not wanted"));
  await assert.rejects(made, /not wanted/);
});

test("pixels that are gone are told as such", async () => {
  await using fixture = await fixtureOf({ bands: [new Uint8Array(300 * 280).fill(1)] });
  const local: BlobStore = { ...fixture.local, localPath: (key) => `/nowhere/${key}` };
  await assert.rejects(make({ stored: fixture.stored, local }, { bands: [window(0, 0, 0, 9, 9)] }), {
    code: "DATA-NOT-AVAILABLE",
  });
});
