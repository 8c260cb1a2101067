import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { bufferSource } from "./byte-sources.ts";
import { openTiff } from "./open.ts";
import { alignedWindow, type PixelWindow } from "./pixel-window.ts";
import { buildTiff, double, imageTags, long, short, type BuiltDirectory } from "./tiff-building.ts";
import { TAG } from "./tags.ts";

const never = new AbortController().signal;
const WIDTH = 37;
const HEIGHT = 23;

/** Tiles of one sample of 8 bits, value `(7 * column + 11 * row) % 251`, or 0 and 255 in a checkerboard for a mask. */
function tiles(side: number, value: (column: number, row: number) => number): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let top = 0; top < HEIGHT; top += side) {
    for (let left = 0; left < WIDTH; left += side) {
      blocks.push(
        Uint8Array.from({ length: side * side }, (_, i) => value(left + (i % side), top + Math.floor(i / side))),
      );
    }
  }
  return blocks;
}

const pixel = (column: number, row: number): number => (7 * column + 11 * row) % 251;
const valid = (column: number, row: number): number => (((column >> 1) + row) % 3 === 0 ? 0 : 255);

function tiled(side: number, value: typeof pixel, more: BuiltDirectory["tags"] = {}): BuiltDirectory {
  const { [TAG.rowsPerStrip]: _strip, ...tags } = imageTags(WIDTH, HEIGHT);
  return {
    blocks: tiles(side, value),
    tags: { ...tags, [TAG.tileWidth]: long(side), [TAG.tileLength]: long(side), ...more },
  };
}

const placed = { [TAG.modelPixelScale]: double(2, 3, 0), [TAG.modelTiepoint]: double(0, 0, 0, 1000, 2000, 0) };
const FILES: Readonly<Record<string, Uint8Array>> = {
  tiles: buildTiff([tiled(16, pixel, placed)]),
  "tiles with a mask of other tiles": buildTiff([
    tiled(16, pixel, placed),
    tiled(32, valid, { [TAG.newSubfileType]: long(4), [TAG.photometric]: short(4) }),
  ]),
  strips: buildTiff([
    {
      tags: { ...imageTags(WIDTH, HEIGHT), ...placed, [TAG.rowsPerStrip]: long(5) },
      blocks: Array.from({ length: 5 }, (_, strip) =>
        Uint8Array.from({ length: WIDTH * Math.min(5, HEIGHT - strip * 5) }, (__, i) =>
          pixel(i % WIDTH, strip * 5 + Math.floor(i / WIDTH)),
        ),
      ),
    },
  ]),
  "planes of tiles": buildTiff([
    {
      ...tiled(16, pixel, {
        ...placed,
        [TAG.samplesPerPixel]: short(2),
        [TAG.bitsPerSample]: short(8, 8),
        [TAG.planarConfiguration]: short(2),
      }),
      blocks: [...tiles(16, pixel), ...tiles(16, (column, row) => 250 - pixel(column, row))],
    },
  ]),
};

const anyWindow = fc.record({
  column: fc.integer({ min: -5, max: WIDTH + 5 }),
  row: fc.integer({ min: -5, max: HEIGHT + 5 }),
  widthPx: fc.integer({ min: 1, max: WIDTH }),
  heightPx: fc.integer({ min: 1, max: HEIGHT }),
});

for (const [name, bytes] of Object.entries(FILES)) {
  test(`any window of ${name} has the pixels, mask and place of the whole`, async () => {
    await fc.assert(
      fc.asyncProperty(anyWindow, async (window: PixelWindow) => {
        let blockBytes = 0;
        await using raster = await openTiff(bufferSource(bytes), {
          window: () => window,
          onBlocks: (ranges) => {
            blockBytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
          },
        });
        assert.ok(raster.georeference.kind === "affine");
        const [, , x, , , y] = raster.georeference.transform;
        const [left, top] = [(x - 1000) / 2, (2000 - y) / 3];
        assert.ok(
          left <= Math.max(0, Math.min(window.column, WIDTH - 1)) &&
            top <= Math.max(0, Math.min(window.row, HEIGHT - 1)),
        );
        assert.ok(left + raster.widthPx >= Math.min(WIDTH, window.column + window.widthPx));
        assert.ok(top + raster.heightPx >= Math.min(HEIGHT, window.row + window.heightPx));
        assert.ok(blockBytes > 0 && blockBytes <= bytes.length);
        const rows = await raster.readRows(0, raster.heightPx, never);
        const mask = await raster.readMask(0, raster.heightPx, never);
        for (let row = 0; row < raster.heightPx; row++) {
          for (let column = 0; column < raster.widthPx; column++) {
            const at = row * raster.widthPx + column;
            const expected = pixel(left + column, top + row);
            assert.equal(rows[0]?.[at], expected);
            if (rows.length > 1) assert.equal(rows[1]?.[at], 250 - expected);
            if (mask !== null) assert.equal(mask[at], valid(left + column, top + row));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
}

test("a window is widened to whole blocks of every image, and stays inside", () => {
  const image = { widthPx: 100, heightPx: 90, blockWidthPx: 16, blockHeightPx: 16 };
  const strips = { ...image, blockWidthPx: 100, blockHeightPx: 10 };
  const window = { column: 17, row: 33, widthPx: 10, heightPx: 3 };
  assert.deepEqual(alignedWindow(window, [image]), { column: 16, row: 32, widthPx: 16, heightPx: 16 });
  assert.deepEqual(alignedWindow(window, [image, strips]), { column: 0, row: 0, widthPx: 100, heightPx: 80 });
  const outside = { column: 500, row: -80, widthPx: 10, heightPx: 10 };
  assert.deepEqual(alignedWindow(outside, [image]), { column: 96, row: 0, widthPx: 4, heightPx: 16 });
});
