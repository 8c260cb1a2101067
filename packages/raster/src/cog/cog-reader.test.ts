import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import { RasterError } from "../raster-error.ts";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder, writeRaw } from "../tiff/gdal-testing.ts";
import { landscape } from "../testing/landscape.ts";
import { type WrittenCogs, writtenCogs } from "../testing/written-cog.ts";
import { WarpKernel } from "../warp/warp-kernel.ts";
import { BlockCache, createBlockCacheMemory } from "./block-cache.ts";
import { ByteSupply } from "./byte-supply.ts";
import { CogReader } from "./cog-reader.ts";
import { LocalBlobs } from "./local-blobs.ts";

const ARRAYS = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** Every pixel of a level as float32, read twice: decoded and from the cache. */
function readLevel(path: string, level: number, nodata: number | null = null): Float32Array {
  using files = new LocalBlobs();
  const kernel = new WarpKernel();
  const reader = new CogReader(new BlockCache(createBlockCacheMemory(8 * 2 ** 20)));
  let result: Float32Array | null = null;
  for (let round = 0; round < 2; round++) {
    kernel.reset();
    const supply = new ByteSupply((key) => files.open(key));
    const cog = reader.open(supply, path);
    const { widthPx, heightPx } = cog.header.levels[level]!;
    const target = kernel.allocateFloats(widthPx * heightPx);
    reader.readWindow(supply, kernel, cog, level, { x: 0, y: 0, widthPx, heightPx }, target, nodata);
    const values = kernel.floats(target, widthPx * heightPx).slice();
    if (result !== null) assert.deepEqual(values, result);
    result = values;
  }
  return result!;
}

/** The first overview as GDAL reads it. */
function readOverview(path: string, folder: string): Float32Array {
  const overview = join(folder, "overview.tif");
  runGdal("gdal_translate", ["-q", "-oo", "OVERVIEW_LEVEL=0", path, overview]);
  return Float32Array.from(readWithGdal(overview, folder).bands[0]!);
}

test("COGs written by GDAL are read as GDAL reads them: every type, codec, predictor and overview", (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  const [widthPx, heightPx] = [601, 530];
  for (const dataType of [
    "uint8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "float32",
    "float64",
  ] as const satisfies readonly DataType[]) {
    const raw = join(folder.path, "source.raw");
    const pixels = landscape(new ARRAYS[dataType](widthPx * heightPx), widthPx, 3, dataType === "uint8" ? 250 : 9_000);
    writeRaw(raw, { widthPx, heightPx, dataType, bands: [pixels] });
    // Every codec keeps the same averages.
    let averaged: Float32Array | null = null;
    for (const compress of ["ZSTD", "DEFLATE", "NONE"]) {
      for (const predictor of compress === "NONE" ? ["NO"] : ["YES", "NO"]) {
        const path = join(folder.path, `${dataType}-${compress}-${predictor}.tif`);
        const options = [
          `COMPRESS=${compress}`,
          `PREDICTOR=${predictor}`,
          "BLOCKSIZE=256",
          "OVERVIEW_RESAMPLING=AVERAGE",
        ];
        runGdal("gdal_translate", ["-q", "-of", "COG", ...options.flatMap((option) => ["-co", option]), raw, path]);
        assert.deepEqual(readLevel(path, 0), Float32Array.from(pixels), path);
        averaged ??= readOverview(path, folder.path);
        assert.deepEqual(readLevel(path, 1), averaged, `${path} overview`);
      }
    }
  }
});

test("COGs of the store are read back exactly, with nodata as NaN", async () => {
  const [widthPx, heightPx] = [700, 333];
  for (const [name, type] of Object.entries(ARRAYS)) {
    const pixels = landscape(new type(widthPx * heightPx), widthPx, 1, name.endsWith("8") ? 120 : 9_000);
    pixels.fill(7, 1_000, 5_000);
    await using fixture = await writtenCogs({ widthPx, heightPx, bands: [pixels], nodata: 7 });
    const path = fixture.paths[0]!;
    const values = readLevel(path, 0, 7);
    assert.deepEqual(
      values,
      Float32Array.from(pixels, (value) => (value === 7 ? Number.NaN : value)),
      name,
    );
  }
});

test("a COG cut short or altered anywhere gives a RasterError or pixels, never anything else", async () => {
  const [widthPx, heightPx] = [300, 300];
  const pixels = landscape(new Uint16Array(widthPx * heightPx), widthPx, 2, 5_000);
  await using fixture = await writtenCogs({ widthPx, heightPx, bands: [pixels] });
  const good = readFileSync(fixture.paths[0]!);
  const path = join(fixture.folder, "altered.tif");
  const check = (bytes: Uint8Array): void => {
    writeFileSync(path, bytes);
    try {
      readLevel(path, 0);
    } catch (error) {
      assert.ok(error instanceof RasterError, String(error));
      assert.equal(error.reason, "unreadable");
    }
  };
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.oneof(fc.nat(600), fc.nat(good.length - 1)), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.option(fc.nat(good.length)),
      (changes, cut) => {
        const bytes = Uint8Array.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        check(bytes.subarray(0, cut ?? bytes.length));
      },
    ),
    { numRuns: 300 },
  );
});

test("a file replaced under the same name is read anew", async () => {
  const [widthPx, heightPx] = [64, 64];
  const make = (value: number): Promise<WrittenCogs> =>
    writtenCogs({ widthPx, heightPx, bands: [new Uint8Array(widthPx * heightPx).fill(value)] });
  await using one = await make(11);
  await using two = await make(22);
  using files = new LocalBlobs();
  const kernel = new WarpKernel();
  const reader = new CogReader(new BlockCache(createBlockCacheMemory(8 * 2 ** 20)));
  const path = join(one.folder, "scene.tif");
  for (const [fixture, expected] of [
    [one, 11],
    [two, 22],
  ] as const) {
    writeFileSync(path, readFileSync(fixture.paths[0]!), { flag: "w" });
    const supply = new ByteSupply((key) => files.open(key));
    const target = kernel.allocateFloats(1);
    reader.readWindow(
      supply,
      kernel,
      reader.open(supply, path),
      0,
      { x: 5, y: 5, widthPx: 1, heightPx: 1 },
      target,
      null,
    );
    assert.equal(kernel.floats(target, 1)[0], expected);
  }
});
