import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { bandPixels, exportBench, SIZE, type ExportBench } from "./testing.ts";

interface NativeFile {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly bands: ReturnType<typeof readWithGdal>["bands"];
  // oxlint-disable-next-line typescript/no-explicit-any -- the report of GDAL
  readonly info: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer of the service
  readonly answer: any;
}

/** A GeoTIFF as GDAL reads it, with its first pixel in pixels of the scene. */
async function readNative(b: ExportBench, mapType: string): Promise<NativeFile> {
  const { mapId } = b.byType.get(mapType)!;
  const { answer, bytes } = await b.export({ mapId, gridFile: "geotiff" });
  assert.equal(answer.status, 200, answer.text);
  using folder = temporaryFolder();
  const path = join(folder.path, "map.tif");
  writeFileSync(path, bytes);
  const info = JSON.parse(runGdal("gdalinfo", ["-json", path]));
  const [left, sizeX, , top, , sizeY] = info.geoTransform as readonly [number, number, number, number, number, number];
  const [a, , originX, , e, originY] = b.stored.raster.bands[0]!.geotransform;
  assert.deepEqual([sizeX, sizeY], [a, e]);
  const { widthPx, bands } = readWithGdal(path, folder.path);
  return { column: (left - originX) / a, row: (top - originY) / e, widthPx, bands, info, answer: answer.json };
}

suite("exports of a small scene", () => {
  let b: ExportBench;
  before(async () => {
    b = await exportBench();
  });
  after(() => b[Symbol.asyncDispose]());

  test("a GeoTIFF of a scene has its CRS, its pixels and, by GDAL, exactly its values inside the area", async (t) => {
    if (!gdalInstalled) {
      t.skip("GDAL is not installed");
      return;
    }
    const { column, row, widthPx, bands, info, answer } = await readNative(b, "imagery");
    assert.deepEqual([answer.grid, answer.crsEpsg, answer.zoom], ["native", 32_632, undefined]);
    assert.deepEqual([answer.widthPx, answer.heightPx], info.size);
    assert.match(info.coordinateSystem.wkt, /UTM zone 32N/);
    assert.ok(info.bands[0].overviews.length >= 1);
    assert.deepEqual(
      info.bands.map(({ type, noDataValue }: { readonly type: string; readonly noDataValue: number }) => [
        type,
        noDataValue,
      ]),
      Array.from({ length: 4 }, () => ["UInt16", 0]),
    );
    assert.ok(Number.isInteger(column) && Number.isInteger(row), `${column}, ${row}`);
    for (const [band, pixels] of bands.entries()) {
      const source = bandPixels(band);
      let inside = 0;
      for (let i = 0; i < pixels.length; i++) {
        if (pixels[i] === 0) continue;
        assert.equal(pixels[i], source[(row + Math.floor(i / widthPx)) * SIZE + column + (i % widthPx)]);
        inside++;
      }
      // 0.09 degrees of longitude by 0.05 of latitude at 49.6 degrees north: 6.50 by 5.56 km of 10-metre pixels.
      assert.ok(Math.abs(inside - 650.4 * 556) < 2_500, `${inside} pixels of band ${band}`);
    }
  });

  test("an index is computed at the pixels of the scene, and nothing of the export stays on disk", async (t) => {
    if (!gdalInstalled) {
      t.skip("GDAL is not installed");
      return;
    }
    const { column, row, widthPx, bands } = await readNative(b, "ndvi");
    const [red, near] = [bandPixels(2), bandPixels(3)];
    let inside = 0;
    for (const [i, value] of bands[0]!.entries()) {
      if (Number.isNaN(value)) continue;
      const at = (row + Math.floor(i / widthPx)) * SIZE + column + (i % widthPx);
      assert.ok(Math.abs(value - (near[at]! - red[at]!) / (near[at]! + red[at]!)) < 3e-7, `pixel ${i}: ${value}`);
      inside++;
    }
    assert.ok(inside > 300_000, `${inside} pixels`);
    assert.deepEqual(readdirSync(b.maps.workFolder), []);
  });

  test("every kind of file of a small scene fits without a zoom and is not finer than the scene", async () => {
    for (const [gridFile, grid, grids] of [
      ["geotiff", undefined, "native"],
      ["visu-geotiff", undefined, "web"],
      ["visu-geotiff", "native", "native"],
      ["png", undefined, "web"],
      ["png", "native", "native"],
      ["webp", "native", "native"],
      ["geotiff", "web", "web"],
      ["ski", undefined, "web"],
    ] as const) {
      const { mapId } = b.byType.get("ndvi")!;
      const { answer } = await b.export({ mapId, gridFile, ...(grid === undefined ? {} : { grid }) });
      assert.equal(answer.status, 200, `${gridFile} ${grid}: ${answer.text}`);
      assert.equal(answer.json.grid, grids);
      // At 49.6 degrees north a pixel of zoom 12 is 12.4 m wide on the ground, one of zoom 13 is 6.2 m wide.
      if (grids === "web") assert.equal(answer.json.zoom, 12);
    }
  });
});

