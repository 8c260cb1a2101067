import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { fromFile } from "geotiff";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray, SourceCrs, SourceRaster } from "../source-raster.ts";
import { memoryRaster } from "./memory-raster.ts";
import { newPixels, toPixelValue } from "./pixel-type.ts";
import { writeCogs } from "./write-cog.ts";
import type { WriteCogOptions, WrittenRaster } from "./written-raster.ts";

const run = promisify(execFile);

const hasGdal = await run("gdal_translate", ["--version"]).then(
  () => true,
  () => false,
);
/** The Python whose GDAL bindings carry the validator; distributions install them for their own interpreter. */
const python = await run("/usr/bin/python3", [
  "-c",
  "import osgeo_utils.samples.validate_cloud_optimized_geotiff",
]).then(
  () => "/usr/bin/python3",
  () => null,
);

class TemporaryFolder implements AsyncDisposable {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  static async create(): Promise<TemporaryFolder> {
    return new TemporaryFolder(await mkdtemp(join(tmpdir(), "write-cog-")));
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** A deterministic landscape-like signal with noise: neither constant nor incompressible. */
function pattern(dataType: DataType, width: number, height: number, seed = 1): PixelArray {
  const pixels = newPixels(dataType, width * height);
  let state = seed;
  for (let i = 0; i < pixels.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const wave = 60 + 50 * Math.sin((i % width) / 37) * Math.cos(i / width / 23);
    const value = wave + (state >>> 28);
    pixels[i] = toPixelValue(dataType, dataType === "uint16" || dataType === "int16" ? value * 30 : value);
  }
  return pixels;
}

async function write(
  raster: SourceRaster,
  folder: string,
  more: Partial<WriteCogOptions> = {},
): Promise<WrittenRaster> {
  assert.ok(raster.georeference.kind === "affine" && raster.crs !== null);
  return writeCogs(raster, raster.georeference.transform, raster.crs, {
    folder,
    name: "scene",
    isClass: raster.bands.map(() => false),
    signal: new AbortController().signal,
    ...more,
  });
}

/** All levels of a file as an independent reader sees them. */
async function levelsByGeotiffJs(
  path: string,
): Promise<readonly { width: number; height: number; pixels: PixelArray }[]> {
  const tiff = await fromFile(path);
  const levels = [];
  for (let index = 0; index < (await tiff.getImageCount()); index++) {
    const image = await tiff.getImage(index);
    const [pixels] = await image.readRasters();
    assert.ok(pixels !== undefined && typeof pixels !== "number");
    levels.push({ width: image.getWidth(), height: image.getHeight(), pixels });
  }
  await tiff.close();
  return levels;
}

async function rawByGdal(path: string, dataType: DataType, args: readonly string[]): Promise<PixelArray> {
  const target = `${path}.${args.join("")}.raw`;
  await run("gdal_translate", ["-q", "-of", "ENVI", ...args, path, target]);
  const bytes = await readFile(target);
  const pixels = newPixels(dataType, bytes.length / newPixels(dataType, 1).BYTES_PER_ELEMENT);
  new Uint8Array(pixels.buffer).set(bytes);
  return pixels;
}

const GDAL_NAMES: Readonly<Partial<Record<DataType, string>>> = {
  uint8: "Byte",
  uint16: "UInt16",
  int16: "Int16",
  uint32: "UInt32",
  int32: "Int32",
  float32: "Float32",
  float64: "Float64",
};

/** The same pixels as a plain GeoTIFF made by GDAL. */
async function sourceByGdal(
  folder: string,
  raster: SourceRaster,
  pixels: PixelArray,
  dataType: DataType,
): Promise<string> {
  const raw = join(folder, "source.raw");
  await writeFile(raw, new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength));
  const bytes = pixels.BYTES_PER_ELEMENT;
  const nodata = raster.bands[0]?.nodata;
  const vrt = `<VRTDataset rasterXSize="${raster.widthPx}" rasterYSize="${raster.heightPx}"><SRS>EPSG:32632</SRS>
<GeoTransform>500000, 10, 0, 5500000, 0, -10</GeoTransform>
<VRTRasterBand dataType="${GDAL_NAMES[dataType]}" band="1" subClass="VRTRawRasterBand">
${nodata === null || nodata === undefined ? "" : `<NoDataValue>${nodata}</NoDataValue>`}
<SourceFilename relativetoVRT="1">source.raw</SourceFilename><ImageOffset>0</ImageOffset>
<PixelOffset>${bytes}</PixelOffset><LineOffset>${bytes * raster.widthPx}</LineOffset><ByteOrder>LSB</ByteOrder>
</VRTRasterBand></VRTDataset>`;
  await writeFile(join(folder, "source.vrt"), vrt);
  const source = join(folder, "source.tif");
  await run("gdal_translate", ["-q", join(folder, "source.vrt"), source], {
    env: { ...process.env, GDAL_VRT_ENABLE_RAWRASTERBAND: "YES" },
  });
  return source;
}

const DATA_TYPES: readonly DataType[] = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"];

for (const dataType of DATA_TYPES) {
  test(`pixels of type ${dataType} come back unchanged through an independent reader`, async () => {
    await using folder = await TemporaryFolder.create();
    const pixels = pattern(dataType, 611, 530);
    const written = await write(memoryRaster({ widthPx: 611, heightPx: 530, bands: [pixels] }), folder.path);
    const levels = await levelsByGeotiffJs(written.bands[0]!.path);
    assert.deepEqual(
      levels.map(({ width, height }) => [width, height]),
      [
        [611, 530],
        [305, 265],
        [152, 132],
      ],
    );
    assert.deepEqual(new Uint8Array(levels[0]!.pixels.buffer), new Uint8Array(pixels.buffer));
  });
}

test("BigTIFF files hold the same pixels", async () => {
  await using folder = await TemporaryFolder.create();
  const pixels = pattern("uint16", 300, 300);
  const written = await write(memoryRaster({ widthPx: 300, heightPx: 300, bands: [pixels] }), folder.path, {
    forceBigTiff: true,
  });
  const path = written.bands[0]!.path;
  assert.deepEqual([...(await readFile(path)).subarray(0, 4)], [0x49, 0x49, 43, 0]);
  const [full] = await levelsByGeotiffJs(path);
  assert.deepEqual(full?.pixels, pixels);
});

interface GdalCase {
  readonly name: string;
  readonly dataType: DataType;
  readonly width: number;
  readonly height: number;
  readonly nodata: number | null;
  /** Share of pixels set to nodata, and whether a corner is too. */
  readonly holes: boolean;
}

const GDAL_CASES: readonly GdalCase[] = [
  { name: "even bytes", dataType: "uint8", width: 1024, height: 768, nodata: null, holes: false },
  { name: "odd bytes with nodata", dataType: "uint8", width: 1101, height: 847, nodata: 0, holes: true },
  { name: "even uint16", dataType: "uint16", width: 1200, height: 1000, nodata: null, holes: false },
  { name: "odd uint16", dataType: "uint16", width: 1101, height: 847, nodata: null, holes: false },
  { name: "even uint16 with nodata", dataType: "uint16", width: 1200, height: 1000, nodata: 0, holes: true },
  { name: "odd uint16 with nodata", dataType: "uint16", width: 1101, height: 847, nodata: 0, holes: true },
  {
    name: "uint16 with nodata amid the values",
    dataType: "uint16",
    width: 600,
    height: 601,
    nodata: 1801,
    holes: true,
  },
  { name: "int16 with nodata", dataType: "int16", width: 801, height: 700, nodata: -32_768, holes: true },
  { name: "int32", dataType: "int32", width: 801, height: 700, nodata: null, holes: false },
  { name: "even float32", dataType: "float32", width: 802, height: 700, nodata: null, holes: false },
  { name: "odd float32", dataType: "float32", width: 801, height: 701, nodata: null, holes: false },
  { name: "float32 with nodata", dataType: "float32", width: 802, height: 700, nodata: -9999, holes: true },
  { name: "float32 with nodata nowhere", dataType: "float32", width: 802, height: 700, nodata: -9999, holes: false },
  { name: "float32 with NaN", dataType: "float32", width: 802, height: 701, nodata: Number.NaN, holes: true },
];

for (const gdalCase of GDAL_CASES) {
  test(`GDAL reads the file and makes the same overviews: ${gdalCase.name}`, async (t) => {
    if (!hasGdal) return t.skip("gdal_translate is not installed");
    await using folder = await TemporaryFolder.create();
    const { dataType, width, height, nodata } = gdalCase;
    const pixels = pattern(dataType, width, height, 7);
    if (nodata !== null && gdalCase.holes) {
      for (let i = 0; i < pixels.length; i++) {
        const inCorner = i % width < width / 4 && i < pixels.length / 3;
        if (inCorner || Math.imul(i, 2_654_435_761) >>> 28 === 0) pixels[i] = nodata;
      }
    }
    const raster = memoryRaster({ widthPx: width, heightPx: height, bands: [pixels], nodata });
    const written = await write(raster, folder.path);
    const ours = written.bands[0]!.path;
    const source = await sourceByGdal(folder.path, raster, pixels, dataType);
    const theirs = join(folder.path, "gdal.tif");
    const settings = "COMPRESS=ZSTD PREDICTOR=YES BLOCKSIZE=256 OVERVIEWS=IGNORE_EXISTING OVERVIEW_RESAMPLING=AVERAGE";
    const options = settings.split(" ").flatMap((setting) => ["-co", setting]);
    await run("gdal_translate", ["-q", "-of", "COG", ...options, source, theirs]);
    assert.deepEqual(await rawByGdal(ours, dataType, []), pixels);
    for (const [index] of (await levelsByGeotiffJs(ours)).slice(1).entries()) {
      const level = ["-oo", `OVERVIEW_LEVEL=${index}`];
      const [mine, other] = [await rawByGdal(ours, dataType, level), await rawByGdal(theirs, dataType, level)];
      assert.equal(mine.length, other.length);
      let different = 0;
      for (let i = 0; i < mine.length; i++) if (!Object.is(mine[i], other[i])) different++;
      assert.equal(different, 0, `overview ${index}: ${different} of ${mine.length} pixels differ`);
    }
    return undefined;
  });
}

test("the validator of GDAL finds nothing wrong with any layout", async (t) => {
  if (python === null) return t.skip("the GDAL Python utilities are not installed");
  await using folder = await TemporaryFolder.create();
  const userDefined: SourceCrs = {
    epsg: null,
    proj4: "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs",
    name: "own",
    datumShiftKnown: true,
  };
  const rasters = [
    memoryRaster({ widthPx: 1101, heightPx: 847, bands: [pattern("uint16", 1101, 847)], nodata: 0 }),
    memoryRaster({ widthPx: 10, heightPx: 7, bands: [pattern("uint8", 10, 7)] }),
    memoryRaster({
      widthPx: 300,
      heightPx: 3,
      bands: [pattern("float32", 300, 3)],
      crs: userDefined,
      descriptions: ["a < b & c"],
    }),
  ];
  for (const [index, raster] of rasters.entries()) {
    for (const forceBigTiff of [false, true]) {
      const written = await write(raster, join(folder.path, `${index}${forceBigTiff}`), { forceBigTiff });
      const { stdout } = await run(python, [
        "-m",
        "osgeo_utils.samples.validate_cloud_optimized_geotiff",
        "--full-check=yes",
        written.bands[0]!.path,
      ]);
      assert.match(stdout, /is a valid cloud optimized GeoTIFF/);
      assert.doesNotMatch(stdout, /warning/i);
    }
  }
  return undefined;
});

test("GDAL finds the coordinate system, the description, the nodata value and the block promises", async (t) => {
  if (!hasGdal) return t.skip("gdalinfo is not installed");
  await using folder = await TemporaryFolder.create();
  const laea = "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs";
  const geographic: SourceCrs = {
    epsg: 4326,
    proj4: "+proj=longlat +datum=WGS84 +no_defs",
    name: "WGS 84",
    datumShiftKnown: true,
  };
  const info = async (raster: SourceRaster, name: string) => {
    const written = await write(raster, join(folder.path, name));
    return (await run("gdalinfo", ["-mdd", "all", "-proj4", written.bands[0]!.path])).stdout;
  };
  const bands = [pattern("uint16", 600, 520)];
  const utm = await info(
    memoryRaster({ widthPx: 600, heightPx: 520, bands, nodata: 3, descriptions: ["Red <&>"] }),
    "utm",
  );
  assert.match(utm, /LAYOUT=COG/);
  assert.match(utm, /ID\["EPSG",32632\]\]/);
  assert.match(utm, /NoData Value=3/);
  assert.match(utm, /Description = Red <&>/);
  assert.match(utm, /Origin = \(500000\.0+,5500000\.0+\)/);
  const lonLat = await info(
    memoryRaster({ widthPx: 600, heightPx: 520, bands, crs: geographic, transform: [0.001, 0, 5, 0, -0.002, 50] }),
    "lonlat",
  );
  assert.match(lonLat, /ID\["EPSG",4326\]\]/);
  assert.match(lonLat, /Pixel Size = \(0\.001\d*,-0\.002/);
  const own = await info(
    memoryRaster({ widthPx: 600, heightPx: 520, bands, crs: { ...geographic, epsg: null, proj4: laea } }),
    "own",
  );
  assert.match(own, /\+proj=laea \+lat_0=52 \+lon_0=10 \+x_0=4321000 \+y_0=3210000/);
  return undefined;
});

