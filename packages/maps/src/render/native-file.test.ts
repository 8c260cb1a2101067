import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import type { NativeWindow } from "@swath/raster/sample/grid-window";
import { nativeBand, nativeWindow } from "./native-grid.ts";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, gridRequest, sceneFixture, type FixtureOptions, type SceneFixture } from "./testing.ts";

const [WIDTH, HEIGHT] = [300, 220];
const COUNT = WIDTH * HEIGHT;

/** Values that no rounding to 24 bits keeps, some of them without data. */
const PRECISE = Float64Array.from({ length: COUNT }, (_, i) => (i % 97 === 0 ? -1 : 16_777_217 + i + 1 / 3));

async function fixtureOf(
  more: Partial<FixtureOptions> & Pick<FixtureOptions, "bands" | "roles">,
): Promise<SceneFixture> {
  return await sceneFixture({ widthPx: WIDTH, heightPx: HEIGHT, nodata: null, ...more });
}

function windowOf(more: Partial<NativeWindow> = {}): NativeWindow {
  const whole = { column: 0, row: 0, widthPx: WIDTH, heightPx: HEIGHT };
  return { kind: "native", position: 0, crsEpsg: 32_632, reduction: 1, ...whole, ...more };
}

async function drawn(
  fixture: SceneFixture,
  mapType: string,
  window: NativeWindow,
  more: Parameters<typeof gridRequest>[4] = {},
): Promise<ReturnType<typeof readWithGdal> & { readonly info: Record<string, unknown> }> {
  using renderer = renderInProcess(fixture.local, 2 ** 24);
  using folder = temporaryFolder();
  const path = join(folder.path, "file.tif");
  writeFileSync(
    path,
    bodyOf(await renderer.render(gridRequest(fixture.stored, mapType, "analysis.geotiff", window, more))),
  );
  const info = JSON.parse(runGdal("gdalinfo", ["-json", path]));
  return { ...readWithGdal(path, folder.path), info };
}

test("GDAL reads the stored values of every type, bit by bit, at their place", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  const counted = Uint16Array.from({ length: COUNT }, (_, i) => i % 65_536);
  for (const [pixels, nodata] of [
    [PRECISE, -1],
    [Int32Array.from(PRECISE), -1],
    [counted, null],
    [counted, 0],
    [Float32Array.from(counted), null],
  ] as const) {
    await using fixture = await fixtureOf({ bands: [pixels], roles: ["N"], nodata });
    const window = windowOf({ column: 31, row: 7, widthPx: 200, heightPx: 150 });
    const { bands, info, widthPx } = await drawn(fixture, "imagery", window);
    const [a, , originX, , e, originY] = fixture.stored.raster.bands[0].geotransform;
    assert.deepEqual(info["geoTransform"], [originX + 31 * a, a, 0, originY + 7 * e, 0, e]);
    assert.match(JSON.stringify(info["coordinateSystem"]), /32N/);
    assert.equal(widthPx, 200);
    for (let i = 0; i < bands[0].length; i++) {
      const expected = pixels[(7 + Math.floor(i / 200)) * WIDTH + 31 + (i % 200)];
      const got = bands[0][i];
      if (expected === nodata) assert.ok(Number.isNaN(got) || got === nodata);
      else assert.equal(got, expected, `pixel ${i}`);
    }
  }
});

test("an index is the formula at every pixel of the scene, without weights of neighbours", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  const red = Uint16Array.from({ length: COUNT }, (_, i) => 1 + ((i * 7919) % 3_000));
  const near = Uint16Array.from({ length: COUNT }, (_, i) => 1 + ((i * 104_729) % 5_000));
  await using fixture = await fixtureOf({ bands: [red, near], roles: ["R", "N"], quantity: "reflectance" });
  const { bands } = await drawn(fixture, "ndvi", windowOf());
  for (let i = 0; i < COUNT; i++) {
    const expected = (near[i] - red[i]) / (near[i] + red[i]);
    assert.ok(Math.abs(bands[0][i] - expected) < 2e-7, `pixel ${i}: ${bands[0][i]}, expected ${expected}`);
  }
});