test("a file of the whole area has the pixels of the scene on request, tiles and facts never", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  await using b = await exportBench();
  const { mapId, tiles } = b.byType.get("imagery")!;
  const native = await fetch(`${b.origin}/mapsvc/grid/${mapId}/-/analysis.geotiff?grid=native`);
  assert.equal(native.status, 200);
  using folder = temporaryFolder();
  const path = join(folder.path, "grid.tif");
  writeFileSync(path, new Uint8Array(await native.arrayBuffer()));
  const whole = readWithGdal(path, folder.path);
  const exported = await readNative(b, "imagery");
  assert.deepEqual(whole.bands, exported.bands);
  const [z, x, y] = tiles[0]!;
  for (const [file, says] of [
    [`${z}/${x}/${y}/analysis.geotiff`, /tiles are Web Mercator/],
    ["metadata.json", /metadata[.]json is made on the Web Mercator grid only/],
  ] as const) {
    const refused = await b.maps.get(`/mapsvc/grid/${mapId}/-/${file}?grid=native`);
    assert.equal(refused.status, 422);
    assert.match(refused.json.errorMessage, says);
  }
});

test("a native file of the whole area has at most 2048 pixels a side", async () => {
  await using b = await exportBench(finer(30));
  const answer = await b.maps.get(`/mapsvc/grid/${b.byType.get("ndvi")!.mapId}/-/ndvi.png?grid=native`);
  assert.equal(answer.status, 422);
  assert.match(answer.json.errorMessage, /native has 19517 pixels on a side, expected at most 2048: export the map/);
});

/** The same scene with this many times as many pixels a side, on the same ground. */
function finer(times: number): (stored: StoredScene) => StoredScene {
  return ({ raster, ...stored }) => ({
    ...stored,
    raster: {
      ...raster,
      bands: raster.bands.map((band) => {
        const [a, b, c, d, e, f] = band.geotransform;
        const geotransform = [a / times, b, c, d, e / times, f] as const;
        return { ...band, widthPx: band.widthPx * times, heightPx: band.heightPx * times, geotransform };
      }),
    },
  });
}

async function refusal(b: ExportBench, body: object): Promise<readonly [number, string, string]> {
  const { status, json } = await b.maps.post("/mapsvc/export/initiate", body, b.token);
  return [status, json.error, json.errorMessage];
}

test("a native grid that is too large is refused with its size and the way out, before any pixel is read", async () => {
  await using b = await exportBench(finer(30));
  const { mapId } = b.byType.get("imagery")!;
  const [status, code, message] = await refusal(b, { mapId, gridFile: "geotiff", grid: "native" });
  assert.deepEqual([status, code], [400, "IMAGE-TOO-LARGE"]);
  assert.match(
    message,
    /^the native grid has 19\d{3} x 16\d{3} pixels, \d+ MB before compression, expected at most 1000/,
  );
  assert.match(message, /release a smaller area, or export the grid web/);
  const index = b.byType.get("ndvi")!.mapId;
  assert.match((await refusal(b, { mapId: index, gridFile: "geotiff", grid: "native" }))[2], /blocks of 512 pixels/);
  assert.match(
    (await refusal(b, { mapId: index, gridFile: "png", grid: "native" }))[2],
    /19\d{3} pixels on the longer side, expected at most 4096/,
  );
});

test("a native grid is refused for files that cannot have it, with a zoom, and for scenes without one", async () => {
  await using b = await exportBench(({ raster, ...stored }) => ({
    ...stored,
    raster: {
      ...raster,
      controlGrid: {
        columns: 2,
        rows: 2,
        bounds: [0, 0, 900, 900],
        x: [9, 9.12, 9, 9.12],
        y: [49.65, 49.65, 49.57, 49.57],
      } as never,
    },
  }));
  const { mapId } = b.byType.get("ndvi")!;
  assert.deepEqual((await refusal(b, { mapId, gridFile: "ski", grid: "native" })).slice(0, 2), [
    422,
    "VALIDATION-ERROR",
  ]);
  assert.match((await refusal(b, { mapId, gridFile: "geotiff", grid: "native", zoom: 12 }))[2], /zoom cannot be given/);
  assert.match(
    (await refusal(b, { mapId, gridFile: "geotiff", grid: "native" }))[2],
    /ground control points and has no grid of a CRS: expected web/,
  );
  assert.deepEqual((await refusal(b, { mapId, gridFile: "geotiff", grid: "utm" })).slice(0, 2), [
    422,
    "VALIDATION-ERROR",
  ]);
});