test("statistics and validity follow nodata and mask, and the mask becomes a file of its own", async () => {
  await using folder = await TemporaryFolder.create();
  const [width, height] = [300, 260];
  const pixels = new Uint16Array(width * height).fill(100);
  const mask = new Uint8Array(width * height).fill(255);
  for (let i = 0; i < pixels.length; i++) {
    if (i < width * 10) pixels[i] = 7;
    if (i % width >= 200) mask[i] = 0;
    if (i % width === 5) pixels[i] = 300;
  }
  const written = await write(
    memoryRaster({ widthPx: width, heightPx: height, bands: [pixels], nodata: 7, mask }),
    folder.path,
  );
  const { statistics } = written.bands[0]!;
  // 200 columns and 250 rows count, one of the columns holds 300; column 5 overwrites nodata in the first ten rows.
  assert.equal(statistics.validPixels, 200 * 250 + 10);
  assert.deepEqual([statistics.min, statistics.max, statistics.p50], [100, 300, 100]);
  assert.ok(written.mask !== null);
  const [full, half] = await levelsByGeotiffJs(written.mask.path);
  assert.deepEqual(full?.pixels, mask);
  assert.deepEqual([half?.pixels[99], half?.pixels[100]], [255, 0]);
  const bitmap = written.validity.bitmap();
  assert.equal(
    bitmap?.reduce((sum, cell) => sum + cell, 0),
    200 * 250 + 10,
  );
});

