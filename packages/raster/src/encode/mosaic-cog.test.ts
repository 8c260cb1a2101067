import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "../tiff/gdal-testing.ts";
import type { PixelArray } from "../source-raster.ts";
import { encodeGeoTiff } from "./geotiff.ts";
import { planMosaic, readMosaicBlock, type MosaicLevel } from "./mosaic-cog.ts";

const BLOCK_PX = 256;
const [WIDTH, HEIGHT] = [700, 300];
const ORIGIN = { originX: 1_600_000, originY: 6_400_000, pixelSizeX: 10, pixelSizeY: 12 };
const CRS = { epsg: 3857, proj4: "+proj=merc", name: "WGS 84 / Pseudo-Mercator", datumShiftKnown: true };

interface Level extends Omit<MosaicLevel, "blocks"> {
  readonly blocks: readonly (Uint8Array | null)[];
}

/** The whole file, of blocks that are kept one after the other. */
function mosaicOf(levels: readonly Level[]): Uint8Array | null {
  const kept = Buffer.concat(levels.flatMap(({ blocks }) => blocks.filter((block) => block !== null)));
  let start = 0;
  const placed = levels.map((one) => ({
    ...one,
    blocks: one.blocks.map((block) => {
      if (block === null) return null;
      start += block.length;
      return readMosaicBlock(block, start - block.length);
    }),
  }));
  const planned = planMosaic(placed, BLOCK_PX, ORIGIN);
  if (planned === null) return null;
  const parts = planned.parts.flatMap((part) => [
    kept.subarray(part.start, part.start + part.length),
    Buffer.alloc(part.length & 1),
  ]);
  const file = Buffer.concat([planned.header, ...parts]);
  assert.equal(file.length, planned.sizeBytes);
  return file;
}

/** Blocks of a level whose pixels are a function of their place at full resolution; the last has no data. */
async function level(
  scale: number,
  make: (pixel: (i: number) => readonly [x: number, y: number]) => {
    readonly bands: readonly PixelArray[];
    readonly nodata: number | null;
    readonly valid: Uint8Array | null;
  },
): Promise<Level> {
  const widthPx = Math.ceil(WIDTH / scale);
  const heightPx = Math.ceil(HEIGHT / scale);
  const columns = Math.ceil(widthPx / BLOCK_PX);
  const count = columns * Math.ceil(heightPx / BLOCK_PX);
  const made = Array.from({ length: count }, async (_, block) => {
    if (count > 1 && block === count - 1) return null;
    const left = (block % columns) * BLOCK_PX;
    const top = Math.floor(block / columns) * BLOCK_PX;
    const { bands, nodata, valid } = make((i) => [
      (left + (i % BLOCK_PX)) * scale,
      (top + Math.floor(i / BLOCK_PX)) * scale,
    ]);
    const [sizeX, sizeY] = [ORIGIN.pixelSizeX * scale, ORIGIN.pixelSizeY * scale];
    const geotransform: Affine = [sizeX, 0, ORIGIN.originX + left * sizeX, 0, -sizeY, ORIGIN.originY - top * sizeY];
    return await encodeGeoTiff({
      grid: { widthPx: BLOCK_PX, heightPx: BLOCK_PX, geotransform, crs: CRS },
      bands: bands.map((pixels, index) => ({ description: `band ${index}`, pixels })),
      nodata,
      valid,
      isRgba: false,
      stripRows: BLOCK_PX,
    });
  });
  return { widthPx, heightPx, blocks: await Promise.all(made) };
}

const PIXELS = BLOCK_PX * BLOCK_PX;

async function floats(scale: number): Promise<Level> {
  return await level(scale, (pixel) => ({
    bands: [0, 1].map((band) =>
      Float32Array.from({ length: PIXELS }, (_, i) => pixel(i)[0] + 1000 * pixel(i)[1] + band),
    ),
    nodata: Number.NaN,
    valid: null,
  }));
}

