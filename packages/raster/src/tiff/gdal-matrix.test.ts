import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray, SourceRaster } from "../source-raster.ts";
import { RasterError } from "../raster-error.ts";
import { bufferSource, fileSource } from "./byte-sources.ts";
import { gdalInstalled, type RawRaster, readWithGdal, runGdal, temporaryFolder, writeRaw } from "./gdal-testing.ts";
import { openTiff } from "./open.ts";
import { allocatePixels } from "./samples.ts";

const skip = gdalInstalled ? false : "gdal_translate is not installed";
const { signal } = new AbortController();

/** Smooth with noise and sharp edges: every codec and predictor has something to do. */
function picture(dataType: DataType, widthPx: number, heightPx: number, bandCount: number, maximum: number): RawRaster {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const bands = Array.from({ length: bandCount }, (_, b) => {
    const band = allocatePixels(dataType, widthPx * heightPx);
    for (let i = 0; i < band.length; i++) {
      const column = i % widthPx;
      const row = Math.floor(i / widthPx);
      const wave = 0.5 + 0.4 * Math.sin(column / 17 + b) * Math.cos(row / 11);
      const value = (column > 60 && column < 70 ? 0 : wave + 0.1 * random()) * maximum;
      band[i] = dataType.startsWith("float") ? value / 7 : Math.min(maximum, Math.floor(value));
      if (dataType.startsWith("int") && row % 3 === 1) band[i] = -(band[i] ?? 0);
    }
    return band;
  });
  return { widthPx, heightPx, dataType, bands };
}

/** Reads in steps that do not agree with the blocks, so that partly used blocks are kept correctly. */
async function readAll(raster: SourceRaster, step: number): Promise<readonly PixelArray[]> {
  const bands = raster.bands.map((band) => allocatePixels(band.dataType, raster.widthPx * raster.heightPx));
  for (let row = 0; row < raster.heightPx; row += step) {
    const rows = await raster.readRows(row, Math.min(step, raster.heightPx - row), signal);
    for (const [i, values] of rows.entries()) bands[i]?.set(values, row * raster.widthPx);
  }
  return bands;
}

async function assertReadsLike(path: string, expected: RawRaster, label: string): Promise<void> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  assert.equal(raster.widthPx, expected.widthPx, label);
  assert.equal(raster.heightPx, expected.heightPx, label);
  assert.equal(raster.bands.length, expected.bands.length, label);
  for (const step of [raster.blockHeightPx, 23]) {
    const bands = await readAll(raster, step);
    for (const [i, band] of bands.entries()) {
      const reference = expected.bands[i];
      assert.ok(
        reference !== undefined && reference.constructor === band.constructor,
        `${label}: type of band ${i + 1}`,
      );
      const difference = band.findIndex((value, at) => !Object.is(value, reference[at]));
      assert.equal(
        difference,
        -1,
        `${label}: band ${i + 1}, pixel ${difference}: ${band[difference]} is not ${reference[difference]}`,
      );
    }
  }
}

const LAYOUTS: Readonly<Record<string, readonly string[]>> = {
  strips: ["BLOCKYSIZE=7"],
  "single-row strips": ["BLOCKYSIZE=1"],
  "one strip": ["BLOCKYSIZE=1000"],
  tiles: ["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=48"],
};

const TYPES: readonly (readonly [DataType, number])[] = [
  ["uint8", 255],
  ["uint16", 65_535],
  ["int16", 32_767],
  ["uint32", 4_294_967_295],
  ["int32", 2_147_483_647],
  ["float32", 1e6],
  ["float64", 1e9],
];

const LOSSLESS = ["NONE", "DEFLATE", "ZSTD", "LZW", "PACKBITS", "LERC", "LERC_DEFLATE", "LERC_ZSTD"];

function predictorsOf(codec: string, dataType: DataType): readonly number[] {
  if (codec !== "DEFLATE" && codec !== "ZSTD" && codec !== "LZW") return [1];
  return dataType.startsWith("float") ? [1, 2, 3] : [1, 2];
}

