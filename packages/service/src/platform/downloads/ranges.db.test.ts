import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { gdalInstalled, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { exportBench } from "../../features/maps/export/testing.ts";

const execute = promisify(execFile);

test("an exported file is answered in parts: the bytes of a range, or the size of the file", async () => {
  await using b = await exportBench();
  const { mapId } = b.byType.get("ndvi")!;
  const { answer, bytes } = await b.export({ mapId, gridFile: "geotiff", zoom: 13 });
  const ask = (range: string, more = {}) => fetch(answer.json.url, { headers: { range, ...more } });
  const part = await ask("bytes=1000-1999");
  assert.deepEqual(
    [part.status, part.headers.get("content-range"), part.headers.get("content-length")],
    [206, `bytes 1000-1999/${bytes.length}`, "1000"],
  );
  assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(1000, 2000));
  const head = await fetch(answer.json.url, { method: "HEAD" });
  assert.deepEqual(
    [head.headers.get("accept-ranges"), head.headers.get("content-length")],
    ["bytes", `${bytes.length}`],
  );
  const beyond = await ask(`bytes=${bytes.length}-`);
  assert.deepEqual([beyond.status, beyond.headers.get("content-range")], [416, `bytes */${bytes.length}`]);
  assert.equal((await ask("bytes=0-9", { "if-range": '"another"' })).status, 200);
});

test("GDAL reads an exported GeoTIFF from its address, as QGIS does", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  await using b = await exportBench();
  const { mapId } = b.byType.get("ndvi")!;
  const { answer, bytes } = await b.export({ mapId, gridFile: "geotiff", zoom: 13 });
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "map.tif"), bytes);
  const crop = async (source: string, name: string): Promise<Uint8Array> => {
    const path = join(folder.path, name);
    // The service runs in this process, which must answer meanwhile.
    await execute("gdal_translate", ["-q", "-srcwin", "300", "200", "64", "64", "-of", "ENVI", source, path]);
    return readFileSync(path);
  };
  const local = await crop(join(folder.path, "map.tif"), "local");
  assert.ok(local.some((value) => value !== local[0]));
  assert.deepEqual(await crop(`/vsicurl/${answer.json.url}`, "remote"), local);
});
