import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { httpSource } from "./http-source.ts";
import { open } from "./open.ts";
import { RasterError } from "./raster-error.ts";
import { readWindow } from "./read-window.ts";
import { startRangeServer } from "./testing/range-server.ts";
import { tiledTiff } from "./testing/tiled-tiff.ts";
import { TAG } from "./tiff/tags.ts";
import { buildTiff, imageTags, long, short } from "./tiff/tiff-building.ts";

const WIDTH = 37;
const HEIGHT = 23;
const SIDE = 16;

/** Red, green and blue differ by thirds of the range; alpha leaves every fifth diagonal out. */
const sample = (column: number, row: number, index: number): number =>
  index === 3 ? ((column + row) % 5 === 0 ? 0 : 200) : (7 * column + 11 * row + 80 * index) % 251;

/** Tiles of interleaved samples, or of one sample after the other. */
function rgbaTiles(planar: boolean): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const plane of planar ? [0, 1, 2, 3] : [0]) {
    for (let top = 0; top < HEIGHT; top += SIDE) {
      for (let left = 0; left < WIDTH; left += SIDE) {
        const at = (i: number): readonly [number, number] => [left + (i % SIDE), top + Math.floor(i / SIDE)];
        blocks.push(
          planar
            ? Uint8Array.from({ length: SIDE * SIDE }, (_, i) => sample(...at(i), plane))
            : Uint8Array.from({ length: SIDE * SIDE * 4 }, (_, i) => sample(...at(i >> 2), i & 3)),
        );
      }
    }
  }
  const { [TAG.rowsPerStrip]: _strip, ...tags } = imageTags(WIDTH, HEIGHT, {
    [TAG.photometric]: short(2),
    [TAG.samplesPerPixel]: short(4),
    [TAG.bitsPerSample]: short(8, 8, 8, 8),
    [TAG.extraSamples]: short(2),
    [TAG.planarConfiguration]: short(planar ? 2 : 1),
    [TAG.tileWidth]: long(SIDE),
    [TAG.tileLength]: long(SIDE),
  });
  return buildTiff([{ tags, blocks }]);
}

/** A window inside of the image. */
const windows = fc
  .tuple(fc.nat(WIDTH - 1), fc.nat(HEIGHT - 1), fc.nat(WIDTH - 1), fc.nat(HEIGHT - 1))
  .map(([column, row, more, down]) => ({
    column,
    row,
    widthPx: 1 + Math.min(more, WIDTH - 1 - column),
    heightPx: 1 + Math.min(down, HEIGHT - 1 - row),
  }));

test("any window gives the pixels of its place, bands in the order given, alpha as the mask", async () => {
  await using interleaved = await open(rgbaTiles(false));
  await using planar = await open(rgbaTiles(true));
  const rasters = fc.constantFrom(interleaved, planar);
  await fc.assert(
    fc.asyncProperty(rasters, windows, fc.subarray([0, 1, 2], { minLength: 1 }), async (raster, window, order) => {
      const bands = order.toReversed();
      const read = await readWindow(raster, window, { bands });
      const expected = (index: number): Uint8Array =>
        Uint8Array.from({ length: window.widthPx * window.heightPx }, (_, i) =>
          sample(window.column + (i % window.widthPx), window.row + Math.floor(i / window.widthPx), index),
        );
      assert.deepEqual(read.bands, bands.map(expected));
      assert.deepEqual(
        read.mask,
        expected(3).map((alpha) => (alpha === 0 ? 0 : 255)),
      );
    }),
    { numRuns: 400 },
  );
});

test("windows outside of the image, and bands and overviews that do not exist, are a RangeError", async () => {
  await using raster = await open(rgbaTiles(false));
  const inside = { column: 0, row: 0, widthPx: 2, heightPx: 2 };
  for (const wrong of [{ column: -1 }, { column: 36 }, { row: 22 }, { widthPx: 0 }, { heightPx: 1.5 }]) {
    await assert.rejects(readWindow(raster, { ...inside, ...wrong }), RangeError);
  }
  await assert.rejects(readWindow(raster, inside, { bands: [3] }), /got band 3, expected one of 3/);
  await assert.rejects(readWindow(raster, inside, { overview: 0 }), /got overview 0, expected one of 0/);
});

const SCENE = tiledTiff({
  widthPx: 1000,
  heightPx: 800,
  tilePx: 128,
  epsg: 32_633,
  origin: [500_000, 5_500_000],
  pixelSize: 10,
  valueAt: (column, row) => (column + 1000 * row) % 65_536,
  overviews: [4, 2],
});

test("overviews are listed from fine to coarse, and windows of them are placed on the ground", async () => {
  await using raster = await open(SCENE);
  assert.deepEqual(raster.overviews, [
    { widthPx: 500, heightPx: 400 },
    { widthPx: 250, heightPx: 200 },
  ]);
  const read = await readWindow(raster, { column: 10, row: 20, widthPx: 2, heightPx: 1 }, { overview: 1 });
  // The fixture takes the pixel in the middle: 4 * 10 + 2 and 4 * 20 + 2, then 4 columns further.
  assert.deepEqual(read.bands, [Uint16Array.of((42 + 82_000) % 65_536, (46 + 82_000) % 65_536)]);
  assert.deepEqual(read.georeference, { kind: "affine", transform: [40, 0, 500_400, 0, -40, 5_499_200] });
});

test("a window over HTTP joins the ranges of its blocks, and windows may be read at the same time", async () => {
  await using server = await startRangeServer({ file: () => SCENE });
  await using raster = await open(new URL(`${server.url}/scene.tif`));
  const opened = server.requests.length;
  const window = { column: 130, row: 140, widthPx: 100, heightPx: 300 };
  const read = await readWindow(raster, window);
  // Three blocks one below the other, eight blocks of 32 kB between them: at most three ranges.
  assert.ok(server.requests.length - opened <= 3, `${server.requests.length - opened} requests`);
  await using local = await open(SCENE);
  assert.deepEqual(read, await readWindow(local, window));
  const many = [0, 200, 400, 600].map((row) => ({ column: 900, row, widthPx: 90, heightPx: 190 }));
  const both = await Promise.all([raster, local].map((one) => Promise.all(many.map((each) => readWindow(one, each)))));
  assert.deepEqual(both[0], both[1]);
});

test("headers go to the host of the address and to no other, to which it may redirect only when listed", async () => {
  await using other = await startRangeServer({ file: () => SCENE });
  await using server = await startRangeServer({ file: () => null });
  server.intercept = (_request, response) => {
    response.writeHead(302, { location: `${other.url}/scene.tif` }).end();
    return true;
  };
  const url = new URL(`${server.url}/scene.tif`);
  const headers = { authorization: "Bearer secret" };
  await assert.rejects(
    httpSource(url, { headers }),
    (error) => error instanceof RasterError && error.reason === "unreachable",
  );
  assert.equal(other.requests.length, 0);
  await using source = await httpSource(url, { headers, redirectHosts: [other.url] });
  assert.equal(source.sizeBytes, SCENE.length);
  assert.equal(server.requests.at(-1)?.headers.authorization, "Bearer secret");
  assert.equal(other.requests.at(-1)?.headers.authorization, undefined);
});

test("bytes that are no TIFF are unreadable, and a file that is not there keeps the error of the file system", async () => {
  await assert.rejects(
    open(new TextEncoder().encode("no TIFF at all")),
    (error) => error instanceof RasterError && error.reason === "unreadable",
  );
  await assert.rejects(open("/nowhere/scene.tif"), { code: "ENOENT" });
});