for (const [typeIndex, [dataType, maximum]] of TYPES.entries()) {
  test(
    `${dataType} pixels equal those GDAL wrote for every codec, predictor, layout and byte order`,
    { skip },
    async () => {
      using folder = temporaryFolder();
      const raw = join(folder.path, "picture.raw");
      const path = join(folder.path, "picture.tif");
      const original = picture(dataType, 133, 101, 3, maximum);
      writeRaw(raw, original);
      let turn = 0;
      for (const codec of LOSSLESS) {
        for (const predictor of predictorsOf(codec, dataType)) {
          for (const [layout, layoutOptions] of Object.entries(LAYOUTS)) {
            // Interleaving, byte order and BigTIFF alternate so that all pairs occur without the full product.
            turn++;
            // Every second combination for each type, the other half for the next: half the calls of GDAL.
            if ((turn + typeIndex) % 2 === 0) continue;
            // Byte-swapped floats are NaNs by chance, which LERC does not keep: libtiff cannot read back what it wrote.
            const swappable = !(codec.startsWith("LERC") && dataType.startsWith("float"));
            const options = [
              `COMPRESS=${codec}`,
              ...(predictor === 1 ? [] : [`PREDICTOR=${predictor}`]),
              ...layoutOptions,
              `INTERLEAVE=${Math.floor(turn / 2) % 2 === 0 ? "PIXEL" : "BAND"}`,
              `ENDIANNESS=${swappable && Math.floor(turn / 4) % 2 === 0 ? "BIG" : "LITTLE"}`,
              `BIGTIFF=${turn % 3 === 0 ? "YES" : "NO"}`,
            ];
            const label = `${layout} ${options.join(" ")}`;
            runGdal("gdal_translate", ["-q", raw, path, ...options.flatMap((option) => ["-co", option])]);
            // GDAL 3.6 writes the float predictor wrongly into big-endian files; its own reading is the reference there.
            const broken = predictor === 3 && options.includes("ENDIANNESS=BIG");
            await assertReadsLike(path, broken ? readWithGdal(path, folder.path) : original, label);
          }
        }
      }
    },
  );
}

test("signed bytes, packed samples and 64-bit predictor sums equal GDAL's reading", { skip }, async () => {
  using folder = temporaryFolder();
  const raw = join(folder.path, "picture.raw");
  const path = join(folder.path, "picture.tif");
  for (const [bits, type, maximum] of [
    [1, "uint8", 1],
    [2, "uint8", 3],
    [4, "uint8", 15],
    [7, "uint8", 127],
    [12, "uint16", 4095],
    [14, "uint16", 16_383],
  ] as const) {
    for (const bandCount of [1, 3]) {
      const original = picture(type, 131, 40, bandCount, maximum);
      writeRaw(raw, original);
      for (const codec of ["NONE", "DEFLATE", "LZW"]) {
        runGdal("gdal_translate", [
          "-q",
          raw,
          path,
          "-co",
          `NBITS=${bits}`,
          "-co",
          `COMPRESS=${codec}`,
          "-co",
          "BLOCKYSIZE=9",
        ]);
        await assertReadsLike(path, original, `NBITS=${bits} ${codec} ${bandCount} bands`);
      }
    }
  }
  const halves = picture("float32", 50, 40, 2, 2000);
  for (const band of halves.bands) band.set(Float32Array.from(new Float16Array(band)));
  writeRaw(raw, halves);
  runGdal("gdal_translate", ["-q", raw, path, "-co", "NBITS=16", "-co", "COMPRESS=DEFLATE"]);
  await assertReadsLike(path, halves, "16-bit floats");
  const bytes = picture("uint8", 50, 40, 2, 255);
  writeRaw(raw, bytes);
  runGdal("gdal_translate", ["-q", raw, path, "-co", "PIXELTYPE=SIGNEDBYTE"]);
  const signed = bytes.bands.map((band) => new Int8Array(band.buffer));
  await assertReadsLike(path, { ...bytes, dataType: "int8", bands: signed }, "signed bytes");
});