test("class bands keep their values in overviews", async () => {
  await using folder = await TemporaryFolder.create();
  const pixels = new Uint8Array(512 * 512);
  for (let i = 0; i < pixels.length; i++) pixels[i] = Math.floor(i / 3) % 2 === 0 ? 10 : 90;
  const written = await write(memoryRaster({ widthPx: 512, heightPx: 512, bands: [pixels] }), folder.path, {
    isClass: [true],
  });
  const levels = await levelsByGeotiffJs(written.bands[0]!.path);
  assert.deepEqual(
    [...new Set(levels[1]!.pixels)].toSorted((a, b) => a - b),
    [10, 90],
  );
});

test("an aborted or failing source leaves no block spool behind", async () => {
  await using folder = await TemporaryFolder.create();
  const raster = memoryRaster({ widthPx: 400, heightPx: 900, bands: [pattern("uint8", 400, 900)] });
  const failing: SourceRaster = {
    ...raster,
    async readRows(firstRow, rowCount, signal) {
      if (firstRow + rowCount > 500) throw new Error("truncated");
      return raster.readRows(firstRow, rowCount, signal);
    },
  };
  await assert.rejects(write(failing, folder.path), /truncated/);
  await assert.rejects(write(failing, folder.path, { signal: AbortSignal.abort(new Error("stop")) }), /stop/);
  assert.deepEqual(await readdir(folder.path), []);
});
