import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { bodyOf, gridRequest, tileAt } from "./testing.ts";
import {
  LON,
  LAT,
  optical,
  sharedScene,
  rgbaOf,
  draw,
  boundsOf,
  warpWithGdal,
  gdalScale,
} from "./optical-scene-testing.ts";

test("tiles are within 2/255 of GDAL's exact bilinear warp at every zoom, and valid where GDAL's are", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const fixture = await sharedScene();
  for (const z of [10, 11, 12, 13, 14, 16]) {
    const window = tileAt(LON, LAT, z);
    const ours = await rgbaOf(
      bodyOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "truecolor.png", window))),
    );
    const scale = gdalScale(window, z);
    let worst = 0;
    let validityDiffers = 0;
    for (const [channel, position] of [2, 1, 0].entries()) {
      const theirs = warpWithGdal(fixture, position, window, folder.path, scale);
      for (const [i, value] of theirs.entries()) {
        const valid = ours[4 * i + 3] === 255;
        if (valid !== !Number.isNaN(value)) validityDiffers++;
        if (!valid || Number.isNaN(value)) continue;
        const shade = 255 * Math.min(Math.max((value * 1e-4) / 0.3, 0), 1) ** (1 / 1.4);
        worst = Math.max(worst, Math.abs(shade - ours[4 * i + channel]));
      }
    }
    assert.ok(worst <= 2, `zoom ${z}: ${worst}`);
    assert.ok(validityDiffers <= 3 * 600, `zoom ${z}: ${validityDiffers}`);
  }
});

test("geotiffs are georeferenced, carry nodata and the values of the picture", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const fixture = await sharedScene();
  const window = tileAt(LON, LAT, 12);
  const path = join(folder.path, "tile.tif");
  for (const [mapType, name, bands, type] of [
    ["imagery", "analysis.geotiff", 4, "UInt16"],
    ["imagery", "visualization.geotiff", 4, "Byte"],
    ["ndvi", "analysis.geotiff", 1, "Float32"],
  ] as const) {
    writeFileSync(path, bodyOf(await draw(fixture, gridRequest(fixture.stored, mapType, name, window))));
    const info = JSON.parse(runGdal("gdalinfo", ["-json", path])) as {
      readonly geoTransform: readonly number[];
      readonly coordinateSystem: { readonly wkt: string };
      readonly bands: readonly { readonly type: string; readonly description?: string }[];
    };
    const [left, , right, top] = boundsOf(window);
    assert.ok(Math.abs(info.geoTransform[0] - left) < 1e-6 && Math.abs(info.geoTransform[3] - top) < 1e-6);
    assert.ok(Math.abs(info.geoTransform[1] - (right - left) / 512) < 1e-9);
    assert.match(info.coordinateSystem.wkt, /"EPSG",3857/);
    assert.equal(info.bands.length, bands);
    assert.ok(info.bands.every((band) => band.type === type));
    if (name === "visualization.geotiff") continue;
    const pixels = readWithGdal(path, folder.path).bands[0];
    if (mapType === "imagery") {
      const expected = warpWithGdal(fixture, 0, window, folder.path, gdalScale(window, 12));
      const differences = expected.reduce(
        (n, value, i) =>
          n + (Number.isNaN(value) ? Number(pixels[i] !== 0) : Number(Math.abs(value - pixels[i]) > 1.01)),
        0,
      );
      assert.ok(differences < 600, `${differences} pixels differ`);
    } else assert.ok(pixels.some((value) => Number.isNaN(value)) && pixels.some((value) => Math.abs(value) < 1));
  }
});

test("without nodata in the scene, analysis.geotiff carries a mask", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  await using fixture = await optical({ nodata: null });
  const path = join(folder.path, "tile.tif");
  writeFileSync(
    path,
    bodyOf(await draw(fixture, gridRequest(fixture.stored, "imagery", "analysis.geotiff", tileAt(9.002, 49.65, 13)))),
  );
  const mask = join(folder.path, "mask.tif");
  runGdal("gdal_translate", ["-q", "-b", "mask", path, mask]);
  const values = new Set(readWithGdal(mask, folder.path).bands[0]);
  assert.deepEqual(
    [...values].toSorted((a, b) => a - b),
    [0, 255],
  );
});