test("JPEG and WebP blocks decode to what GDAL decodes", { skip }, async () => {
  using folder = temporaryFolder();
  const raw = join(folder.path, "picture.raw");
  const path = join(folder.path, "picture.tif");
  const cases: readonly (readonly [number, readonly string[], number])[] = [
    [1, ["COMPRESS=JPEG"], 0],
    [3, ["COMPRESS=JPEG", "INTERLEAVE=BAND"], 0],
    [3, ["COMPRESS=JPEG", "PHOTOMETRIC=RGB", "INTERLEAVE=PIXEL"], 0],
    [3, ["COMPRESS=JPEG", "PHOTOMETRIC=YCBCR", "INTERLEAVE=PIXEL"], 1],
    [2, ["COMPRESS=JPEG", "INTERLEAVE=PIXEL"], 0],
    [4, ["COMPRESS=JPEG", "INTERLEAVE=PIXEL"], 0],
    [3, ["COMPRESS=WEBP", "WEBP_LOSSLESS=TRUE", "INTERLEAVE=PIXEL"], 0],
    [3, ["COMPRESS=WEBP", "INTERLEAVE=PIXEL"], 1],
  ];
  for (const [bandCount, options, tolerance] of cases) {
    writeRaw(raw, picture("uint8", 150, 90, bandCount, 250));
    for (const layout of [["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=64"], ["BLOCKYSIZE=16"]]) {
      const label = [...options, ...layout].join(" ");
      runGdal("gdal_translate", ["-q", raw, path, ...[...options, ...layout].flatMap((option) => ["-co", option])]);
      const expected = readWithGdal(path, folder.path);
      await using source = await fileSource(path);
      await using raster = await openTiff(source);
      const bands = await readAll(raster, 31);
      assert.equal(bands.length, bandCount, label);
      for (const [i, band] of bands.entries()) {
        const reference = expected.bands[i];
        let worst = 0;
        for (let at = 0; at < band.length; at++)
          worst = Math.max(worst, Math.abs((band[at] ?? 0) - (reference?.[at] ?? Number.NaN)));
        assert.ok(worst <= tolerance, `${label}: band ${i + 1} differs by ${worst}`);
      }
    }
  }
});

test("masks and alpha are reported as GDAL reports them", { skip }, async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "picture.tif");
  const original = picture("uint16", 133, 101, 3, 4000);
  const validity = original.bands[0]?.map((value) => (value > 1000 ? 65_535 : 0));
  assert.ok(validity instanceof Uint16Array);
  const alphaRaw = join(folder.path, "alpha.raw");
  writeRaw(alphaRaw, { ...original, bands: [...original.bands, validity] });
  runGdal("gdal_translate", [
    "-q",
    alphaRaw,
    path,
    "-co",
    "ALPHA=YES",
    "-co",
    "PHOTOMETRIC=RGB",
    "-colorinterp_4",
    "alpha",
  ]);
  const masked = join(folder.path, "masked.tif");
  const maskOptions = ["-b", "1", "-b", "2", "-b", "3", "-mask", "4", "--config", "GDAL_TIFF_INTERNAL_MASK", "YES"];
  runGdal("gdal_translate", [
    "-q",
    alphaRaw,
    masked,
    ...maskOptions,
    "-co",
    "COMPRESS=DEFLATE",
    "-co",
    "TILED=YES",
    "-co",
    "BLOCKXSIZE=64",
    "-co",
    "BLOCKYSIZE=64",
  ]);
  for (const file of [path, masked]) {
    await using source = await fileSource(file);
    await using raster = await openTiff(source);
    assert.equal(raster.hasMask, true, file);
    assert.equal(raster.bands.length, 3, file);
    for (const readFirst of [true, false]) {
      if (readFirst) await raster.readRows(10, 50, signal);
      const mask = await raster.readMask(10, 50, signal);
      const expected: Uint8Array = Uint8Array.from(validity.subarray(10 * 133, 60 * 133), (value) =>
        value === 0 ? 0 : 255,
      );
      assert.deepEqual(mask, expected, file);
    }
  }
});

test("nodata, scales and sparse blocks are reported as GDAL reports them", { skip }, async () => {
  using folder = temporaryFolder();
  const raw = join(folder.path, "picture.raw");
  const path = join(folder.path, "picture.tif");
  const original = picture("uint16", 133, 101, 3, 4000);
  writeRaw(raw, original);
  runGdal("gdal_translate", [
    "-q",
    raw,
    path,
    "-a_nodata",
    "7",
    "-a_scale",
    "0.0001",
    "-a_offset",
    "-0.1",
    "-co",
    "SPARSE_OK=TRUE",
    "-co",
    "TILED=YES",
    "-co",
    "BLOCKXSIZE=16",
    "-co",
    "BLOCKYSIZE=16",
    "-srcwin",
    "0",
    "0",
    "200",
    "120",
  ]);
  await assertReadsLike(path, readWithGdal(path, folder.path), "sparse tiles");
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  assert.deepEqual(
    raster.bands.map(({ nodata, scale, offset }) => ({ nodata, scale, offset })),
    Array.from({ length: 3 }, () => ({ nodata: 7, scale: 0.0001, offset: -0.1 })),
  );
});