test("pixels whose centre lies outside the area are without data, and a reduced grid has the same type", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  await using fixture = await fixtureOf({ bands: [PRECISE], roles: ["N"], nodata: -1 });
  const { raster } = fixture.stored;
  // UTM 32N, east of its central meridian: 500 km, 5500 km is 9° E, 49.65° N.
  const clip = {
    type: "MultiPolygon" as const,
    coordinates: [
      [
        [
          [9.01, 49.64],
          [9.03, 49.64],
          [9.03, 49.646],
          [9.01, 49.646],
          [9.01, 49.64],
        ] as const,
      ],
    ],
  };
  const window = nativeWindow(raster, 0, 32_632, clip)!;
  assert.ok(window.column > 50 && window.column < 90, `column ${window.column}`);
  const { bands, widthPx } = await drawn(fixture, "imagery", window, { clip });
  const inside = Array.from(bands[0]).filter((value) => !Number.isNaN(value)).length;
  // 0.02° by 0.006° at 49.64° N are 1444.6 by 667.3 metres, which are 10-metre pixels; one in 97 has no data.
  assert.ok(Math.abs(inside - (144.46 * 66.73 * 96) / 97) < 150, `${inside} pixels`);
  assert.ok(bands[0].length - inside > 50 && widthPx > 140);
  const half = await drawn(fixture, "imagery", windowOf({ reduction: 2, widthPx: WIDTH / 2, heightPx: HEIGHT / 2 }));
  assert.equal(half.dataType, "float64");
  assert.equal(half.widthPx, WIDTH / 2);
});

test("coarser bands are repeated, and the grid is the finest band of a scene but the coarsest of an index", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  const fine = Uint16Array.from({ length: COUNT }, (_, i) => 1_000 + (i % 777));
  const coarse = Uint16Array.from({ length: COUNT / 4 }, (_, i) => 3_000 + (i % 555));
  await using one = await fixtureOf({ bands: [fine], roles: ["R"], quantity: "reflectance" });
  const [a, , originX, , e, originY] = one.stored.raster.bands[0].geotransform;
  await using two = await sceneFixture({
    widthPx: WIDTH / 2,
    heightPx: HEIGHT / 2,
    bands: [coarse],
    roles: ["N"],
    transform: [2 * a, 0, originX, 0, 2 * e, originY],
    quantity: "reflectance",
    nodata: null,
  });
  const bands = [one.stored.raster.bands[0], { ...two.stored.raster.bands[0], key: "near" }];
  const raster = { ...one.stored.raster, bands };
  const scene = { ...one.stored.scene, bands: [one.stored.scene.bands[0], two.stored.scene.bands[0]] };
  const local = {
    ...one.local,
    localPath: (key: string) =>
      key === "near" ? two.local.localPath(two.stored.raster.bands[0].key) : one.local.localPath(key),
  };
  const joined = { ...one, local, stored: { ...one.stored, raster, scene } };
  const rendering = (mapType: string) => gridRequest(joined.stored, mapType, "analysis.geotiff", windowOf()).rendering;
  assert.equal(nativeBand(rendering("imagery"), raster, scene), 0);
  assert.equal(nativeBand(rendering("ndvi"), raster, scene), 1);
  const odd = windowOf({ column: 3, row: 5, widthPx: 100, heightPx: 90 });
  const picture = await drawn(joined, "imagery", odd);
  for (let i = 0; i < 9_000; i++) {
    const [column, row] = [3 + (i % 100), 5 + Math.floor(i / 100)];
    assert.equal(picture.bands[0][i], fine[row * WIDTH + column]);
    assert.equal(picture.bands[1][i], coarse[(row >> 1) * (WIDTH / 2) + (column >> 1)]);
  }
  const index = await drawn(joined, "ndvi", windowOf({ position: 1, widthPx: WIDTH / 2, heightPx: HEIGHT / 2 }));
  assert.deepEqual(index.info["geoTransform"], [originX, 2 * a, 0, originY, 0, 2 * e]);
  assert.ok(index.bands[0].every((value) => value > 0.2 && value < 0.6));
});
