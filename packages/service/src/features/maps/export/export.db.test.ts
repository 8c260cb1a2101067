import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { unzipped } from "@swath/raster/archive/testing";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { exportBench } from "./testing.ts";

test("a GeoTIFF is one mosaic of the area whose pixels are those of the tiles", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  await using b = await exportBench();
  const { mapId, tiles } = b.byType.get("ndvi")!;
  const { answer: exported, bytes, type } = await b.export({ mapId, gridFile: "geotiff", zoom: 13 });
  const { origin } = new URL(exported.json.url);
  assert.equal(type, "image/tiff");
  using folder = temporaryFolder();
  const path = join(folder.path, "map.tif");
  writeFileSync(path, bytes);
  const info = JSON.parse(runGdal("gdalinfo", ["-json", path]));
  assert.equal(info.bands.length, 1);
  assert.ok(info.bands[0].overviews.length >= 1);
  const [left, pixelM, , top] = info.geoTransform as readonly number[];
  const mosaic = readWithGdal(path, folder.path);
  const [z, x, y] = tiles[0]!;
  const scale = 2 ** (13 - z!);
  let compared = 0;
  for (let row = 0; row < scale; row++) {
    for (let column = 0; column < scale; column++) {
      const [tx, ty] = [x! * scale + column, y! * scale + row];
      const answer = await fetch(`${origin}/mapsvc/grid/${mapId}/-/13/${tx}/${ty}/analysis.geotiff`);
      if (answer.status !== 200) continue;
      const tilePath = join(folder.path, `${tx}-${ty}.tif`);
      writeFileSync(tilePath, new Uint8Array(await answer.arrayBuffer()));
      const tile = readWithGdal(tilePath, folder.path).bands[0]!;
      const side = (2 * Math.PI * 6_378_137) / 2 ** 13;
      const dx = Math.round((tx * side - Math.PI * 6_378_137 - left!) / pixelM!);
      const dy = Math.round((top! - (Math.PI * 6_378_137 - ty * side)) / pixelM!);
      for (let i = 0; i < tile.length; i += 37) {
        const [mx, my] = [dx + (i % 512), dy + Math.floor(i / 512)];
        if (mx < 0 || my < 0 || mx >= mosaic.widthPx || my >= mosaic.heightPx) continue;
        const value = mosaic.bands[0]![my * mosaic.widthPx + mx]!;
        // Positions are interpolated between lattice nodes, which blocks and tiles do not share.
        if (Number.isNaN(value) || Number.isNaN(tile[i]!)) continue;
        assert.ok(Math.abs(value - tile[i]!) < 2e-2, `${mx}, ${my}: ${value}, ${tile[i]}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 2000, `${compared} pixels`);
});

test("every kind of file that the map type has is exported", async () => {
  await using b = await exportBench();
  const { mapId } = b.byType.get("imagery")!;
  for (const [gridFile, mediaType] of [
    ["png", "image/png"],
    ["webp", "image/webp"],
    ["ski", "application/gzip"],
    ["json", "application/json"],
    ["visu-geotiff", "image/tiff"],
  ] as const) {
    const { bytes, type, answer } = await b.export({ mapId, gridFile, zoom: 11 });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(type, mediaType);
    assert.ok(bytes.length > 100);
    assert.match(answer.json.expires, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  }
});

test("a zip holds every file of every tile of the zoom", async () => {
  await using b = await exportBench();
  const { mapId } = b.byType.get("ndvi")!;
  const { bytes, answer } = await b.export({ mapId, gridFile: "zip", zoom: 12 });
  assert.equal(answer.status, 200, answer.text);
  const files = await unzipped(bytes);
  const tiles = new Set([...files.keys()].map((name) => name.split("/").slice(0, 3).join("/")));
  assert.ok(tiles.size >= 2 && [...tiles].every((tile) => tile.startsWith("12/")));
  const [tile] = tiles;
  for (const name of ["ndvi.png", "metadata.json", "analysis.geotiff"]) assert.ok(files.has(`${tile}/${name}`), name);
  assert.ok(![...files.keys()].some((name) => name.endsWith(".zip")));
  const { origin } = new URL(answer.json.url);
  const alone = await fetch(`${origin}/mapsvc/grid/${mapId}/-/${tile}/metadata.json`);
  assert.deepEqual(new Uint8Array(await alone.arrayBuffer()), files.get(`${tile}/metadata.json`));
});

test("what the map does not have, too much of it, and maps that are not ours are refused at once", async () => {
  await using b = await exportBench();
  const { mapId, maxZoom, tiles } = b.byType.get("ndvi")!;
  const refused = async (body: object, token = b.token) => {
    const { status, json } = await b.maps.post("/mapsvc/export/initiate", body, token);
    return [status, json.error, json.errorMessage];
  };
  const expectRefusal = async (body: object, status: number, code: string, says: RegExp): Promise<void> => {
    const [got, error, message] = await refused(body);
    assert.deepEqual([got, error], [status, code], message);
    assert.match(message, says);
  };
  await expectRefusal({ mapId, gridFile: "geojson" }, 422, "VALIDATION-ERROR", /got geojson.*expected one of png/);
  await expectRefusal(
    { mapId, gridFile: "png", fileName: "water.png" },
    422,
    "VALIDATION-ERROR",
    /expected one of ndvi.png/,
  );
  await expectRefusal({ mapId, gridFile: "png", zoom: maxZoom + 1 }, 422, "VALIDATION-ERROR", /expected 0 to/);
  await expectRefusal(
    { mapId, gridFile: "zip", zoom: tiles[0]![0]! - 1 },
    422,
    "VALIDATION-ERROR",
    /got \d+, expected/,
  );
  await expectRefusal(
    { mapId, gridFile: "zip", zoom: maxZoom },
    422,
    "VALIDATION-ERROR",
    /makes \d+ tiles, expected at most 64/,
  );
  await expectRefusal(
    { mapId, gridFile: "png", zoom: maxZoom },
    422,
    "VALIDATION-ERROR",
    /makes \d+ pixels .*at most 4096/,
  );
  await expectRefusal({ mapId: "a.b.c", gridFile: "png" }, 400, "INVALID-MAP-ID", /map ID/);
  await expectRefusal({ mapId, gridFile: "exe" }, 422, "VALIDATION-ERROR", /gridFile/);
  const { token } = await b.maps.addUser("b@example.com", ["imagery"]);
  assert.deepEqual((await refused({ mapId, gridFile: "png" }, token)).slice(0, 2), [401, "NOT-AUTHORIZED"]);
});