test("georeference and metadata of rotated, point-registered and GCP-only files equal GDAL's", { skip }, async () => {
  using folder = temporaryFolder();
  const raw = join(folder.path, "picture.raw");
  writeRaw(raw, picture("uint8", 40, 30, 1, 255));
  const vrt = join(folder.path, "picture.vrt");
  const path = join(folder.path, "picture.tif");
  runGdal("gdal_translate", [
    "-q",
    "-of",
    "VRT",
    raw,
    vrt,
    "-a_srs",
    "EPSG:32633",
    "-a_ullr",
    "500000",
    "5200000",
    "500400",
    "5199700",
  ]);
  const rotated = readFileSync(vrt, "utf8").replace(/<GeoTransform>[^<]*/, "<GeoTransform>500000,8,3,5200000,2.5,-9");
  writeFileSync(vrt, rotated);
  for (const point of [false, true]) {
    runGdal("gdal_translate", [
      "-q",
      vrt,
      path,
      ...(point ? ["-mo", "AREA_OR_POINT=Point"] : []),
      "-mo",
      "TIFFTAG_DATETIME=2020:01:02 03:04:05",
      "-mo",
      "MISSION=x<&>y",
    ]);
    await using source = await fileSource(path);
    await using raster = await openTiff(source);
    assert.deepEqual(raster.georeference, { kind: "affine", transform: [8, 3, 500_000, 2.5, -9, 5_200_000] });
    assert.equal(raster.crs?.epsg, 32_633);
    assert.equal(raster.metadata["TIFFTAG_DATETIME"], "2020:01:02 03:04:05");
    assert.equal(raster.metadata["MISSION"], "x<&>y");
  }
  const gcps = [
    ["0", "0", "10", "50"],
    ["40", "0", "10.4", "50.1"],
    ["0", "30", "9.9", "49.7"],
    ["40", "30", "10.3", "49.8"],
  ];
  runGdal("gdal_translate", ["-q", raw, path, "-a_srs", "EPSG:4326", ...gcps.flatMap((gcp) => ["-gcp", ...gcp])]);
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  assert.deepEqual(raster.georeference, {
    kind: "gcps",
    points: gcps.map((gcp) => {
      const [column = 0, row = 0, x = 0, y = 0] = gcp.map(Number);
      return { column, row, x, y };
    }),
  });
  assert.equal(raster.crs?.epsg, 4326);
});

test("damaged LERC, LZW and four-band JPEG blocks end in a RasterError or in pixels", { skip }, async () => {
  using folder = temporaryFolder();
  const raw = join(folder.path, "picture.raw");
  const path = join(folder.path, "picture.tif");
  const files: Uint8Array[] = [];
  for (const [type, options] of [
    ["uint8", ["COMPRESS=LERC"]],
    ["float32", ["COMPRESS=LERC_ZSTD", "INTERLEAVE=BAND"]],
    ["uint8", ["COMPRESS=JPEG", "INTERLEAVE=PIXEL"]],
    ["uint16", ["COMPRESS=LZW", "PREDICTOR=2"]],
  ] as const) {
    writeRaw(raw, picture(type, 64, 48, 4, 250));
    runGdal("gdal_translate", ["-q", raw, path, ...options.flatMap((option) => ["-co", option])]);
    files.push(new Uint8Array(readFileSync(path)));
  }
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    value: fc.integer({ min: 0, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: files.length - 1 }),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      async (index, changes) => {
        const damaged = files[index]?.slice() ?? new Uint8Array();
        for (const { at, value } of changes) damaged[Math.floor(at * damaged.length)] = value;
        try {
          const raster = await openTiff(bufferSource(damaged), {
            limits: { maxBlockRowBytes: 1e7, maxBlockBytes: 1e7 },
          });
          await raster.readRows(0, Math.min(raster.heightPx, raster.blockHeightPx), signal);
        } catch (error) {
          if (!(error instanceof RasterError)) throw error;
        }
      },
    ),
    { numRuns: 300 },
  );
});
