import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sampleData } from "@swath/base/sample-data";
import { gdalInstalled, readWithGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, gridRequest, jsonOf, sceneFixture, tileAt } from "./testing.ts";
import { SIZE, LON, LAT, optical, sharedScene, rgbaOf, draw } from "./optical-scene-testing.ts";

test("a threshold makes the index picture binary and metadata count both sides", async () => {
  const fixture = await sharedScene();
  const request = gridRequest(fixture.stored, "ndvi", "ndvi.png", tileAt(LON, LAT, 13), { userThreshold: 0.2 });
  const rgba = await rgbaOf(bodyOf(await draw(fixture, request)));
  const colors = new Set(new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4));
  assert.equal(colors.size, 2);
  const metadata = jsonOf(await draw(fixture, { ...request, fileName: "metadata.json" }));
  const classes = metadata["classes"] as Record<string, { readonly pixels: number; readonly ratio: number }>;
  const opaque = rgba.filter((value, i) => i % 4 === 3 && value === 255).length;
  assert.equal(classes["above"]?.pixels, opaque);
  assert.ok(Math.abs((classes["above"]?.ratio ?? 0) + (classes["below"]?.ratio ?? 0) - 1) < 1e-5);
});

test("pixels follow the stretch of the request, in pictures of indices, heat maps and scenes", async () => {
  // NDVI is 0.5 everywhere; red, green and blue are 2000, 1500 and 1000.
  const bands = [1_000, 1_500, 2_000, 6_000].map((value) => new Uint16Array(SIZE * SIZE).fill(value));
  await using fixture = await optical({ bands, nodata: null });
  const pixel = async (fileName: string, limits?: readonly [number, number]): Promise<string> => {
    const stretch = limits === undefined ? null : { low: limits[0], high: limits[1] };
    const mapType = fileName === "truecolor.png" ? "imagery" : "ndvi";
    const request = gridRequest(fixture.stored, mapType, fileName, tileAt(LON, LAT, 14), { stretch });
    return (await rgbaOf(bodyOf(await draw(fixture, request)))).subarray(0, 4).join();
  };
  for (const fileName of ["ndvi.png", "heatmap.png"]) {
    // Three quarters of the way from the lower to the upper limit.
    assert.equal(await pixel(fileName, [-0.25, 0.75]), await pixel(fileName, [-1, 1]));
    const [lowest, highest] = [await pixel(fileName, [0.5, 1]), await pixel(fileName, [-2, 0.5])];
    assert.equal(await pixel(fileName, [0.7, 0.9]), lowest);
    assert.equal(await pixel(fileName, [0, 0.2]), highest);
    assert.equal(new Set([lowest, highest, await pixel(fileName, [-1, 1])]).size, 3);
  }
  assert.equal(await pixel("ndvi.png"), await pixel("ndvi.png", [-1, 1]));
  assert.equal(await pixel("truecolor.png", [1_000, 2_250]), "204,102,0,255");
  assert.equal(await pixel("truecolor.png", [0, 2_500]), "204,153,102,255");
});

function ramp(base: number): Uint16Array {
  return Uint16Array.from({ length: SIZE * SIZE }, (_, i) => base + (i % SIZE) + Math.floor(i / SIZE));
}

test("index values of a tile stay within those of its pixels", async () => {
  await using fixture = await optical({ bands: [ramp(500), ramp(800), ramp(1_000), ramp(4_000)], nodata: null });
  const window = tileAt(LON, LAT, 14);
  const metadata = jsonOf(await draw(fixture, gridRequest(fixture.stored, "ndvi", "metadata.json", window)));
  const statistics = metadata["statistics"] as { readonly min: number; readonly max: number };
  // NDVI of (4000 + s, 1000 + s) falls from 0.6 as s rises to 2000.
  assert.ok(statistics.max < 0.6 && statistics.min > 3_000 / 9_000);
  assert.equal((metadata["quality"] as { readonly note: string }).note, "reflectance, not corrected for sun elevation");
});

test("bands of different resolution are brought to the coarsest before the formula", async () => {
  const fine = await optical({ nodata: null, bands: [0, 1, 2, 3].map(() => new Uint16Array(SIZE * SIZE).fill(2_000)) });
  await using cleanFine = fine;
  const coarse = await sceneFixture({
    widthPx: 500,
    heightPx: 500,
    bands: [new Uint16Array(250_000).fill(6_000)],
    roles: ["N"],
    transform: [20, 0, 500_000, 0, -20, 5_500_000],
    quantity: "reflectance",
  });
  await using cleanCoarse = coarse;
  const red = cleanFine.stored.raster.bands[2];
  const nir = { ...cleanCoarse.stored.raster.bands[0], key: "nir" };
  const scene: StoredScene = {
    ...cleanFine.stored,
    raster: { ...cleanFine.stored.raster, bands: [red, nir] },
    scene: { ...cleanFine.stored.scene, bands: [cleanFine.stored.scene.bands[2], cleanFine.stored.scene.bands[3]] },
  };
  const blobs = {
    ...cleanFine.local,
    localPath: (key: string) =>
      key === "nir" ? join(cleanCoarse.folder, cleanCoarse.stored.raster.bands[0].key) : cleanFine.local.localPath(key),
  };
  using renderer = renderInProcess(blobs, 2 ** 20);
  const metadata = jsonOf(await renderer.render(gridRequest(scene, "ndvi", "metadata.json", tileAt(LON, LAT, 12))));
  const { min, max } = metadata["statistics"] as { readonly min: number; readonly max: number };
  assert.ok(Math.abs(min - 0.5) < 1e-6 && Math.abs(max - 0.5) < 1e-6);
});

test("the sample scene's mean NDVI is the published one", async (t) => {
  const path = sampleData("optical_s2", "433D_629L_3_1_S2L2A.tif");
  if (path === null || !gdalInstalled) {
    t.skip(path === null ? "sample data absent" : "GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const raw = readWithGdal(path, folder.path);
  assert.equal(spawnSync("gdalinfo", [path]).status, 0);
  // Bands 4 and 8 of B01, B02, B03, B04, B05, B06, B07, B08, …
  await using fixture = await sceneFixture({
    widthPx: 224,
    heightPx: 224,
    bands: [raw.bands[3], raw.bands[7]],
    roles: ["R", "N"],
    crs: {
      epsg: 32_718,
      proj4: "+proj=utm +zone=18 +south +datum=WGS84 +units=m +x_0=500000 +y_0=10000000 +no_defs",
      name: "",
      datumShiftKnown: true,
    },
    transform: [10, 0, 717_729.835_205_378_24, 0, -10, 5_700_093.330_553_154],
  });
  const metadata = jsonOf(
    await draw(fixture, gridRequest(fixture.stored, "ndvi", "metadata.json", { kind: "scene", maxSizePx: 512 })),
  );
  const { mean } = metadata["statistics"] as { readonly mean: number };
  assert.ok(Math.abs(mean - 0.3013) < 1e-3, String(mean));
});
