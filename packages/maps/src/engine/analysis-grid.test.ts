import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { analysisGrid, blockRowsOf } from "./analysis-grid.ts";

function rasterOf(widthPx: number, heightPx: number): StoredRaster {
  const band = { widthPx, heightPx, geotransform: [10, 0, 500_000, 0, -10, 5_500_000] };
  return {
    proj4: "+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs",
    controlGrid: null,
    bands: [band],
  } as unknown as StoredRaster;
}

test("large grids have the large blocks of their analysis, small ones occupy all threads by small blocks", () => {
  assert.equal(analysisGrid(rasterOf(10_980, 10_980), 0, 1, 1024).blockPx, 1024);
  assert.equal(analysisGrid(rasterOf(10_980, 10_980), 0, 1).blockPx, 512);
  assert.equal(analysisGrid(rasterOf(10_980, 4095), 0, 1, 1024).blockPx, 512);
  assert.equal(analysisGrid(rasterOf(10_980, 10_980), 0, 3, 1024).blockPx, 512);
});

test("blocks cover a window row by row, each pixel once, the last of a line as wide as what is left", () => {
  const rows = blockRowsOf({ column: 1024, row: 2048, columns: 2500, rows: 1500 }, 1024);
  assert.deepEqual(
    rows.map((line) => line.map(({ column, row, columns, rows: count }) => [column, row, columns, count])),
    [
      [
        [1024, 2048, 1024, 1024],
        [2048, 2048, 1024, 1024],
        [3072, 2048, 452, 1024],
      ],
      [
        [1024, 3072, 1024, 476],
        [2048, 3072, 1024, 476],
        [3072, 3072, 452, 476],
      ],
    ],
  );
});
