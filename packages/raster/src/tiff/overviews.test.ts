import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileSource } from "./byte-sources.ts";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder, writeRaw } from "./gdal-testing.ts";
import { openTiff } from "./open.ts";

const skip = gdalInstalled ? false : "gdal_translate is not installed";
const { signal } = new AbortController();
const [WIDTH_PX, HEIGHT_PX] = [1501, 1100];

test("the smallest overview that is large enough is read, in its place, with its mask", { skip }, async () => {
  using folder = temporaryFolder();
  const raw = join(folder.path, "whole.raw");
  const pixels = Uint16Array.from({ length: WIDTH_PX * HEIGHT_PX }, (_, i) =>
    i % WIDTH_PX < 400 ? 0 : 1 + (((i % WIDTH_PX) * 31 + Math.floor(i / WIDTH_PX) * 17) % 60_000),
  );
  writeRaw(raw, { widthPx: WIDTH_PX, heightPx: HEIGHT_PX, dataType: "uint16", bands: [pixels] });
  const placed = ["-a_srs", "EPSG:32633", "-a_ullr", "500000", "5600000", "515010", "5589000"];
  const masked = join(folder.path, "masked.tif");
  runGdal("gdal_translate", ["-q", ...placed, "-b", "1", "-mask", "1", "-of", "GTiff", raw, masked]);
  const cog = join(folder.path, "cog.tif");
  runGdal("gdal_translate", ["-q", "-of", "COG", "-co", "BLOCKSIZE=128", "-co", "COMPRESS=DEFLATE", masked, cog]);

  for (const [coarseSidePx, level] of [
    [2000, null],
    [700, 0],
    [300, 1],
  ] as const) {
    const args = level === null ? [] : ["-oo", `OVERVIEW_LEVEL=${level}`];
    const reference = join(folder.path, `level-${coarseSidePx}.tif`);
    runGdal("gdal_translate", ["-q", ...args, cog, reference]);
    const expected = readWithGdal(reference, folder.path);
    await using source = await fileSource(cog);
    await using raster = await openTiff(source, { coarseSidePx });
    assert.deepEqual([raster.widthPx, raster.heightPx], [expected.widthPx, expected.heightPx], `${coarseSidePx}`);
    const [values] = await raster.readRows(0, raster.heightPx, signal);
    assert.deepEqual(values, expected.bands[0]);
    const mask = await raster.readMask(0, raster.heightPx, signal);
    const firstValid = mask?.indexOf(255) ?? -1;
    assert.ok(Math.abs(firstValid - (400 * raster.widthPx) / WIDTH_PX) <= 1, `${firstValid}`);
    assert.ok(raster.georeference.kind === "affine");
    const [a, , c, , e, f] = raster.georeference.transform;
    assert.deepEqual([c, f], [500_000, 5_600_000]);
    assert.ok(Math.abs(a * raster.widthPx - 15_010) < 1e-6 && Math.abs(e * raster.heightPx + 11_000) < 1e-6);
  }
});