test("blocks become one GeoTIFF with overviews that GDAL reads as their pixels, missing ones as no data", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const path = join(folder.path, "mosaic.tif");
  const body = mosaicOf(await Promise.all([floats(1), floats(2), floats(4)]));
  assert.ok(body !== null);
  writeFileSync(path, body);
  const info = JSON.parse(runGdal("gdalinfo", ["-json", path]));
  assert.deepEqual(info.size, [WIDTH, HEIGHT]);
  assert.deepEqual(info.geoTransform, [1_600_000, 10, 0, 6_400_000, 0, -12]);
  assert.match(info.coordinateSystem.wkt, /Pseudo-Mercator/);
  assert.deepEqual(
    info.bands.map(({ description, overviews, block }: Record<string, unknown>) => [description, overviews, block]),
    [0, 1].map((band) => [`band ${band}`, [{ size: [350, 150] }, { size: [175, 75] }], [BLOCK_PX, BLOCK_PX]]),
  );
  const { bands } = readWithGdal(path, folder.path);
  for (let row = 0; row < HEIGHT; row += 7) {
    for (let column = 0; column < WIDTH; column += 5) {
      const missing = row >= BLOCK_PX && column >= 2 * BLOCK_PX;
      for (const [band, pixels] of bands.entries()) {
        const value = pixels[row * WIDTH + column]!;
        if (missing) assert.ok(Number.isNaN(value));
        else assert.equal(value, column + 1000 * row + band);
      }
    }
  }
  const small = join(folder.path, "small.tif");
  runGdal("gdal_translate", ["-q", "-oo", "OVERVIEW_LEVEL=0", "-b", "2", path, small]);
  assert.equal(readWithGdal(small, folder.path).bands[0]![3 * 350 + 5], 10 + 6000 + 1);
});

test("the validator of GDAL finds nothing wrong with the layout", async (t) => {
  const module = "osgeo_utils.samples.validate_cloud_optimized_geotiff";
  // The system's Python has the tools where another one comes first.
  const python = ["python3", "/usr/bin/python3"].find((one) => spawnSync(one, ["-c", `import ${module}`]).status === 0);
  if (python === undefined) {
    t.skip("GDAL's Python tools are not installed");
    return;
  }
  const validator = `import sys; from ${module} import validate; print(validate(sys.argv[1], full_check=True))`;
  using folder = temporaryFolder();
  const path = join(folder.path, "mosaic.tif");
  writeFileSync(path, mosaicOf(await Promise.all([floats(1), floats(2), floats(4)]))!);
  const { status, stdout, stderr } = spawnSync(python, ["-c", validator, path], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  // Warnings, errors, details.
  assert.match(stdout, /^\(\[.*\], \[\], /s, stdout);
});

async function masked(scale: number): Promise<Level> {
  return await level(scale, (pixel) => ({
    bands: [Uint16Array.from({ length: PIXELS }, (_, i) => pixel(i)[0] + pixel(i)[1])],
    nodata: null,
    valid: Uint8Array.from({ length: PIXELS }, (_, i) => (pixel(i)[0] < 300 ? 255 : 0)),
  }));
}

test("masks of the blocks become the mask of the mosaic, at every resolution", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const path = join(folder.path, "mosaic.tif");
  writeFileSync(path, mosaicOf(await Promise.all([masked(1), masked(2), masked(4)]))!);
  const info = JSON.parse(runGdal("gdalinfo", ["-json", path]));
  assert.deepEqual(info.bands[0].mask.flags, ["PER_DATASET"]);
  assert.equal(info.bands[0].mask.overviews.length, 2);
  const mask = join(folder.path, "mask.tif");
  runGdal("gdal_translate", ["-q", "-b", "mask", path, mask]);
  const pixels = readWithGdal(mask, folder.path).bands[0]!;
  assert.equal(pixels[10 * WIDTH + 299], 255);
  assert.equal(pixels[10 * WIDTH + 300], 0);
});

test("without any block there is no mosaic, and the same blocks give the same bytes", async () => {
  assert.equal(mosaicOf([{ widthPx: 10, heightPx: 10, blocks: [null] }]), null);
  assert.deepEqual(
    mosaicOf(await Promise.all([floats(1), floats(2)])),
    mosaicOf(await Promise.all([floats(1), floats(2)])),
  );
});
