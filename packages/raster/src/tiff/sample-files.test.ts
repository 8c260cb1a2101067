import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { applyAffine } from "@swath/kernel/raster-mathematics/affine";
import { RasterError } from "../raster-error.ts";
import { sampleData } from "@swath/base/sample-data";
import { requireCrs } from "../crs/require-crs.ts";
import { readSceneMetadata } from "../scene-metadata/read-scene-metadata.ts";
import type { SourceRaster } from "../source-raster.ts";
import { fileSource } from "./byte-sources.ts";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "./gdal-testing.ts";
import { openTiff } from "./open.ts";

const { signal } = new AbortController();

/** Samples that cannot be scenes, with the reason they are refused for; every other TIFF is read. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  "sar_slc/s1a-iw3-slc-vv_20220918_crop.tif": /complex samples/,
};

const root = sampleData();

function tiffFiles(): readonly string[] {
  if (root === null) return [];
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tiff?$/i.test(name))
    .map((name) => join(root, name));
}

async function assertPixelsEqualGdal(path: string, raster: SourceRaster, folder: string): Promise<void> {
  const reference = readWithGdal(path, folder);
  for (let row = 0; row < raster.heightPx; row += raster.blockHeightPx) {
    const count = Math.min(raster.blockHeightPx, raster.heightPx - row);
    const rows = await raster.readRows(row, count, signal);
    for (const [i, values] of rows.entries()) {
      const expected = reference.bands[i]?.subarray(row * raster.widthPx, (row + count) * raster.widthPx);
      assert.deepEqual(
        Buffer.from(values.buffer, values.byteOffset, values.byteLength),
        Buffer.from(expected?.buffer ?? new ArrayBuffer(), expected?.byteOffset ?? 0, expected?.byteLength ?? 0),
        `band ${i + 1}, row ${row}`,
      );
    }
  }
}

/** The upper left corner in degrees as `gdalinfo` prints it in its JSON. */
function gdalCorner(path: string): readonly [number, number] | null {
  const info: unknown = JSON.parse(runGdal("gdalinfo", ["-json", path]));
  const ring = (info as { wgs84Extent?: { coordinates?: readonly (readonly (readonly [number, number])[])[] } })
    .wgs84Extent?.coordinates?.[0];
  return ring?.[0] ?? null;
}

test("every sample TIFF opens and has its place on Earth, or is refused with the true reason", async (t) => {
  if (root === null) return t.skip("sample data absent");
  const files = tiffFiles();
  assert.ok(files.length > 40);
  for (const path of files) {
    const name = relative(root, path);
    await t.test(name, async () => {
      using folder = temporaryFolder();
      await using source = await fileSource(path);
      const reason = REFUSED[name];
      if (reason !== undefined) {
        await assert.rejects(
          openTiff(source),
          (error) => error instanceof RasterError && error.reason === "unsupported" && reason.test(error.message),
        );
        return;
      }
      await using raster = await openTiff(source);
      const crs = requireCrs(raster, name);
      const { georeference } = raster;
      const corner =
        georeference.kind === "affine"
          ? applyAffine(georeference.transform, 0, 0)
          : georeference.kind === "gcps"
            ? ([georeference.points[0]?.x ?? 0, georeference.points[0]?.y ?? 0] as const)
            : null;
      assert.ok(corner !== null);
      const [lon, lat] = createProjection(crs.proj4).inverse(...corner);
      assert.ok(Math.abs(lon) <= 180 && Math.abs(lat) <= 90);
      const metadata = await readSceneMetadata(
        { name: source.name, rasters: [{ name: source.name, raster }], document: null, ingestedAt: new Date(0) },
        signal,
      );
      assert.equal(metadata.bands.length, raster.bands.length);
      if (!gdalInstalled) return;
      await assertPixelsEqualGdal(path, raster, folder.path);
      const expected = georeference.kind === "affine" ? gdalCorner(path) : null;
      // gdalinfo prints seven decimals.
      if (expected !== null)
        assert.ok(
          Math.hypot(expected[0] - lon, expected[1] - lat) < 2e-7,
          `${lon} ${lat} is not ${expected.join(" ")}`,
        );
    });
  }
});
